package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.CallResult;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelRequest;
import dev.holdfast.Secret;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import dev.holdfast.spi.CredentialSource.IssuedCredential;
import dev.holdfast.tests.behaviour.World.Ended;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
    private static final String PROMPT = "PRIVATE-PROMPT-4711";
    private static final String ANSWER = "PRIVATE-ANSWER-0815";
    private static final ModelRequest REQUEST =
            ModelRequest.chat(World.MODEL).system(PROMPT).user(PROMPT).build();

    @Test
    void neitherKeyNorPromptNorAnswerIsShownAnywhereWhateverFails() {
        World world = new World()
                .provider("p1", FaultScript.answering(SecretsTest::everyFailureInTurn))
                .provider("p2", FaultScript.answering(SecretsTest::everyFailureInTurn));
        var shown = new StringBuilder();
        try (var log = new LogCapture();
                ResilientClient client = world.builder()
                        .breaker(BreakerPolicy.defaults())
                        .limits(World.MODEL, LimitPolicy.defaults().withRpm(30).withMaxWait(Duration.ZERO))
                        .model(ModelSettings.of("second"))
                        .build()) {
            CallOptions options = CallOptions.none()
                    .withRoute(List.of(World.MODEL, "second"))
                    .withTag("team", "search")
                    .withCredential(Credential.of(World.keyOf("p1")));
            world.time().run(() -> {
                for (int i = 0; i < 60; i++) {
                    show(shown, world.callHere(client, REQUEST, i % 2 == 0 ? options : CallOptions.none()));
                    world.sleep(Duration.ofSeconds(3));
                }
                for (CallResult<String> result : client.callAll(Map.of("a", REQUEST, "b", REQUEST))) {
                    shown.append(result).append('\n');
                }
            });
            shown.append(client).append(options).append(REQUEST).append(World.request());
            world.events().forEach(event -> shown.append(event).append('\n'));
            world.sent()
                    .forEach(sent -> shown.append(sent.call())
                            .append(sent.call().headers())
                            .append('\n'));
            shown.append(log.text());
            assertThat(log.text()).as("something was logged").contains("gpt-4.1");
        }

        assertThat(world.sent()).hasSizeGreaterThan(40);
        assertThat(shown.toString()).doesNotContain(World.keyOf("p1"), World.keyOf("p2"), PROMPT, ANSWER);
    }

    @Test
    void aKeyThatTheServerRepeatsIsTakenOutOfItsWords() {
        String key = World.keyOf("p1");
        World world = World.of(Reply.error(
                401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided: " + key + "."));
        var shown = new StringBuilder();
        try (var log = new LogCapture();
                ResilientClient client = world.builder().build()) {
            Ended call = world.call(client);
            show(shown, call);
            world.events().forEach(shown::append);
            shown.append(log.text());

            assertThat(call.failure().kind()).isEqualTo(FailureKind.AUTH);
            assertThat(call.failure()).hasMessageContaining("Incorrect API key provided");
        }

        assertThat(shown.toString()).doesNotContain(key);
    }

    @Test
    void aKeyThatASourceIssuedIsTakenOutToo() {
        World world = World.always(Reply.error(401, "t", "invalid_api_key", "No such key: sk-issued-0123456789abcdef"));
        var shown = new StringBuilder();
        try (var log = new LogCapture();
                ResilientClient client = world.builder()
                        .credentials(
                                "p1",
                                request -> new IssuedCredential(
                                        Credential.of("sk-issued-0123456789abcdef"), Optional.empty()))
                        .build()) {
            show(shown, world.call(client));
            shown.append(log.text());
        }

        assertThat(shown.toString()).contains("No such key").doesNotContain("sk-issued-0123456789abcdef");
    }

    @Test
    void anotherVendorsKeyIsNotSentWhoeverGaveIt() {
        String key = "sk-ant-TESTKEY-0123456789abcdef";
        for (boolean issued : new boolean[] {false, true}) {
            World world = new World();
            Endpoint groq = Endpoint.builder("groq", URI.create("https://api.groq.com/openai/v1"))
                    .build();
            var builder = world.builder().endpoint(groq).model(ModelSettings.of(World.MODEL));
            if (issued) {
                builder.credentials("groq", request -> new IssuedCredential(Credential.of(key), Optional.empty()));
            }
            var shown = new StringBuilder();
            try (var log = new LogCapture();
                    ResilientClient client = builder.build()) {
                CallOptions options =
                        issued ? CallOptions.none() : CallOptions.none().withCredential(Credential.of(key));
                show(shown, world.call(client, options));
                shown.append(log.text());
            }

            assertThat(shown.toString())
                    .contains("looks like a key of Anthropic (expected: one of Groq")
                    .doesNotContain("TESTKEY");
            assertThat(world.sent()).isEmpty();
        }
    }

    @Test
    void aKeyWithWhiteSpaceAroundItIsTrimmed() {
        World world = World.of();
        try (ResilientClient client = world.builder().build()) {
            world.call(client, CallOptions.none().withCredential(Credential.of("  sk-mine\r\n")))
                    .answer();

            assertThat(world.sent().getFirst().header("Authorization")).isEqualTo("Bearer sk-mine");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sk-\tmine-000", "sk-mine\u00e9-000", "sk-mine -000", "sk-\u0000mine-000", "sk-mine\n-000"})
    void aKeyThatCannotStandInAHeaderIsRefusedByItsSettingsName(String key) {
        assertThatThrownBy(() -> Secret.of("OPENAI_API_KEY", key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("OPENAI_API_KEY")
                .message()
                .doesNotContain("mine");
        assertThatThrownBy(() -> ResilientClient.openAi(key))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContain("mine");
    }

    @Test
    void aKeyDoesNotTravelOverPlainHttpToAnotherMachine() {
        var builder = Endpoint.builder("p1", URI.create("http://p1.test/v1")).credential(Credential.of("sk-mine-000"));

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("p1")
                .message()
                .doesNotContain("mine");
    }

    @Test
    void anAddressWithAPasswordIsNotShown() {
        assertThatThrownBy(() -> {
                    Endpoint endpoint = Endpoint.builder("p1", URI.create("https://user:sesame@p1.test/v1?key=sesame"))
                            .build();
                    throw new IllegalArgumentException(endpoint.toString());
                })
                .message()
                .doesNotContain("sesame");
    }

    private static Reply everyFailureInTurn(ProviderRequest request) {
        var bad = new ArrayList<Reply>();
        bad.add(Reply.completion(ANSWER));
        bad.add(Reply.error(400, "invalid_request_error", "bad", "Bad key " + bearer(request)));
        bad.add(Reply.error(401, "invalid_request_error", "invalid_api_key", "Bad key " + bearer(request)));
        bad.add(Reply.rateLimited(Duration.ofSeconds(2)));
        bad.add(Reply.status(503).withHeader("x-echo", bearer(request)));
        bad.add(Reply.completion(ANSWER).withChunks(List.of(Chunk.of("<html>" + bearer(request)))));
        bad.add(Reply.completion(ANSWER).cutAfter(30));
        bad.add(Reply.completion(ANSWER).withStatus(500));
        bad.add(Reply.reset());
        bad.add(Reply.hang());
        bad.add(Reply.status(404));
        return bad.get(request.number() % bad.size());
    }

    private static String bearer(ProviderRequest request) {
        return request.headers().first("Authorization").orElse("").replace("Bearer ", "");
    }

    private static void show(StringBuilder shown, Ended call) {
        call.response()
                .ifPresent(response -> shown.append(response)
                        .append(response.answer())
                        .append(response.attempts())
                        .append(response.document())
                        .append('\n'));
        call.error().ifPresent(error -> show(shown, error));
    }

    private static void show(StringBuilder shown, CallException error) {
        var trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace));
        shown.append(trace)
                .append(error.failure())
                .append(error.attempts())
                .append(error.rejections())
                .append('\n');
    }
}
