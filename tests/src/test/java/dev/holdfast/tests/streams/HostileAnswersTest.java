package dev.holdfast.tests.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.Form;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.StreamEvent;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.internal.dialect.AnthropicDialect;
import dev.holdfast.core.internal.dialect.GeminiDialect;
import dev.holdfast.core.internal.dialect.OpenAiDialect;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Dialect.StreamEncoder;
import dev.holdfast.tests.behaviour.Reader;
import dev.holdfast.tests.behaviour.World;
import dev.holdfast.tests.behaviour.World.Ended;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Answers and streams that no vendor should send. Each ends in an answer or in a failure with a kind, through the whole client;
 * never in an exception of another kind, and a stream that was cut never as if it were whole.
 */
@AddLifecycleHook(NeedsRecordings.class)
class HostileAnswersTest {
    private static final CallOptions ONCE = CallOptions.none().withRetry(false);
    private static final List<Dialect> FORMS =
            List.of(new OpenAiDialect(), new AnthropicDialect(), new GeminiDialect());

    /** What an answer of status 200 can be but an answer; errors that it holds may be any failure of a provider. */
    private static final Set<FailureKind> OURS_ALONE =
            EnumSet.of(FailureKind.LOCAL, FailureKind.CANCELLED, FailureKind.CONNECTION);

    private static final int AT_ONCE = 6;

    private static List<Recording> recordings(boolean streamed) {
        return Recording.all().stream()
                .filter(each ->
                        each.kind().equals("stream") == streamed && !each.kind().equals("error"))
                .filter(each -> each.isChat()
                        || each.uri().contains("/messages")
                        || each.uri().contains("enerateContent"))
                .filter(each -> each.body().size() < 60_000)
                .toList();
    }

    private static String dialect(Recording recording) {
        return switch (recording.provider()) {
            case "anthropic" -> "anthropic";
            case "gemini", "vertex" -> "gemini";
            default -> "openai";
        };
    }

    private static ModelRequest request(String dialect) {
        return switch (dialect) {
            case "anthropic" ->
                ModelRequest.of(
                        Form.ANTHROPIC_MESSAGES,
                        JsonText.parse(
                                        "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}")
                                .asObject()
                                .orElseThrow());
            case "gemini" ->
                ModelRequest.of(
                        Form.GEMINI_CONTENT,
                        "m",
                        JsonText.parse("{\"contents\":[{\"parts\":[{\"text\":\"q\"}]}]}")
                                .asObject()
                                .orElseThrow());
            default -> ModelRequest.chat("m").user("q").build();
        };
    }

    private static World world(String dialect, List<Reply> replies) {
        return new World().provider("p1", FaultScript.of(replies), endpoint -> endpoint.dialect(dialect));
    }

    private static Reply whole(String body) {
        return Reply.of(
                200, dev.holdfast.Headers.of("Content-Type", "application/json"), dev.holdfast.Bytes.utf8(body));
    }

    private static Reply streamed(String body) {
        return whole(body).withHeader("Content-Type", "text/event-stream");
    }

    @Property(tries = 100)
    void aRecordedAnswerWithAnyNodeChangedIsAnAnswerOrAFailureWithAKind(@ForAll long seed) {
        var random = new Random(seed);
        List<Recording> all = recordings(false);
        Recording recording = all.get(random.nextInt(all.size()));
        var bodies = new ArrayList<String>();
        for (int i = 0; i < AT_ONCE; i++) {
            bodies.add(Mutations.ofDocument(recording.body().toUtf8(), random));
        }
        play(dialect(recording), bodies, false);
    }

    @Property(tries = 100)
    void aRecordedStreamWithAnyEventChangedIsAnAnswerOrAFailureWithAKind(@ForAll long seed) {
        var random = new Random(seed);
        List<Recording> all = recordings(true);
        Recording recording = all.get(random.nextInt(all.size()));
        var bodies = new ArrayList<String>();
        for (int i = 0; i < AT_ONCE; i++) {
            bodies.add(Mutations.ofStream(recording.body().toUtf8(), random));
        }
        play(dialect(recording), bodies, true);
    }

    private static void play(String dialect, List<String> bodies, boolean streamed) {
        World world = world(
                dialect,
                bodies.stream()
                        .map(body -> streamed ? streamed(body) : whole(body))
                        .toList());
        try (ResilientClient client = world.builder().build()) {
            for (String body : bodies) {
                try {
                    playOne(world, client, request(dialect), streamed);
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError(dialect + " on " + body, e);
                }
            }
        }
    }

