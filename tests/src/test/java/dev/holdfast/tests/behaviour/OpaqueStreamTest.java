package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamFailedException;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import dev.holdfast.simulation.Reply.Framing;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of requests without a form: passed through, and kept as alive as the others. */
class OpaqueStreamTest {
    private static final ModelRequest RESPONSES = ModelRequest.opaque(
            "/responses",
            World.MODEL,
            JsonObject.of("model", JsonValue.of(World.MODEL)).with("input", JsonValue.of("Name three rivers.")));
    private static final ModelRequest UNKNOWN =
            ModelRequest.opaque("/things", World.MODEL, JsonObject.of("input", JsonValue.of("x")));

    private static final String CREATED = named(
            "response.created", "\"response\":{\"object\":\"response\",\"status\":\"in_progress\",\"error\":null}");
    private static final String WHOLE = "{\"object\":\"response\",\"id\":\"r\",\"model\":\"gpt-4.1-2025\","
            + "\"status\":\"completed\",\"error\":null,\"output\":[],"
            + "\"usage\":{\"input_tokens\":5,\"output_tokens\":7,\"total_tokens\":12}}";
    private static final String COMPLETED = named("response.completed", "\"response\":" + WHOLE);
    private static final String FAILED = named(
            "response.failed",
            "\"response\":{\"object\":\"response\",\"status\":\"failed\","
                    + "\"error\":{\"code\":\"server_error\",\"message\":\"exploded\"}}");

    private static String named(String type, String members) {
        return "event: " + type + "\ndata: {\"type\":\"" + type + "\"," + members + "}\n\n";
    }

    private static String delta(String text) {
        return named("response.output_text.delta", "\"delta\":\"" + text + "\"");
    }

    private static Reader read(World world, ModelRequest request) {
        try (ResilientClient client = world.builder().build()) {
            return Reader.of(world, client, request);
        }
    }

    private static Reader readOnce(Reply reply, ModelRequest request) {
        World world = World.of(reply);
        try (ResilientClient client = world.builder().build()) {
            Reader stream = world.time()
                    .call(() -> Reader.read(
                            world, client, request, CallOptions.none().withRetry(false)));
            assertThat(world.open()).isZero();
            assertThat(world.events(CallEvent.CallFinished.class)).hasSize(1);
            return stream;
        }
    }

    private static List<String> types(Reader stream) {
        return stream.events().stream()
                .map(event -> switch (event) {
                    case StreamEvent.Opaque opaque -> opaque.event();
                    case StreamEvent.Other other ->
                        "(" + other.document().text("type").orElse("") + ")";
                    default -> event.getClass().getSimpleName();
                })
                .toList();
    }

    @Test
    void aStreamOfOpenAisResponsesIsPassedThroughAndEndsWithItsResponse() {
        World world = World.of(Sse.of(CREATED, delta("a"), delta("b"), COMPLETED));
        Reader stream = read(world, RESPONSES);

        assertThat(types(stream))
                .containsExactly(
                        "(response.created)",
                        "response.output_text.delta",
                        "response.output_text.delta",
                        "response.completed",
                        "UsageReported");
        ModelAnswer answer = stream.answer().answer();
        assertThat(answer.form()).isEqualTo(Form.OPAQUE);
        assertThat(answer.document().toJson()).isEqualTo(WHOLE);
        assertThat(answer.model()).hasValue("gpt-4.1-2025");
        assertThat(answer.usage().orElseThrow().total()).isEqualTo(12);
        assertThat(world.sent().getFirst().call().uri()).hasPath("/v1/responses");
        assertThat(JsonText.parse(world.sent().getFirst().body()).asObject().orElseThrow())
                .isEqualTo(RESPONSES.document().with("stream", JsonValue.of(true)));
        assertThat(world.sent().getFirst().header("Accept")).isEqualTo("text/event-stream");
    }

