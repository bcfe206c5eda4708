package dev.holdfast.core.internal.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Adjustment;
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
import org.junit.jupiter.api.Test;

class GeminiDialectTest {
    private final GeminiDialect dialect = new GeminiDialect();
    private final ModelRequest hello = ModelRequest.of(Form.GEMINI_CONTENT, "asked", JsonObject.empty());

    private ModelAnswer decode(String document) throws DialectException {
        return dialect.decodeAnswer(hello, OpenAiDialectTest.json(document));
    }

    private ModelAnswer ofParts(String parts, String finish) throws DialectException {
        return decode("{'candidates':[{'content':{'parts':[" + parts + "],'role':'model'},'finishReason':'" + finish
                + "','index':0}],'modelVersion':'g','responseId':'r1'}");
    }

    @Test
    void partsAreTextThoughtsAndCalls() throws DialectException {
        ModelAnswer answer = ofParts(
                "{'text':'hm','thought':true},{'text':'a'},{'executableCode':{}},{'text':'b','thoughtSignature':'S'},"
                        + "{'functionCall':{'name':'f','args':{'x':1.50}},'thoughtSignature':'T'},"
                        + "{'function_call':{'id':'own','name':'g'}}",
                "STOP");
        assertThat(answer.text()).hasValue("ab");
        assertThat(answer.reasoning()).hasValue("hm");
        assertThat(answer.finishReason()).hasValue(FinishReason.TOOL_CALLS);
        assertThat(answer.model()).hasValue("g");
        assertThat(answer.toolCalls()).hasSize(2);
        assertThat(answer.toolCalls().getFirst().arguments()).isEqualTo("{\"x\":1.50}");
        assertThat(answer.toolCalls().getFirst().id()).matches("call_[0-9a-f]{8}_0");
        assertThat(answer.toolCalls().getLast()).isEqualTo(new ToolCall("own", "g", "{}"));
    }

    @Test
    void callsOfSeveralTurnsHaveIdsOfTheirOwn() throws DialectException {
        String call = "{'functionCall':{'name':'f','args':{}}}";
        String one = ofParts(call, "STOP").toolCalls().getFirst().id();
        String other = decode("{'candidates':[{'content':{'parts':[" + call + "]}}],'responseId':'r2'}")
                .toolCalls()
                .getFirst()
                .id();
        assertThat(one).isNotEqualTo(other);
        assertThat(ofParts(call, "STOP").toolCalls().getFirst().id()).isEqualTo(one);
    }

    private Optional<Usage> usage(String usage) throws DialectException {
        return decode("{'candidates':[{'content':{}}],'usageMetadata':" + usage + "}")
                .usage();
    }

    @Test
    void cachedIsPartOfThePromptAndThoughtsComeOnTop() throws DialectException {
        assertThat(usage("{'promptTokenCount':100,'cachedContentTokenCount':60,'candidatesTokenCount':20,"
                        + "'thoughtsTokenCount':30,'totalTokenCount':150}"))
                .hasValue(new Usage(40, 60, 0, 50, 30));
        assertThat(usage("{'promptTokenCount':100,'toolUsePromptTokenCount':11,'totalTokenCount':111}"))
                .hasValue(new Usage(111, 0, 0, 0, 0));
        assertThat(usage("{'totalTokenCount':9,'candidatesTokenCount':4}")).hasValue(Usage.of(5, 4));
        assertThat(usage("{'serviceTier':'standard'}")).isEmpty();
        assertThat(usage("{'promptTokenCount':1,'cachedContentTokenCount':5,'totalTokenCount':1}"))
                .hasValue(new Usage(0, 1, 0, 0, 0, true));
        assertThat(usage("{'promptTokenCount':1,'candidatesTokenCount':5,'totalTokenCount':50}"))
                .hasValue(new Usage(1, 0, 0, 5, 0, true));
    }

