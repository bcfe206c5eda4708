package dev.holdfast.core.internal.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
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
import dev.holdfast.spi.Dialect.StreamDecoder;
import dev.holdfast.spi.Dialect.StreamEncoder;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.ServerSentEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class OpenAiStreamTest {
    private final OpenAiDialect dialect = new OpenAiDialect();
    private final ModelRequest hello = ModelRequest.chat("m").user("hi").build();

    private StreamDecoder decoder() {
        return dialect.streams().orElseThrow().decoder(hello);
    }

    private static List<StreamEvent> feed(StreamDecoder decoder, String... chunks) throws DialectException {
        var events = new ArrayList<StreamEvent>();
        for (String chunk : chunks) {
            events.addAll(decoder.decode(ServerSentEvent.ofData(chunk.replace('\'', '"'))));
        }
        return events;
    }

    private static String delta(String delta) {
        return "{'id':'c','object':'chat.completion.chunk','created':1,'model':'m','choices':[{'index':0,'delta':"
                + delta + "}]}";
    }

    private static String finish(String reason) {
        return "{'id':'c','choices':[{'index':0,'delta':{},'finish_reason':'" + reason + "'}]}";
    }

    @Test
    void aPlainStream() throws DialectException {
        StreamDecoder decoder = decoder();
        List<StreamEvent> events = feed(
                decoder,
                delta("{'role':'assistant','content':''}"),
                delta("{'content':'h'}"),
                delta("{'content':'i'}"),
                finish("stop"),
                "{'choices':[],'usage':{'prompt_tokens':11,'completion_tokens':2,'total_tokens':13}}",
                "[DONE]");
        assertThat(events.getFirst()).isInstanceOf(Other.class);
        assertThat(events.subList(1, events.size()))
                .containsExactly(
                        new TextDelta("h"),
                        new TextDelta("i"),
                        new Finished(FinishReason.STOP),
                        new UsageReported(Usage.of(11, 2)));
        assertThat(decoder.isComplete()).isTrue();
        ModelAnswer answer = decoder.answer();
        assertThat(answer.text()).hasValue("hi");
        assertThat(answer.model()).hasValue("m");
        assertThat(answer.usage()).hasValue(Usage.of(11, 2));
        assertThat(answer.finishReason()).hasValue(FinishReason.STOP);
        assertThat(answer.document())
                .isEqualTo(
                        OpenAiDialectTest.json("{'id':'c','object':'chat.completion','created':1,'model':'m','choices':"
                                + "[{'index':0,'message':{'role':'assistant','content':'hi'},'finish_reason':'stop'}],"
                                + "'usage':{'prompt_tokens':11,'completion_tokens':2,'total_tokens':13}}"));
    }

    @Test
    void eitherEndCompletes() throws DialectException {
        StreamDecoder cut = decoder();
        feed(cut, delta("{'content':'x'}"));
        assertThat(cut.isComplete()).isFalse();
        StreamDecoder finished = decoder();
        feed(finished, delta("{'content':'x'}"), finish("brand_new_reason"));
        assertThat(finished.isComplete()).isTrue();
        assertThat(finished.answer().finishReason()).hasValue(FinishReason.OTHER);
        StreamDecoder done = decoder();
        feed(done, delta("{'content':'x'}"), "[DONE]", delta("{'content':'late'}"));
        assertThat(done.isComplete()).isTrue();
        assertThat(done.answer().text()).hasValue("x");
        assertThat(done.answer().finishReason()).isEmpty();
    }

    @Test
    void toolCallsThatAreAllNumberedZeroAreKeptApart() throws DialectException {
        StreamDecoder decoder = decoder();
        feed(
                decoder,
                delta(
                        "{'tool_calls':[{'index':0,'id':'a','type':'function','function':{'name':'w','arguments':'{}'}}]}"),
                delta(
                        "{'tool_calls':[{'index':0,'id':'b','type':'function','function':{'name':'w','arguments':'[]'}}]}"),
                finish("tool_calls"));
        assertThat(decoder.answer().toolCalls())
                .containsExactly(new ToolCall("a", "w", "{}"), new ToolCall("b", "w", "[]"));
    }

    @Test
    void fragmentsOfToolCallsAreJoinedByIndex() throws DialectException {
        StreamDecoder decoder = decoder();
        List<StreamEvent> events = feed(
                decoder,
                delta("{'tool_calls':[{'index':0,'id':'a','function':{'name':'f','arguments':''}}]}"),
                delta("{'tool_calls':[{'index':1,'id':'b','function':{'name':'g','arguments':''}}]}"),
                delta("{'tool_calls':[{'index':0,'function':{'arguments':'1'}}]}"),
                delta("{'tool_calls':[{'index':1,'function':{'name':null,'arguments':'2'}}]}"),
                delta("{'tool_calls':[{'index':0,'id':'','function':{'name':'','arguments':'3'}}]}"),
                delta("{'tool_calls':[{'index':1,'id':'b','function':{'name':'g','arguments':'4'}}]}"));
        assertThat(decoder.answer().toolCalls())
                .containsExactly(new ToolCall("a", "f", "13"), new ToolCall("b", "g", "24"));
        assertThat(events.getFirst()).isEqualTo(new ToolCallDelta(0, "a", "f", ""));
        assertThat(events.get(4)).isEqualTo(new ToolCallDelta(0, "", "", "3"));
    }

    @Test
    void reasoningAndRefusalsHaveTheirOwnEvents() throws DialectException {
        StreamDecoder decoder = decoder();
        assertThat(feed(
                        decoder,
                        delta("{'reasoning_content':'hm'}"),
                        delta("{'content':[{'type':'thinking','thinking':[{'type':'text','text':'ha'}]}]}"),
                        delta("{'refusal':'no'}"),
                        finish("stop")))
                .containsExactly(
                        new ReasoningDelta("hm"),
                        new ReasoningDelta("ha"),
                        new RefusalDelta("no"),
                        new Finished(FinishReason.REFUSAL));
        assertThat(decoder.answer().finishReason()).hasValue(FinishReason.REFUSAL);
        assertThat(decoder.answer().document().toJson()).contains("\"reasoning_content\":\"hm\"", "\"refusal\":\"no\"");
    }

    @Test
    void anErrorEndsTheStreamForGood() throws DialectException {
        for (String error : List.of(
                "{'error':{'message':'boom','type':'server_error','code':null}}",
                "{'choices':[{'index':0,'delta':{},'finish_reason':'error'}]}")) {
            StreamDecoder decoder = decoder();
            assertThat(feed(
                            decoder,
                            delta("{'content':'a'}"),
                            error,
                            delta("{'content':'b'}"),
                            finish("stop"),
                            "[DONE]"))
                    .hasSize(2)
                    .last()
                    .matches(event -> !event.isMeaningful());
            assertThat(decoder.isComplete()).isFalse();
            assertThat(decoder.answer().text()).hasValue("a");
        }
        StreamDecoder named = decoder();
        assertThat(named.decode(new ServerSentEvent("error", "{\"message\":\"x\"}", "")))
                .hasSize(1);
        assertThat(feed(named, "[DONE]")).isEmpty();
        assertThat(named.isComplete()).isFalse();
    }

    @Test
    void whatIsNoChunkIsRefusedAndHarmsNothing() throws DialectException {
        StreamDecoder decoder = decoder();
        feed(decoder, delta("{'content':'a'}"));
        for (String data : List.of("{", "[]", "5", "hello")) {
            assertThatExceptionOfType(DialectException.class).isThrownBy(() -> feed(decoder, data));
        }
        feed(decoder, delta("{'content':'b'}"), finish("stop"));
        assertThat(decoder.answer().text()).hasValue("ab");
    }

    @Test
    void membersWeDoNotKnowComeTogetherAndGoOn() throws DialectException {
        StreamDecoder decoder = decoder();
        List<StreamEvent> events = feed(
                decoder,
                "{'id':'','model':'','created':0,'choices':[],'prompt_filter_results':[{'x':1}]}",
                "{'id':'c','model':'m','created':5,'obfuscation':'zz','choices':[{'index':0,'delta':{'content':'a',"
                        + "'reasoning_details':[{'type':'reasoning.text','index':0,'text':'h'}]},"
                        + "'logprobs':{'content':[{'token':'a'}]}}]}",
                "{'choices':[{'index':0,'delta':{'content':'b','reasoning_details':[{'type':'reasoning.text','index':0,"
                        + "'text':'m','signature':'s'}]},'logprobs':{'content':[{'token':'b'}]}}]}",
                finish("stop"));
        JsonObject document = decoder.answer().document();
        assertThat(document.toJson())
                .contains(
                        "\"id\":\"c\"",
                        "\"created\":5",
                        "\"prompt_filter_results\":[{\"x\":1}]",
                        "\"reasoning_details\":[{\"type\":\"reasoning.text\",\"index\":0,\"text\":\"hm\",\"signature\":\"s\"}]",
                        "\"logprobs\":{\"content\":[{\"token\":\"a\"},{\"token\":\"b\"}]}")
                .doesNotContain("obfuscation");
        StreamEncoder encoder = dialect.streams().orElseThrow().encoder(hello);
        StreamDecoder again = decoder();
        for (StreamEvent event : events) {
            for (ServerSentEvent sent : encoder.encode(event)) {
                again.decode(sent);
            }
        }
        assertThat(again.answer().text()).hasValue("ab");
        assertThat(again.answer().document().toJson()).contains("\"signature\":\"s\"", "{\"token\":\"b\"}");
    }

    @Test
    void furtherChoicesAreInTheDocument() throws DialectException {
        StreamDecoder decoder = decoder();
        List<StreamEvent> events = feed(
                decoder,
                "{'id':'c','choices':[{'index':1,'delta':{'content':'other'}}]}",
                delta("{'content':'first'}"),
                finish("stop"));
        assertThat(decoder.isComplete()).isFalse();
        feed(decoder, "{'choices':[{'index':1,'delta':{},'finish_reason':'stop'}]}");
        assertThat(decoder.isComplete()).isTrue();
        assertThat(decoder.answer().text()).hasValue("first");
        assertThat(decoder.answer().document().list("choices")).hasSize(2);
        assertThat(events.getFirst()).isInstanceOf(Other.class);
    }

    private static String choice(int index, String delta, String reason) {
        return "{'id':'c','choices':[{'index':" + index + ",'delta':" + delta + ",'finish_reason':" + reason + "}]}";
    }

    @Test
    void severalChoicesAreCompleteWhenAsManyHaveFinishedAsWereAskedFor() throws DialectException {
        ModelRequest two = hello.withDocument(hello.document().with("n", JsonValue.of(2)));
        StreamDecoder decoder = dialect.streams().orElseThrow().decoder(two);
        feed(decoder, choice(0, "{'content':'one'}", "null"), choice(0, "{}", "'stop'"));
        assertThat(decoder.isComplete()).isFalse();
        feed(decoder, choice(1, "{'content':'other'}", "null"));
        assertThat(decoder.isComplete()).isFalse();
        feed(decoder, choice(1, "{}", "'stop'"));
        assertThat(decoder.isComplete()).isTrue();

        StreamDecoder fewer = dialect.streams().orElseThrow().decoder(two);
        feed(fewer, choice(0, "{'content':'one'}", "'stop'"), "[DONE]");
        assertThat(fewer.isComplete()).isTrue();
    }

    @Test
    void theEncoderSendsRoleDeltasFinishUsageAndDone() {
        ModelRequest asked = hello.withDocument(
                hello.document().with("stream_options", JsonObject.of("include_usage", JsonValue.of(true))));
        List<String> sent = encode(
                asked,
                List.of(new TextDelta("hi"), new Finished(FinishReason.STOP), new UsageReported(Usage.of(1, 2))));
        assertThat(sent).hasSize(5);
        assertThat(sent.get(0)).contains("\"role\":\"assistant\"", "\"usage\":null", "chat.completion.chunk");
        assertThat(sent.get(1)).contains("\"content\":\"hi\"");
        assertThat(sent.get(2)).contains("\"finish_reason\":\"stop\"");
        assertThat(sent.get(3)).contains("\"choices\":[]", "\"prompt_tokens\":1", "\"total_tokens\":3");
        assertThat(sent.get(4)).isEqualTo("[DONE]");
        assertThat(encode(hello, List.of(new TextDelta("hi"), new UsageReported(Usage.of(1, 2)))))
                .noneMatch(chunk -> chunk.contains("usage"));
        assertThat(encode(hello, List.of())).containsExactly("[DONE]");
    }

    private List<String> encode(ModelRequest request, List<StreamEvent> events) {
        StreamEncoder encoder = dialect.streams().orElseThrow().encoder(request);
        var sent = new ArrayList<String>();
        events.forEach(event -> encoder.encode(event).forEach(one -> sent.add(one.data())));
        encoder.end().forEach(one -> sent.add(one.data()));
        return sent;
    }

    /** However a server cuts an answer into chunks, what is put together is the answer. */
    @Property(tries = 300)
    void theStreamedAnswerIsTheOneThatIsNotStreamed(@ForAll Random random) throws DialectException {
        JsonObject document = answer(random);
        StreamDecoder decoder = decoder();
        for (JsonObject chunk : chunks(document, random)) {
            decoder.decode(ServerSentEvent.ofData(chunk.toJson()));
        }
        decoder.decode(ServerSentEvent.ofData("[DONE]"));
        assertThat(decoder.isComplete()).isTrue();
        assertThat(decoder.answer()).isEqualTo(dialect.decodeAnswer(hello, document));
    }

    /** What our encoder says of events, our decoder reads as these. */
    @Property(tries = 300)
    void encodedEventsReadAsTheSame(@ForAll Random random) throws DialectException {
        var events = new ArrayList<StreamEvent>();
        for (int i = random.nextInt(6); i > 0; i--) {
            events.add(random.nextBoolean() ? new TextDelta(word(random)) : new ReasoningDelta(word(random)));
        }
        for (int i = 0; i < random.nextInt(3); i++) {
            events.add(new ToolCallDelta(i, "call" + i, "f", ""));
            events.add(new ToolCallDelta(i, "", "", word(random)));
        }
        events.add(new Finished(FinishReason.LENGTH));
        StreamDecoder decoder = decoder();
        var read = new ArrayList<StreamEvent>();
        for (String data : encode(hello, events)) {
            read.addAll(decoder.decode(ServerSentEvent.ofData(data)));
        }
        read.removeIf(event -> event instanceof Other);
        assertThat(read).isEqualTo(events);
    }

    private static String word(Random random) {
        return List.of("a", "é", "😀", "\n", "\"", "{", " ", "\u0000").get(random.nextInt(8)) + random.nextInt(10);
    }

    private static JsonObject answer(Random random) {
        var words = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            words.append(word(random));
        }
        boolean tools = random.nextBoolean();
        JsonObject message = JsonObject.of("role", JsonValue.of("assistant"))
                .with("content", tools ? JsonNull.NULL : JsonValue.of(words.toString()))
                .with("refusal", JsonNull.NULL);
        if (tools) {
            message = message.with("tool_calls", JsonArray.of(call("a", words.toString()), call("b", "{}")));
        }
        JsonObject choice = JsonObject.of("index", JsonValue.of(0))
                .with("message", message)
                .with("logprobs", JsonNull.NULL)
                .with("finish_reason", JsonValue.of(tools ? "tool_calls" : "stop"));
        return JsonObject.of("id", JsonValue.of("c"))
                .with("object", JsonValue.of("chat.completion"))
                .with("created", JsonValue.of(7))
                .with("model", JsonValue.of("m"))
                .with("system_fingerprint", JsonValue.of("fp"))
                .with("choices", JsonArray.of(choice))
                .with("usage", OpenAiUsage.encode(new Usage(3, 4, 0, 5, 1)));
    }

    private static JsonObject call(String id, String arguments) {
        return JsonObject.of("id", JsonValue.of(id))
                .with("type", JsonValue.of("function"))
                .with("function", JsonObject.of("name", JsonValue.of("f")).with("arguments", JsonValue.of(arguments)));
    }

    private static List<JsonObject> chunks(JsonObject document, Random random) {
        JsonObject envelope =
                document.without("choices").without("usage").with("object", JsonValue.of("chat.completion.chunk"));
        JsonObject choice = document.list("choices").getFirst().asObject().orElseThrow();
        JsonObject message = choice.object("message").orElseThrow();
        var deltas = new ArrayList<JsonObject>();
        Optional<String> text = message.text("content");
        JsonObject role = JsonObject.of("role", JsonValue.of("assistant")).with("refusal", JsonNull.NULL);
        deltas.add(role.with("content", text.isPresent() ? JsonValue.of("") : JsonNull.NULL));
        text.ifPresent(words ->
                pieces(words, random).forEach(piece -> deltas.add(JsonObject.of("content", JsonValue.of(piece)))));
        List<JsonValue> calls = message.list("tool_calls");
        for (int i = 0; i < calls.size(); i++) {
            callDeltas(i, calls.get(i).asObject().orElseThrow(), random, deltas);
        }
        var chunks = new ArrayList<JsonObject>();
        for (JsonObject delta : deltas) {
            chunks.add(chunk(envelope, delta, JsonNull.NULL));
        }
        chunks.add(
                chunk(envelope, JsonObject.empty(), choice.get("finish_reason").orElseThrow()));
        chunks.add(envelope.with("choices", JsonArray.of())
                .with("usage", document.get("usage").orElseThrow()));
        return chunks;
    }

    private static void callDeltas(int index, JsonObject call, Random random, List<JsonObject> deltas) {
        JsonObject function = call.object("function").orElseThrow();
        JsonObject first =
                call.with("index", JsonValue.of(index)).with("function", function.with("arguments", JsonValue.of("")));
        deltas.add(JsonObject.of("tool_calls", JsonArray.of(first)));
        for (String piece : pieces(function.text("arguments").orElseThrow(), random)) {
            JsonObject more = JsonObject.of("index", JsonValue.of(index))
                    .with("function", JsonObject.of("arguments", JsonValue.of(piece)));
            deltas.add(JsonObject.of("tool_calls", JsonArray.of(more)));
        }
    }

    private static JsonObject chunk(JsonObject envelope, JsonObject delta, JsonValue finishReason) {
        return envelope.with(
                        "choices",
                        JsonArray.of(JsonObject.of("index", JsonValue.of(0))
                                .with("delta", delta)
                                .with("logprobs", JsonNull.NULL)
                                .with("finish_reason", finishReason)))
                .with("usage", JsonNull.NULL);
    }

    /** Cut anywhere, between the halves of a character too, which travel as escapes. */
    private static List<String> pieces(String text, Random random) {
        var pieces = new ArrayList<String>();
        int from = 0;
        while (from < text.length()) {
            int to = Math.min(text.length(), from + 1 + random.nextInt(3));
            pieces.add(text.substring(from, to));
            from = to;
        }
        return pieces;
    }

    @Test
    void aStreamOfManyDeltasIsPutTogetherInLinearTime() throws DialectException {
        StreamDecoder decoder = decoder();
        for (int i = 0; i < 200_000; i++) {
            decoder.decode(
                    ServerSentEvent.ofData("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"0123456789\"}}]}"));
        }
        assertThat(decoder.answer().text().orElseThrow()).hasSize(2_000_000);
        assertThat(decoder.answer().form()).isEqualTo(Form.OPENAI_CHAT);
    }
}