    @Test
    void theEndIsTheAnswerThatACallWouldHaveBrought() {
        Reader stream = readOnce(Sse.of(CREATED, delta("a"), COMPLETED), RESPONSES);
        World world = World.of(Reply.json(200, JsonText.parse(WHOLE)));
        try (ResilientClient client = world.builder().build()) {
            ModelResponse called =
                    world.call(client, RESPONSES, CallOptions.none()).answer();
            assertThat(stream.answer().answer()).isEqualTo(called.answer());
        }
    }

    static Stream<Reply> failingBeforeTheFirstPart() {
        return Stream.of(
                Reply.status(503),
                Sse.of(CREATED, FAILED),
                Sse.of(CREATED),
                Sse.of(CREATED).hangAfter(10),
                Sse.of(CREATED, "event: error\ndata: {\"type\":\"error\",\"code\":\"server_error\"}\n\n"),
                Sse.of("event: ping\ndata: {\"type\":\"ping\"}\n\n", "data: {\"cut"));
    }

    @ParameterizedTest
    @MethodSource("failingBeforeTheFirstPart")
    void whatFailsBeforeTheFirstPartOfTheAnswerIsTriedAgainUnseen(Reply failing) {
        World world = World.of(failing, Sse.of(CREATED, delta("a"), COMPLETED));
        Reader stream = read(world, RESPONSES);

        assertThat(stream.answer().attempts()).hasSize(2);
        assertThat(types(stream))
                .containsExactly(
                        "(response.created)", "response.output_text.delta", "response.completed", "UsageReported");
    }

    @Test
    void whatFailsAfterItIsThrownWithTheResponseAsFarAsItWasSaid() {
        Reader stream = readOnce(Sse.of(CREATED, delta("a"), FAILED, delta("b"), COMPLETED), RESPONSES);

        assertThat(stream.failure()).isInstanceOf(StreamFailedException.class);
        assertThat(stream.failure().kind()).isEqualTo(FailureKind.SERVER_ERROR);
        assertThat(types(stream)).containsExactly("(response.created)", "response.output_text.delta");
        assertThat(stream.failure().partialAnswer().orElseThrow().document().text("status"))
                .hasValue("in_progress");
    }

    static Stream<Arguments> ends() {
        String chunk = Sse.data("{\"choices\":[{\"index\":0,\"text\":\"a\",\"finish_reason\":null}]}");
        String stop = Sse.data("{\"choices\":[{\"index\":0,\"text\":\"\",\"finish_reason\":\"stop\"}]}");
        String part = Sse.data("{\"part\":1}");
        return Stream.of(
                // what promises an end of its own
                Arguments.of(true, RESPONSES, Sse.of(delta("a"), COMPLETED)),
                Arguments.of(true, RESPONSES, Sse.of(delta("a"), named("response.incomplete", "\"response\":{}"))),
                Arguments.of(true, RESPONSES, Sse.of(delta("a"), COMPLETED.strip())),
                Arguments.of(false, RESPONSES, Sse.of(delta("a"))),
                Arguments.of(true, UNKNOWN, Sse.of(chunk, stop)),
                Arguments.of(true, UNKNOWN, Sse.of(chunk, Sse.DONE)),
                Arguments.of(false, UNKNOWN, Sse.of(chunk)),
                Arguments.of(true, UNKNOWN, Sse.of(named("message_start", "\"message\":{}"), part, stopped())),
                Arguments.of(false, UNKNOWN, Sse.of(named("message_start", "\"message\":{}"), part)),
                // what promises none
                Arguments.of(true, UNKNOWN, Sse.of(part, Sse.DONE)),
                Arguments.of(true, UNKNOWN, Sse.of(part)),
                Arguments.of(true, UNKNOWN, Sse.of(part, part.strip())),
                Arguments.of(false, UNKNOWN, Sse.of(part, "data: {\"part\":")),
                // the body breaks off
                Arguments.of(false, UNKNOWN, Sse.of(part, part).cutAfter(part.length())),
                Arguments.of(false, UNKNOWN, Sse.of(part, part).resetAfter(part.length())),
                Arguments.of(true, UNKNOWN, Sse.of(part, Sse.DONE, part).resetAfter((part + Sse.DONE).length())),
                // which nobody can know
                Arguments.of(
                        true,
                        UNKNOWN,
                        Sse.of(part, part).withFraming(Framing.UNTIL_CLOSE).cutAfter(part.length())));
    }