    @Test
    void everyFinishReasonHasItsMeaning() throws DialectException {
        assertThat(ofParts("{'text':'a'}", "STOP").finishReason()).hasValue(FinishReason.STOP);
        assertThat(ofParts("{'text':'a'}", "MAX_TOKENS").finishReason()).hasValue(FinishReason.LENGTH);
        for (String word : List.of("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY")) {
            assertThat(ofParts("", word).finishReason()).as(word).hasValue(FinishReason.CONTENT_FILTER);
        }
        assertThat(ofParts("", "OTHER").finishReason()).hasValue(FinishReason.OTHER);
        assertThat(ofParts("{'text':'a'}", "FINISH_REASON_UNSPECIFIED").finishReason())
                .isEmpty();
        assertThat(decode("{'candidates':[{'finishReason':'SAFETY','index':0}]}")
                        .finishReason())
                .hasValue(FinishReason.CONTENT_FILTER);
        assertThat(decode("{'candidates':[{'content':{},'finishReason':1}]}").finishReason())
                .hasValue(FinishReason.STOP);
        assertThat(decode("{'candidates':[{'content':{},'finishReason':2}]}").finishReason())
                .hasValue(FinishReason.LENGTH);
    }

    @Test
    void aCallThatGeminiCouldNotReadIsNoAnswerUnlessMoreCameWithIt() throws DialectException {
        for (String word : List.of("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL")) {
            assertThatExceptionOfType(DialectException.class)
                    .isThrownBy(() -> ofParts("", word))
                    .withMessageStartingWith("/candidates/0/finishReason: " + word);
            assertThat(ofParts("{'text':'a'}", word).finishReason()).hasValue(FinishReason.OTHER);
            assertThatExceptionOfType(DialectException.class)
                    .isThrownBy(() -> feed(decoder(), "{'candidates':[{'finishReason':'" + word + "'}]}"))
                    .withMessageStartingWith("/candidates/0/finishReason");
        }
    }

    @Test
    void whatIsNoAnswerIsRefusedWithItsPlace() {
        refusesAnswer("{}", "/candidates:");
        refusesAnswer("{'candidates':[]}", "/candidates:");
        refusesAnswer("{'candidates':[1]}", "/candidates/0:");
        refusesAnswer("{'candidates':[{}]}", "/candidates/0/content:");
        refusesAnswer("{'candidates':[{'content':{'parts':['x']}}]}", "/candidates/0/content/parts/0:");
        refusesAnswer(
                "{'candidates':[{'content':{'parts':[{'functionCall':{}}]}}]}",
                "/candidates/0/content/parts/0/functionCall/name:");
    }

    private void refusesAnswer(String document, String pointer) {
        assertThatExceptionOfType(DialectException.class)
                .as(document)
                .isThrownBy(() -> decode(document))
                .withMessageStartingWith(pointer);
    }

    @Test
    void aServerReadsModelAndStreamFromThePath() throws DialectException {
        JsonObject document = OpenAiDialectTest.json("{'contents':[{'parts':[{'text':'x'}]}]}");
        ModelRequest plain = dialect.decodeRequest("/v1beta/models/gemini-2.5-flash:generateContent", document);
        assertThat(plain).isEqualTo(ModelRequest.of(Form.GEMINI_CONTENT, "gemini-2.5-flash", document));
        ModelRequest stream =
                dialect.decodeRequest("/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse", document);
        assertThat(stream.streaming()).isTrue();
        assertThat(new VertexDialect()
                        .decodeRequest(
                                "/v1/projects/p/locations/l/publishers/google/models/m:generateContent", document)
                        .model())
                .isEqualTo("m");
        assertThat(dialect.decodeRequest("/v1beta/tunedModels/t:generateContent", document)
                        .model())
                .isEqualTo("tunedModels/t");
        ModelRequest count = dialect.decodeRequest("/v1beta/models/m:countTokens", document);
        assertThat(count).isEqualTo(ModelRequest.opaque("/models/m:countTokens", "m", document));
        refuses("{}", "/contents:");
        refuses("{'contents':['x']}", "/contents/0:");
        refuses("{'contents':[{'parts':[]}]}", "/contents/0/parts:");
        refuses("{'contents':[{'parts':['x']}]}", "/contents/0/parts/0:");
    }

    private void refuses(String document, String pointer) {
        assertThatExceptionOfType(DialectException.class)
                .as(document)
                .isThrownBy(() ->
                        dialect.decodeRequest("/v1beta/models/m:generateContent", OpenAiDialectTest.json(document)))
                .withMessageStartingWith(pointer);
    }

