package dev.holdfast.core.internal.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.Finished;
import dev.holdfast.StreamEvent.Other;
import dev.holdfast.StreamEvent.ReasoningDelta;
import dev.holdfast.StreamEvent.RefusalDelta;
import dev.holdfast.StreamEvent.TextDelta;
import dev.holdfast.StreamEvent.ToolCallDelta;
import dev.holdfast.StreamEvent.UsageReported;
import dev.holdfast.ToolCall;
import dev.holdfast.Usage;
import dev.holdfast.core.JsonText;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Dialect.StreamDecoder;
import dev.holdfast.spi.Dialect.StreamEncoder;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.ServerSentEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Made-up answers, carried from form to form, whole and as streams whose pieces are cut anywhere. */
class DialectPropertyTest {
    private static final List<Dialect> FORMS =
            List.of(new OpenAiDialect(), new AnthropicDialect(), new GeminiDialect());
    private static final List<String> WORDS =
            List.of("a", " b", "\n", "\"", "\\", "é", "😀", "error", "{\"x\":", "data: ", "한국", "\u2028", "");
    private static final ModelRequest ASKED = ModelRequest.chat("asked")
            .user("hi")
            .with("stream_options", JsonObject.of("include_usage", JsonValue.of(true)))
            .build();

    /** What every form can say; a form without refusals says them as text, so that those stand alone. */
    private static ModelAnswer anyAnswer(Random random) {
        List<ToolCall> calls = anyCalls(random);
        boolean refuses = calls.isEmpty() && random.nextInt(5) == 0;
        String text = anyText(random);
        boolean silent = refuses || text.isEmpty();
        FinishReason reason = refuses
                ? FinishReason.REFUSAL
                : calls.isEmpty()
                        ? List.of(FinishReason.STOP, FinishReason.LENGTH).get(random.nextInt(2))
                        : FinishReason.TOOL_CALLS;
        long output = random.nextInt(1_000);
        var usage = new Usage(
                random.nextInt(1_000),
                random.nextInt(2) * random.nextInt(1_000),
                0,
                output,
                random.nextInt(2) * random.nextInt((int) output + 1));
        String reasoning = anyText(random);
        return new ModelAnswer(
                Form.OPENAI_CHAT,
                JsonObject.of("id", JsonValue.of("id-" + random.nextInt(1_000))),
                Optional.of("served"),
                silent ? Optional.empty() : Optional.of(text),
                calls,
                Optional.of(reason),
                Optional.of(usage),
                refuses ? Optional.of("no " + text) : Optional.empty(),
                reasoning.isEmpty() ? Optional.empty() : Optional.of(reasoning));
    }