    private static String stopped() {
        return named("message_stop", "\"x\":1");
    }

    @ParameterizedTest
    @MethodSource("ends")
    void aStreamEndsAsItPromisedOrElseAsHttpSays(boolean good, ModelRequest request, Reply reply) {
        Reader stream = readOnce(reply, request);
        assertThat(stream.error().isEmpty()).isEqualTo(good);
        if (!good) {
            assertThat(stream.failure().kind()).isIn(FailureKind.TRUNCATED, FailureKind.CONNECTION);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "event: ping\ndata: {\"type\":\"ping\"}\n\n", "data: [DONE]\n\n"})
    void aStreamWithoutAPartIsEmpty(String all) {
        assertThat(readOnce(Sse.of(all), UNKNOWN).failure().kind()).isEqualTo(FailureKind.EMPTY_RESPONSE);
    }

    @Test
    void anEventThatIsNoJsonEndsAStreamAsItDoesElsewhere() {
        Reader stream =
                readOnce(Sse.of(Sse.data("{\"part\":1}"), Sse.data("{\"pa"), Sse.data("{\"part\":3}")), UNKNOWN);
        assertThat(stream.failure().kind()).isEqualTo(FailureKind.MALFORMED_RESPONSE);
        assertThat(types(stream)).hasSize(1);
    }

    @Test
    void anyJsonIsPassedOnAndItsNumbersKeepTheirDigits() {
        Reader stream =
                readOnce(Sse.of(Sse.data("[1.50,\"a\"]"), Sse.data("\"text\""), Sse.data("{\"n\":1e2}")), UNKNOWN);
        assertThat(stream.events())
                .extracting(event -> ((StreamEvent.Opaque) event).data().toJson())
                .containsExactly("[1.50,\"a\"]", "\"text\"", "{\"n\":1e2}");
        assertThat(stream.answer().answer().document().toJson()).isEqualTo("{\"n\":1e2}");
    }

    @Test
    void pingsKeepNoStreamAliveThatIsStuck() {
        List<Chunk> chunks = Sse.join(List.of(Chunk.of(delta("a"))));
        chunks.addAll(Sse.repeat(100, Duration.ofSeconds(5), "event: ping\ndata: {\"type\":\"ping\"}\n\n"));
        Reader stream = readOnce(Reply.events(chunks), RESPONSES);
        assertThat(stream.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
        assertThat(stream.took()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(66));
    }

    @Test
    void aWholeAnswerInsteadOfAStreamIsOneEvent() {
        Reader stream = readOnce(Reply.json(200, JsonText.parse(WHOLE)), RESPONSES);
        assertThat(types(stream)).containsExactly("", "UsageReported");
        assertThat(stream.answer().answer().document().toJson()).isEqualTo(WHOLE);
    }

    @Test
    void aStreamInsteadOfAWholeAnswerIsPutTogether() {
        World world = World.of(Sse.of(CREATED, delta("a"), COMPLETED));
        try (ResilientClient client = world.builder().build()) {
            ModelAnswer answer =
                    world.call(client, RESPONSES, CallOptions.none()).answer().answer();
            assertThat(answer.document().toJson()).isEqualTo(WHOLE);
        }
    }

    @Test
    void anEventWithAMemberSaidTwiceCountsByTheLast() {
        Reader stream = readOnce(Sse.of(Sse.data("{\"part\":1,\"part\":2}")), UNKNOWN);
        assertThat(stream.answer().answer().document().toJson()).isEqualTo("{\"part\":2}");
    }

    @Test
    void aStreamGoesToAnotherEndpointLikeACall() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.error(401, "auth", "invalid_api_key", "no")))
                .provider("p2", FaultScript.always(Sse.of(CREATED, delta("a"), COMPLETED)));
        assertThat(read(world, RESPONSES).answer().attempts()).hasSize(2);
        assertThat(world.path()).containsExactly("p1", "p2");
    }
}