    @Test
    void anAnswerOfAnthropicIsOneForAClientOfGemini() throws DialectException {
        ModelAnswer answer = new AnthropicDialect()
                .decodeAnswer(
                        hello,
                        OpenAiDialectTest.json(
                                "{'id':'msg_1','model':'c','content':[{'type':'thinking','thinking':'hm',"
                                        + "'signature':'S'},{'type':'text','text':'a'},{'type':'tool_use','id':'t','name':'f','input':{'x':1}}],"
                                        + "'stop_reason':'tool_use','usage':{'input_tokens':1,'cache_read_input_tokens':2,"
                                        + "'cache_creation_input_tokens':3,'output_tokens':9,'output_tokens_details':{'thinking_tokens':4}}}"));
        assertThat(dialect.encodeAnswer(answer, "asked").toJson())
                .isEqualTo(("{'candidates':[{'content':{'parts':[{'text':'hm','thought':true},{'text':'a'},"
                                + "{'functionCall':{'id':'t','name':'f','args':{'x':1}}}],'role':'model'},'index':0,"
                                + "'finishReason':'STOP'}],'usageMetadata':{'promptTokenCount':6,'candidatesTokenCount':5,"
                                + "'totalTokenCount':15,'cachedContentTokenCount':2,'thoughtsTokenCount':4},"
                                + "'modelVersion':'asked','responseId':'msg_1'}")
                        .replace('\'', '"'));
        assertThat(dialect.unsaid(answer))
                .extracting(Adjustment::pointer)
                .containsExactly("/content/0/signature", "/usage");
    }

    @Test
    void logProbabilitiesCrossToOpenAiAndBack() throws DialectException {
        String logprobs = "{'topCandidates':[{'candidates':[{'token':'é','logProbability':-0.25},"
                + "{'token':'b','logProbability':-2}]}],'chosenCandidates':[{'token':'é','logProbability':-0.25}]}";
        ModelAnswer answer = decode("{'candidates':[{'content':{'parts':[{'text':'é'}]},'finishReason':'STOP',"
                + "'logprobsResult':" + logprobs + "}]}");
        var openAi = new OpenAiDialect();
        JsonObject said = openAi.encodeAnswer(answer, "m");
        assertThat(said.toJson())
                .contains("\"logprobs\":{\"content\":[{\"token\":\"é\",\"logprob\":-0.25,\"bytes\":[195,169],"
                        + "\"top_logprobs\":[{\"token\":\"é\",\"logprob\":-0.25,\"bytes\":[195,169]},"
                        + "{\"token\":\"b\",\"logprob\":-2,\"bytes\":[98]}]}],\"refusal\":null}");
        assertThat(dialect.encodeAnswer(openAi.decodeAnswer(hello, said), "m").toJson())
                .contains(logprobs.replace('\'', '"'));
    }

    private StreamDecoder decoder() {
        return dialect.streams().orElseThrow().decoder(hello);
    }

    private static List<StreamEvent> feed(StreamDecoder decoder, String... chunks) throws DialectException {
        var events = new ArrayList<StreamEvent>();
        for (String chunk : chunks) {
            decoder.decode(ServerSentEvent.ofData(chunk.replace('\'', '"'))).stream()
                    .filter(each -> !(each instanceof Other))
                    .forEach(events::add);
        }
        return events;
    }

    private static String chunk(String parts, String rest) {
        return "{'candidates':[{'content':{'parts':[" + parts + "],'role':'model'},'index':0" + rest
                + "}],'responseId':'r1'}";
    }