    private static void playOne(World world, ResilientClient client, ModelRequest request, boolean streamed) {
        Optional<ModelResponse> response;
        Optional<CallException> error;
        List<StreamEvent> events = List.of();
        if (streamed) {
            Reader read = world.time().call(() -> Reader.read(world, client, request, ONCE));
            response = read.response();
            error = read.error();
            events = read.events();
        } else {
            Ended ended = world.call(client, request, ONCE);
            response = ended.response();
            error = ended.error();
        }
        assertThat(world.open()).as("exchanges that nobody closed").isZero();
        error.ifPresent(HostileAnswersTest::check);
        List<StreamEvent> seen = events;
        response.ifPresent(answered -> check(answered, seen));
    }

    private static void check(CallException failed) {
        assertThat(failed.kind()).isNotIn(OURS_ALONE);
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            assertThat(cause)
                    .isNotInstanceOfAny(
                            NullPointerException.class,
                            ClassCastException.class,
                            IndexOutOfBoundsException.class,
                            IllegalStateException.class,
                            ArithmeticException.class);
        }
    }

    /** Whatever passes as an answer can be told to a client of every form, whole and as the stream it came as. */
    private static void check(ModelResponse response, List<StreamEvent> events) {
        ModelAnswer answer = response.answer();
        response.usage().ifPresent(usage -> assertThat(usage.total()).isNotNegative());
        for (Dialect dialect : FORMS) {
            try {
                dialect.encodeAnswer(answer, "m");
                StreamEncoder encoder = dialect.streams()
                        .orElseThrow()
                        .encoder(ModelRequest.chat("m").user("q").build());
                events.forEach(encoder::encode);
                encoder.end();
            } catch (dev.holdfast.spi.DialectException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Property(tries = 60)
    void aRecordedStreamCutAnywhereSaysAllOrFails(@ForAll long seed) {
        var random = new Random(seed);
        List<Recording> all = recordings(true);
        Recording recording = all.get(random.nextInt(all.size()));
        String body = recording.body().toUtf8();
        String dialect = dialect(recording);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        var replies = new ArrayList<Reply>();
        replies.add(streamed(body));
        for (int i = 0; i < AT_ONCE; i++) {
            replies.add(streamed(body).withFraming(Reply.Framing.UNTIL_CLOSE).cutAfter(random.nextInt(bytes.length)));
        }
        World world = world(dialect, replies);
        try (ResilientClient client = world.builder().build()) {
            Reader full = world.time().call(() -> Reader.read(world, client, request(dialect), ONCE));
            for (int i = 0; i < AT_ONCE; i++) {
                Reader cut = world.time().call(() -> Reader.read(world, client, request(dialect), ONCE));
                cut.error().ifPresent(HostileAnswersTest::check);
                // One recording ends well and then tells an error; cut between the two it has only ended well.
                if (cut.response().isPresent() && full.response().isPresent()) {
                    assertThat(cut.answer().answer().text())
                            .as(recording.id())
                            .isEqualTo(full.answer().answer().text());
                    assertThat(cut.answer().toolCalls()).isEqualTo(full.answer().toolCalls());
                    assertThat(cut.answer().finishReason())
                            .isEqualTo(full.answer().finishReason());
                }
            }
        }
    }

    private record Odd(String dialect, boolean streamed, String body, Optional<FailureKind> kind) {
        static Odd whole(String dialect, String body, FailureKind kind) {
            return new Odd(dialect, false, body.replace('\'', '"'), Optional.of(kind));
        }

        static Odd answer(String dialect, String body) {
            return new Odd(dialect, false, body.replace('\'', '"'), Optional.empty());
        }

        /** Events, each a line. */
        static Odd stream(String dialect, String lines, FailureKind kind) {
            return new Odd(dialect, true, events(lines), Optional.of(kind));
        }

        static Odd good(String dialect, String lines) {
            return new Odd(dialect, true, events(lines), Optional.empty());
        }

        private static String events(String lines) {
            var text = new StringBuilder();
            lines.replace('\'', '"')
                    .lines()
                    .forEach(line -> text.append("data: ").append(line).append("\n\n"));
            return text.toString();
        }
    }

    @TestFactory
    Stream<DynamicTest> anOddAnswerHasTheKindThatItIs() {
        return ODD.stream()
                .map(odd -> dynamicTest(odd.dialect() + " " + odd.body(), () -> {
                    World world =
                            world(odd.dialect(), List.of(odd.streamed() ? streamed(odd.body()) : whole(odd.body())));
                    try (ResilientClient client = world.builder().build()) {
                        ModelRequest request = request(odd.dialect());
                        Optional<CallException> error = odd.streamed()
                                ? world.time()
                                        .call(() -> Reader.read(world, client, request, ONCE))
                                        .error()
                                : world.call(client, request, ONCE).error();
                        error.ifPresent(HostileAnswersTest::check);
                        assertThat(error.map(CallException::kind)).isEqualTo(odd.kind());
                    }
                }));
    }

    /** Deeper, longer and less finished than any reader should follow. */
    private static final List<String> BEYOND = List.of(
            "[".repeat(100_000) + "]".repeat(100_000),
            "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000),
            "[".repeat(100_000),
            "1".repeat(100_000));

    private static final String ERROR = "{\"error\":{\"message\":\"busy\",\"type\":\"server_is_overloaded\",\"x\":";

    @Test
    void whatGoesBeyondTheLimitsOfJsonIsMalformedAndAnErrorThatDoesIsStillItsStatus() {
        for (String beyond : BEYOND) {
            String answer = "{\"choices\":[{\"message\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}],\"x\":"
                    + beyond + "}";
            String chunk = "{\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"x\":" + beyond + "}";
            String error = ERROR + beyond + "}}";
            assertThat(kind(whole(answer), false)).isEqualTo(FailureKind.MALFORMED_RESPONSE);
            assertThat(kind(streamed("data: " + chunk + "\n\n"), true)).isEqualTo(FailureKind.MALFORMED_RESPONSE);
            assertThat(kind(whole(error).withStatus(503), false)).isEqualTo(FailureKind.OVERLOADED);
            assertThat(kind(whole(error).withStatus(503), true)).isEqualTo(FailureKind.OVERLOADED);
        }
    }

    private static FailureKind kind(Reply reply, boolean streamed) {
        World world = world("openai", List.of(reply));
        try (ResilientClient client = world.builder().build()) {
            ModelRequest request = request("openai");
            Optional<CallException> error = streamed
                    ? world.time()
                            .call(() -> Reader.read(world, client, request, ONCE))
                            .error()
                    : world.call(client, request, ONCE).error();
            return error.orElseThrow().kind();
        }
    }

    private static final List<Odd> ODD = List.of(
            Odd.whole("openai", "", FailureKind.EMPTY_RESPONSE),
            Odd.whole("openai", "null", FailureKind.MALFORMED_RESPONSE),
            Odd.whole("openai", "5", FailureKind.MALFORMED_RESPONSE),
            Odd.whole("openai", "{'choices':null}", FailureKind.MALFORMED_RESPONSE),
            Odd.whole("openai", "{'choices':[]}", FailureKind.MALFORMED_RESPONSE),
            Odd.whole("openai", "{'choices':[null]}", FailureKind.MALFORMED_RESPONSE),
            Odd.whole("openai", "{'choices':{'0':{}}}", FailureKind.MALFORMED_RESPONSE),
            Odd.whole(
                    "openai", "{'choices':[{'message':null,'finish_reason':'stop'}]}", FailureKind.MALFORMED_RESPONSE),
            Odd.whole(
                    "openai",
                    "{'choices':[{'message':{'tool_calls':[{'id':'i','function':{'name':7}}]},'finish_reason':'tool_calls'}]}",
                    FailureKind.MALFORMED_RESPONSE),
            Odd.whole("openai", "{'choices':[{'message':{'content':'ok'},'finish", FailureKind.TRUNCATED),
            Odd.whole(
                    "openai",
                    "{'error':{'message':'overloaded','type':'server_error','code':503}}",
                    FailureKind.OVERLOADED),
            Odd.answer(
                    "openai",
                    "{'choices':[{'message':{'content':'ok'},'finish_reason':'sesame'}],'usage':{'prompt_tokens':1e400,"
                            + "'completion_tokens':'x'}}"),
            Odd.answer(
                    "openai",
                    "{'choices':[{'index':9e99,'message':{'content':'ok'},'finish_reason':'stop'}],'usage':"
                            + "{'prompt_tokens':99999999999999999999,'completion_tokens':-4}}"),
            Odd.whole("anthropic", "{'type':'message','content':null}", FailureKind.MALFORMED_RESPONSE),
            Odd.whole("anthropic", "{'type':'message','content':[7]}", FailureKind.MALFORMED_RESPONSE),
            Odd.whole(
                    "anthropic",
                    "{'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}",
                    FailureKind.OVERLOADED),
            Odd.answer(
                    "anthropic",
                    "{'content':[{'type':'sesame'},{'type':'text','text':'ok'}],'stop_reason':'sesame','usage':null}"),
            Odd.whole("gemini", "{'candidates':[]}", FailureKind.MALFORMED_RESPONSE),
            Odd.whole("gemini", "{'candidates':[{'content':null}]}", FailureKind.MALFORMED_RESPONSE),
            Odd.whole("gemini", "{'promptFeedback':{'blockReason':'OTHER'}}", FailureKind.CONTENT_POLICY),
            Odd.whole(
                    "gemini",
                    "{'candidates':[],'promptFeedback':{'blockReason':'SAFETY'}}",
                    FailureKind.CONTENT_POLICY),
            Odd.whole(
                    "gemini",
                    "{'error':{'code':503,'status':'UNAVAILABLE','message':'overloaded'}}",
                    FailureKind.OVERLOADED),
            Odd.answer(
                    "gemini",
                    "{'candidates':[{'content':{'parts':[{'text':'ok'},{'sesame':{}}]},'finishReason':'SESAME'}],"
                            + "'usageMetadata':{'promptTokenCount':-1,'totalTokenCount':1e30}}"),
            Odd.stream("openai", "null", FailureKind.MALFORMED_RESPONSE),
            Odd.stream("openai", "[DONE]", FailureKind.EMPTY_RESPONSE),
            Odd.stream("openai", "{'choices':[]}\n[DONE]", FailureKind.EMPTY_RESPONSE),
            Odd.stream(
                    "openai",
                    "{'choices':[{'delta':{'content':'a'}}]}\n{'choices':[{'del",
                    FailureKind.MALFORMED_RESPONSE),
            Odd.stream("openai", "{'choices':[{'delta':{'content':'a'}}]}", FailureKind.TRUNCATED),
            Odd.stream(
                    "openai",
                    "{'choices':[{'delta':{'content':'a'}}]}\n{'error':{'message':'x','code':429}}",
                    FailureKind.RATE_LIMITED),
            Odd.good(
                    "openai",
                    "{'choices':[{'delta':{'tool_calls':[{'index':7,'function':{'arguments':'{}'}},{'index':-1}]}}]}\n"
                            + "{'choices':[{'delta':{'tool_calls':[{'index':0,'id':'i','function':{'name':'f'}}]},"
                            + "'finish_reason':'tool_calls'}]}\n[DONE]"),
            Odd.stream("anthropic", "{'type':'message_stop'}", FailureKind.EMPTY_RESPONSE),
            Odd.stream(
                    "anthropic",
                    "{'type':'message_start','message':{}}\n{'type':'content_block_delta','index':3,'delta':"
                            + "{'type':'text_delta','text':'x'}}",
                    FailureKind.MALFORMED_RESPONSE),
            Odd.stream(
                    "anthropic",
                    "{'type':'message_start','message':null}\n{'type':'content_block_start','index':0,'content_block':"
                            + "{'type':'text','text':'a'}}\n{'type':'error','error':{'type':'api_error','message':'x'}}",
                    FailureKind.SERVER_ERROR),
            Odd.good(
                    "anthropic",
                    "{'type':'sesame'}\n{'type':'content_block_start','index':0,'content_block':{'type':'text','text':'a'}}\n"
                            + "{'type':'message_delta','delta':{'stop_reason':'sesame'},'usage':{'output_tokens':1e99}}\n"
                            + "{'type':'message_stop'}"),
            Odd.stream("gemini", "{'promptFeedback':{'blockReason':'SAFETY'}}", FailureKind.CONTENT_POLICY),
            Odd.stream("gemini", "{'candidates':[{'content':{'parts':[{'text':'a'}]}}]}", FailureKind.TRUNCATED),
            Odd.stream("gemini", "[]", FailureKind.MALFORMED_RESPONSE),
            Odd.good(
                    "gemini",
                    "{'candidates':[{'content':{'parts':[{'text':'a'},null,5]}}]}\n"
                            + "{'candidates':[{'index':1e99,'finishReason':'SESAME'}]}\n"
                            + "{'candidates':[{'content':5,'finishReason':'SESAME'}]}"));
}
