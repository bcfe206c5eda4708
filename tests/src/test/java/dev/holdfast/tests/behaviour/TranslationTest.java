package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Adjustment;
import dev.holdfast.Bytes;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.FailureKind;
import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.Secret;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.DialectException;
import dev.holdfast.tests.behaviour.World.Ended;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A call in one form, answered by a server that speaks another, through a dialect that only knows its own. */
class TranslationTest {
    private static final JsonObject ANSWER = JsonObject.builder()
            .with("type", JsonValue.of("message"))
            .with(
                    "content",
                    JsonArray.of(JsonObject.of("type", JsonValue.of("text")).with("text", JsonValue.of("Rhine"))))
            .with("stop_reason", JsonValue.of("end_turn"))
            .build();

    private final Plain plain = new Plain();

    private World world(Reply first, Reply second) {
        return new World()
                .provider("openai", FaultScript.always(first))
                .provider("claude", FaultScript.always(second), endpoint -> endpoint.dialect("plain"));
    }

    private ResilientClient client(World world) {
        return world.builder()
                .dialect(plain)
                .model(ModelSettings.of(World.MODEL).withEndpoints("openai").withFallbacks("claude-sonnet-4-5"))
                .model(ModelSettings.of("claude-sonnet-4-5").withEndpoints("claude"))
                .build();
    }

    private static Reply answered() {
        return Reply.json(200, ANSWER);
    }

    @Test
    void aFallbackAcrossFormsIsTranslatedAndSaysWhatChanged() {
        World world = world(Reply.status(503), answered());
        ModelRequest request = ModelRequest.chat(World.MODEL)
                .system("Be brief.")
                .user("Name a river.")
                .temperature(1.5)
                .with("logit_bias", JsonObject.of("50256", JsonValue.of(-100)))
                .build();
        try (ResilientClient client = client(world)) {
            Ended ended = world.call(client, request, CallOptions.none());
            assertThat(ended.answer().text()).contains("Rhine");
            assertThat(world.sentTo("claude").getFirst().body())
                    .isEqualTo("{\"model\":\"claude-sonnet-4-5\",\"system\":\"Be"
                            + " brief.\",\"messages\":[{\"role\":\"user\",\"content\":\"Name a"
                            + " river.\"}],\"max_tokens\":4096,\"temperature\":1}");
            assertThat(ended.answer().adjusted())
                    .extracting(Adjustment::pointer)
                    .containsExactlyInAnyOrder("/max_tokens", "/temperature", "/logit_bias", "/own");
            assertThat(plain.answered).allMatch(asked -> asked.form() == Form.ANTHROPIC_MESSAGES);
            assertThat(request.document().get("max_tokens")).isEmpty();
        }
    }

    @Test
    void theAttemptsOnOneTargetAreTheSameBytesAndAnotherTargetStartsFromTheOriginal() {
        World world = world(Reply.status(503), Reply.status(503));
        try (ResilientClient client = client(world)) {
            world.call(client, World.request(), CallOptions.none());
            assertThat(world.sentTo("claude")).hasSizeGreaterThan(1);
            assertThat(world.sentTo("claude").stream().map(World.Sent::body).distinct())
                    .hasSize(1);
            assertThat(plain.encoded).isEqualTo(1);
            assertThat(world.sentTo("openai").getFirst().body())
                    .isEqualTo(World.request().document().toJson());
        }
    }

    @Test
    void eachKeyOfAnEndpointIsSentTheSameTranslation() {
        World world = new World()
                .provider(
                        "claude",
                        FaultScript.of(Reply.status(401), answered()),
                        endpoint -> endpoint.dialect("plain")
                                .credential(new Credential("second", Secret.of("sk-test-second-0123456789abcdef"))));
        try (ResilientClient client = world.builder().dialect(plain).build()) {
            Ended ended = world.call(client, World.request(), CallOptions.none());
            assertThat(ended.answer().text()).contains("Rhine");
            assertThat(world.sent().stream().map(World.Sent::body).distinct()).hasSize(1);
        }
    }

    @Test
    void aBadDocumentThatMustBeTranslatedIsRefusedWithItsPlaceAndNotSent() {
        World world =
                new World().provider("claude", FaultScript.always(answered()), endpoint -> endpoint.dialect("plain"));
        ModelRequest request = ModelRequest.of(
                Form.OPENAI_CHAT,
                JsonObject.of("model", JsonValue.of("m"))
                        .with("messages", JsonArray.of(JsonObject.of("role", JsonValue.of("sesame")))));
        try (ResilientClient client = world.builder().dialect(plain).build()) {
            Ended ended = world.call(client, request, CallOptions.none());
            assertThat(ended.failure().kind()).isEqualTo(FailureKind.INVALID_REQUEST);
            assertThat(ended.failure()).hasMessageContaining("/messages/0/role").hasMessageNotContaining("sesame");
            assertThat(world.sent()).isEmpty();
        }
    }

    @Test
    void wordsOfTheProviderAreRidOfWhatOnlyTheTranslationSays() {
        World world = new World()
                .provider(
                        "claude",
                        FaultScript.always(Reply.error(
                                400, "invalid_request_error", "bad", "unreadable document: 'open sesame to the cave'")),
                        endpoint -> endpoint.dialect("plain"));
        String hidden = java.util.Base64.getEncoder()
                .encodeToString("open sesame to the cave".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        ModelRequest request = ModelRequest.of(
                Form.GEMINI_CONTENT,
                "m",
                JsonObject.of(
                        "contents",
                        JsonArray.of(JsonObject.of(
                                "parts",
                                JsonArray.of(JsonObject.of(
                                        "inlineData",
                                        JsonObject.of("mimeType", JsonValue.of("text/plain"))
                                                .with("data", JsonValue.of(hidden))))))));
        try (ResilientClient client = world.builder().dialect(plain).build()) {
            Ended ended = world.call(client, request, CallOptions.none());
            assertThat(world.sent().getFirst().body()).contains("open sesame");
            assertThat(ended.failure()).hasMessageNotContaining("sesame");
        }
    }

    /** A dialect of Anthropic's form as a plugin may be: it knows nothing of other forms. */
    private static final class Plain implements Dialect {
        private final List<ModelRequest> answered = new CopyOnWriteArrayList<>();
        private int encoded;

        @Override
        public String name() {
            return "plain";
        }

        @Override
        public Form form() {
            return Form.ANTHROPIC_MESSAGES;
        }

        @Override
        public WireRequest encodeRequest(OutgoingRequest outgoing) throws DialectException {
            if (outgoing.request().form() != form()) {
                throw new DialectException("/: another form");
            }
            encoded++;
            return new WireRequest(
                    "POST",
                    URI.create(outgoing.endpoint().baseUrl() + "/messages"),
                    Headers.of("Content-Type", "application/json"),
                    Bytes.utf8(outgoing.request().document().toJson()),
                    List.of(new Adjustment("/own", "told")));
        }

        @Override
        public ModelAnswer decodeAnswer(ModelRequest request, JsonObject document) {
            answered.add(request);
            return new ModelAnswer(
                    form(),
                    document,
                    Optional.empty(),
                    document.list("content").getFirst().asObject().flatMap(block -> block.text("text")),
                    List.of(),
                    Optional.of(FinishReason.STOP),
                    Optional.empty());
        }

        @Override
        public ModelRequest decodeRequest(String path, JsonObject document) {
            return ModelRequest.of(form(), document);
        }

        @Override
        public JsonObject encodeAnswer(ModelAnswer answer, String model) {
            return answer.document();
        }
    }
}