    @Test
    void aStreamPutsTextTogetherAndLeavesSignedPartsAlone() throws DialectException {
        StreamDecoder decoder = decoder();
        List<StreamEvent> events = feed(
                decoder,
                chunk("{'text':'h','thought':true}", ""),
                chunk("{'text':'m','thought':true}", ""),
                chunk("{'text':'a'}", ""),
                chunk("{'text':'b'},{'functionCall':{'id':'i','name':'f','args':{'x':1}},'thoughtSignature':'T'}", ""),
                "{'usageMetadata':{'promptTokenCount':2,'totalTokenCount':2}}",
                chunk("{'text':'','thoughtSignature':'S'}", ",'finishReason':'STOP'"),
                "{'usageMetadata':{'candidatesTokenCount':3,'totalTokenCount':5}}");
        assertThat(events)
                .containsExactly(
                        new ReasoningDelta("h"),
                        new ReasoningDelta("m"),
                        new TextDelta("a"),
                        new TextDelta("b"),
                        new ToolCallDelta(0, "i", "f", "{\"x\":1}"),
                        new UsageReported(Usage.of(2, 0)),
                        new Finished(FinishReason.TOOL_CALLS),
                        new UsageReported(Usage.of(2, 3)));
        assertThat(decoder.isComplete()).isTrue();
        assertThat(decoder.isFinal()).isFalse();
        assertThat(decoder.answer().document().toJson())
                .isEqualTo(("{'candidates':[{'content':{'parts':[{'text':'hm','thought':true},{'text':'ab'},"
                                + "{'functionCall':{'id':'i','name':'f','args':{'x':1}},'thoughtSignature':'T'},"
                                + "{'text':'','thoughtSignature':'S'}],'role':'model'},'index':0,'finishReason':'STOP'}],"
                                + "'responseId':'r1','usageMetadata':{'promptTokenCount':2,'totalTokenCount':5,"
                                + "'candidatesTokenCount':3}}")
                        .replace('\'', '"'));
    }

    @Test
    void everyCandidateThatWasAskedForMustFinish() throws DialectException {
        JsonObject two = OpenAiDialectTest.json("{'generationConfig':{'candidateCount':2}}");
        StreamDecoder decoder = dialect.streams().orElseThrow().decoder(ModelRequest.of(Form.GEMINI_CONTENT, "m", two));
        feed(decoder, chunk("{'text':'a'}", ",'finishReason':'STOP'"));
        assertThat(decoder.isComplete()).isFalse();
        feed(decoder, "{'candidates':[{'content':{'parts':[{'text':'b'}]},'index':1,'finishReason':'STOP'}]}");
        assertThat(decoder.isComplete()).isTrue();
        assertThat(decoder.answer().text()).hasValue("a");
        assertThat(decoder.answer().document().list("candidates")).hasSize(2);
    }

    @Test
    void anErrorOrABlockedPromptEndsTheStreamBadly() throws DialectException {
        for (String bad : List.of(
                "{'error':{'code':503,'message':'overloaded','status':'UNAVAILABLE'}}",
                "{'promptFeedback':{'blockReason':'SAFETY'}}")) {
            StreamDecoder decoder = decoder();
            assertThat(feed(decoder, bad)).isEmpty();
            assertThat(decoder.isFinal()).isTrue();
            assertThat(decoder.isComplete()).isFalse();
        }
        assertThatExceptionOfType(DialectException.class)
                .isThrownBy(() -> decoder().decode(ServerSentEvent.ofData("[1]")));
    }

    @Test
    void anyStreamIsOneOfChunksForAClientOfGemini() {
        StreamEncoder encoder = dialect.streams().orElseThrow().encoder(hello);
        var written = new ArrayList<ServerSentEvent>();
        for (StreamEvent event : List.of(
                new Other(JsonObject.of("id", JsonValue.of("c9"))),
                new ReasoningDelta("hm"),
                new TextDelta("a"),
                new ToolCallDelta(0, "i", "f", "{\"x\""),
                new ToolCallDelta(1, "j", "g", ""),
                new ToolCallDelta(0, "", "", ":1}"),
                new Finished(FinishReason.TOOL_CALLS),
                new UsageReported(Usage.of(1, 2)))) {
            written.addAll(encoder.encode(event));
        }
        written.addAll(encoder.end());
        assertThat(written).hasSize(3);
        assertThat(written.getLast().data())
                .isEqualTo(("{'candidates':[{'content':{'parts':[{'functionCall':{'id':'i','name':'f','args':{'x':1}}},"
                                + "{'functionCall':{'id':'j','name':'g','args':{}}}],'role':'model'},'index':0,"
                                + "'finishReason':'STOP'}],'modelVersion':'asked','responseId':'c9','usageMetadata':"
                                + "{'promptTokenCount':1,'candidatesTokenCount':2,'totalTokenCount':3}}")
                        .replace('\'', '"'));
    }
}