    private static String anyText(Random random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(WORDS.get(random.nextInt(WORDS.size())));
        }
        return text.toString();
    }

    private static List<ToolCall> anyCalls(Random random) {
        var calls = new ArrayList<ToolCall>();
        for (int i = 0; i < random.nextInt(4); i++) {
            JsonObject arguments = random.nextBoolean()
                    ? JsonObject.empty()
                    : JsonObject.of("x", JsonValue.of(anyText(random)))
                            .with("n", JsonText.parse("1.50"))
                            .with("deep", JsonObject.of("y", JsonText.parse("[1,{\"z\":null}]")));
            calls.add(new ToolCall("call-" + i, "tool" + random.nextInt(2), arguments.toJson()));
        }
        return calls;
    }

    @Property(tries = 300)
    void whatAnAnswerSaysSurvivesEveryWayThroughTheForms(@ForAll long seed) throws DialectException {
        var random = new Random(seed);
        ModelAnswer answer = anyAnswer(random);
        var way = new ArrayList<>(FORMS);
        Collections.shuffle(way, random);
        ModelAnswer carried = answer;
        boolean refusalLost = false;
        for (Dialect dialect : way) {
            carried = dialect.decodeAnswer(ASKED, dialect.encodeAnswer(carried, "asked"));
            assertThat(carried.form()).isEqualTo(dialect.form());
            refusalLost |= dialect instanceof GeminiDialect && answer.refusal().isPresent();
            checkSame(carried, answer, refusalLost);
        }
    }

    private static void checkSame(ModelAnswer carried, ModelAnswer answer, boolean refusalLost) {
        if (refusalLost) {
            assertThat(carried.text().filter(text -> !text.isEmpty()).or(carried::refusal))
                    .isEqualTo(answer.refusal());
        } else {
            // A stream of OpenAI's begins with an empty text, whatever follows.
            assertThat(carried.text().filter(text -> !text.isEmpty())).isEqualTo(answer.text());
            assertThat(carried.refusal()).isEqualTo(answer.refusal());
            assertThat(carried.finishReason()).isEqualTo(answer.finishReason());
        }
        assertThat(carried.toolCalls()).isEqualTo(answer.toolCalls());
        assertThat(carried.reasoning()).isEqualTo(answer.reasoning());
        assertThat(carried.usage()).isEqualTo(answer.usage());
    }

    @Property(tries = 300)
    void aStreamCutAnywhereSaysWhatTheWholeAnswerSays(@ForAll long seed) throws DialectException {
        var random = new Random(seed);
        ModelAnswer answer = anyAnswer(random);
        for (Dialect dialect : FORMS) {
            ModelAnswer whole = dialect.decodeAnswer(ASKED, dialect.encodeAnswer(answer, "asked"));
            ModelAnswer streamed = decode(encode(pieces(answer, random), dialect), dialect);
            checkSame(
                    streamed,
                    answer,
                    dialect instanceof GeminiDialect && answer.refusal().isPresent());
            if (!(dialect instanceof OpenAiDialect)) {
                assertThat(streamed.document()).isEqualTo(whole.document());
            }
        }
    }

    @Property(tries = 300)
    void aStreamOfAnyFormIsTheSameForAClientOfAnother(@ForAll long seed) throws DialectException {
        var random = new Random(seed);
        ModelAnswer answer = anyAnswer(random);
        Dialect server = FORMS.get(random.nextInt(3));
        Dialect client = FORMS.get(random.nextInt(3));
        List<ServerSentEvent> served = encode(pieces(answer, random), server);
        List<StreamEvent> events = events(served, server);
        ModelAnswer read = decode(encode(events, client), client);
        boolean refusalLost = (server instanceof GeminiDialect || client instanceof GeminiDialect)
                && answer.refusal().isPresent();
        checkSame(read, answer, refusalLost);
    }

    /** The events of an answer, each text in pieces that are cut anywhere, within characters of two units too. */
    private static List<StreamEvent> pieces(ModelAnswer answer, Random random) {
        var events = new ArrayList<StreamEvent>();
        events.add(new Other(answer.document()));
        answer.reasoning().ifPresent(text -> cut(text, random, ReasoningDelta::new, events));
        answer.text().ifPresent(text -> cut(text, random, TextDelta::new, events));
        answer.refusal().ifPresent(text -> cut(text, random, RefusalDelta::new, events));
        for (int i = 0; i < answer.toolCalls().size(); i++) {
            int index = i;
            ToolCall call = answer.toolCalls().get(i);
            events.add(new ToolCallDelta(index, call.id(), call.name(), ""));
            cut(call.arguments(), random, text -> new ToolCallDelta(index, "", "", text), events);
        }
        events.add(new Finished(answer.finishReason().orElseThrow()));
        events.add(new UsageReported(answer.usage().orElseThrow()));
        return events;
    }

    private static void cut(String text, Random random, Function<String, StreamEvent> event, List<StreamEvent> events) {
        int from = 0;
        while (from < text.length()) {
            int to = from + 1 + random.nextInt(Math.min(5, text.length() - from));
            boolean within = to < text.length() && Character.isLowSurrogate(text.charAt(to));
            to += within ? 1 : 0;
            events.add(event.apply(text.substring(from, to)));
            from = to;
        }
    }

    private static List<ServerSentEvent> encode(List<StreamEvent> events, Dialect dialect) {
        StreamEncoder encoder = dialect.streams().orElseThrow().encoder(ASKED);
        var stream = new ArrayList<ServerSentEvent>();
        events.forEach(event -> stream.addAll(encoder.encode(event)));
        stream.addAll(encoder.end());
        return stream;
    }

    private static List<StreamEvent> events(List<ServerSentEvent> stream, Dialect dialect) throws DialectException {
        StreamDecoder decoder = dialect.streams().orElseThrow().decoder(ASKED);
        var events = new ArrayList<StreamEvent>();
        for (ServerSentEvent event : stream) {
            events.addAll(decoder.decode(event));
        }
        return events;
    }

    private static ModelAnswer decode(List<ServerSentEvent> stream, Dialect dialect) throws DialectException {
        StreamDecoder decoder = dialect.streams().orElseThrow().decoder(ASKED);
        for (ServerSentEvent event : stream) {
            assertThat(decoder.isFinal()).isFalse();
            decoder.decode(event);
        }
        assertThat(decoder.isComplete()).isTrue();
        return decoder.answer();
    }

    /** Documents that no provider sends must not break a reader: it refuses them, or reads what can be read. */
    @Property(tries = 500)
    void noDocumentBreaksAReader(@ForAll long seed) {
        var random = new Random(seed);
        JsonObject document = (JsonObject) anyDocument(random, 5);
        for (Dialect dialect : FORMS) {
            try {
                ModelAnswer answer = dialect.decodeAnswer(ASKED, document);
                for (Dialect other : FORMS) {
                    assertThat(other.encodeAnswer(answer, "m")).isNotNull();
                    assertThat(other.unsaid(answer)).isNotNull();
                }
            } catch (DialectException e) {
                assertThat(e).hasMessageStartingWith("/");
            }
            StreamDecoder decoder = dialect.streams().orElseThrow().decoder(ASKED);
            try {
                decoder.decode(ServerSentEvent.ofData(document.toJson()));
                decoder.decode(ServerSentEvent.ofData(document.toJson()));
            } catch (DialectException e) {
                assertThat(e).hasMessageStartingWith("/");
            }
            assertThat(decoder.answer()).isNotNull();
        }
    }

    private static final List<String> NAMES = List.of(
            "choices",
            "message",
            "delta",
            "content",
            "parts",
            "candidates",
            "type",
            "text",
            "tool_calls",
            "function",
            "functionCall",
            "name",
            "args",
            "input",
            "finish_reason",
            "finishReason",
            "usage",
            "usageMetadata",
            "index",
            "content_block",
            "stop_reason",
            "thinking",
            "logprobs",
            "logprobsResult",
            "chosenCandidates",
            "id");
    private static final List<JsonValue> LEAVES = List.of(
            JsonValue.of("text"),
            JsonValue.of("tool_use"),
            JsonValue.of("content_block_start"),
            JsonValue.of("content_block_delta"),
            JsonValue.of("message_start"),
            JsonValue.of("message_delta"),
            JsonValue.of("STOP"),
            JsonValue.of(0),
            JsonValue.of(-1),
            JsonValue.of(true),
            JsonText.parse("null"),
            JsonText.parse("1e400"));

    private static JsonValue anyDocument(Random random, int depth) {
        JsonObject.Builder document = JsonObject.builder();
        for (int i = random.nextInt(5); i >= 0; i--) {
            document.with(NAMES.get(random.nextInt(NAMES.size())), anyValue(random, depth - 1));
        }
        return document.build();
    }

    private static JsonValue anyValue(Random random, int depth) {
        if (depth <= 0 || random.nextInt(4) == 0) {
            return LEAVES.get(random.nextInt(LEAVES.size()));
        }
        return random.nextBoolean()
                ? anyDocument(random, depth)
                : new JsonValue.JsonArray(List.of(anyDocument(random, depth), anyValue(random, depth - 1)));
    }
}
