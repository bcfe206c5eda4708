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
import dev.holdfast.StreamEvent.RefusalDelta;
import dev.holdfast.StreamEvent.TextDelta;
import dev.holdfast.StreamEvent.ToolCallDelta;
import dev.holdfast.StreamEvent.UsageReported;
import dev.holdfast.ToolCall;
import dev.holdfast.Usage;
import dev.holdfast.core.JsonText;
import dev.holdfast.spi.Dialect.StreamDecoder;
import dev.holdfast.spi.Dialect.StreamEncoder;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.ServerSentEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnthropicDialectTest {
    private static final String SIGNED =
            "{'id':'msg_1','type':'message','role':'assistant','model':'claude-x','content':["
                    + "{'type':'thinking','thinking':'hm','signature':'SIG=='},{'type':'redacted_thinking','data':'XX'},"
                    + "{'type':'text','text':'a','citations':[{'type':'char_location'}]},"
                    + "{'type':'server_tool_use','id':'s','name':'web_search','input':{'q':1}},"
                    + "{'type':'web_search_tool_result','tool_use_id':'s','content':[]},{'type':'text','text':'b'},"
                    + "{'type':'tool_use','id':'toolu_1','name':'f','input':{'x':1.50}}],'stop_reason':'tool_use',"
                    + "'stop_sequence':null,'usage':{'input_tokens':10,'cache_creation_input_tokens':5,"
                    + "'cache_read_input_tokens':100,'output_tokens':7,'cache_creation':{'ephemeral_5m_input_tokens':2,"
                    + "'ephemeral_1h_input_tokens':3},'output_tokens_details':{'thinking_tokens':4}}}";

    private final AnthropicDialect dialect = new AnthropicDialect();
    private final ModelRequest hello = ModelRequest.chat("asked").user("hi").build();

    private ModelAnswer decode(String document) throws DialectException {
        return dialect.decodeAnswer(hello, OpenAiDialectTest.json(document));
    }

    private Optional<Usage> usage(String usage) throws DialectException {
        return decode("{'content':[],'usage':" + usage + "}").usage();
    }

    @Test
    void blocksAreTextReasoningAndCallsAndTheRestStaysInTheDocument() throws DialectException {
        ModelAnswer answer = decode(SIGNED);
        assertThat(answer.text()).hasValue("ab");
        assertThat(answer.reasoning()).hasValue("hm");
        assertThat(answer.toolCalls()).containsExactly(new ToolCall("toolu_1", "f", "{\"x\":1.50}"));
        assertThat(answer.finishReason()).hasValue(FinishReason.TOOL_CALLS);
        assertThat(answer.model()).hasValue("claude-x");
        assertThat(dialect.encodeAnswer(answer, "asked").toJson()).isEqualTo(SIGNED.replace('\'', '"'));
    }

    @Test
    void cacheReadsAndWritesComeOnTopOfTheInput() throws DialectException {
        assertThat(decode(SIGNED).usage()).hasValue(new Usage(10, 100, 5, 7, 4));
        assertThat(usage("{'input_tokens':10,'output_tokens':7}")).hasValue(Usage.of(10, 7));
        assertThat(usage("{'input_tokens':0,'output_tokens':0}")).hasValue(Usage.NONE);
        assertThat(usage("{'input_tokens':1,'output_tokens':7,'cache_read_input_tokens':null}"))
                .hasValue(Usage.of(1, 7));
        assertThat(usage("{'input_tokens':10}")).isEmpty();
        assertThat(usage("{'input_tokens':-1,'output_tokens':2}")).isEmpty();
        assertThat(usage("null")).isEmpty();
    }

    @Test
    void usageThatContradictsItselfIsMarked() throws DialectException {
        assertThat(usage("{'input_tokens':1,'output_tokens':2,'cache_creation_input_tokens':9,"
                        + "'cache_creation':{'ephemeral_5m_input_tokens':2}}"))
                .hasValue(new Usage(1, 0, 9, 2, 0, true));
        assertThat(usage("{'input_tokens':1,'output_tokens':2,'output_tokens_details':{'thinking_tokens':3}}"))
                .hasValue(new Usage(1, 0, 0, 2, 2, true));
    }

    @Test
    void everyStopReasonHasItsMeaning() throws DialectException {
        assertThat(stop("end_turn")).hasValue(FinishReason.STOP);
        assertThat(stop("stop_sequence")).hasValue(FinishReason.STOP);
        assertThat(stop("max_tokens")).hasValue(FinishReason.LENGTH);
        assertThat(stop("model_context_window_exceeded")).hasValue(FinishReason.LENGTH);
        assertThat(stop("pause_turn")).hasValue(FinishReason.OTHER);
        assertThat(stop("brand_new")).hasValue(FinishReason.OTHER);
        ModelAnswer refused = decode("{'content':[],'stop_reason':'refusal','stop_details':"
                + "{'type':'refusal','category':'bio','explanation':'I will not.'}}");
        assertThat(refused.finishReason()).hasValue(FinishReason.REFUSAL);
        assertThat(refused.refusal()).hasValue("I will not.");
    }

    private Optional<FinishReason> stop(String word) throws DialectException {
        return decode("{'content':[],'stop_reason':'" + word + "'}").finishReason();
    }

    @Test
    void whatIsNoMessageIsRefusedWithItsPlace() {
        refusesAnswer("{}", "/content:");
        refusesAnswer("{'content':'x'}", "/content:");
        refusesAnswer("{'content':[1]}", "/content/0:");
        refusesAnswer("{'content':[{'type':'text','text':'a'},{'type':'tool_use','id':'x'}]}", "/content/1/name:");
    }

    private void refusesAnswer(String document, String pointer) {
        assertThatExceptionOfType(DialectException.class)
                .as(document)
                .isThrownBy(() -> decode(document))
                .withMessageStartingWith(pointer);
    }

    @Test
    void aServerReadsRequestsAndSaysWhatIsWrongWithThem() throws DialectException {
        JsonObject good = OpenAiDialectTest.json(
                "{'model':'m','max_tokens':5,'messages':[{'role':'user','content':[{'type':'text','text':'x'}]}]}");
        assertThat(dialect.decodeRequest("/v1/messages?beta=true", good))
                .isEqualTo(ModelRequest.of(Form.ANTHROPIC_MESSAGES, good));
        assertThat(dialect.decodeRequest("/v1/messages/count_tokens", good))
                .isEqualTo(ModelRequest.opaque("/messages/count_tokens", "m", good));
        refuses("{}", "/model:");
        refuses("{'model':'m'}", "/max_tokens:");
        refuses("{'model':'m','max_tokens':0}", "/max_tokens:");
        refuses("{'model':'m','max_tokens':1,'stream':1}", "/stream:");
        refuses("{'model':'m','max_tokens':1,'messages':[]}", "/messages:");
        refuses("{'model':'m','max_tokens':1,'messages':[1]}", "/messages/0:");
        refuses("{'model':'m','max_tokens':1,'messages':[{'role':'tool','content':''}]}", "/messages/0/role:");
        refuses("{'model':'m','max_tokens':1,'messages':[{'role':'user'}]}", "/messages/0/content:");
        refuses(
                "{'model':'m','max_tokens':1,'messages':[{'role':'user','content':[{}]}]}",
                "/messages/0/content/0/type:");
    }

    private void refuses(String document, String pointer) {
        assertThatExceptionOfType(DialectException.class)
                .as(document)
                .isThrownBy(() -> dialect.decodeRequest("/v1/messages", OpenAiDialectTest.json(document)))
                .withMessageStartingWith(pointer);
    }

    @Test
    void anAnswerOfOpenAiIsAMessageForAClientOfAnthropic() throws DialectException {
        ModelAnswer answer = new OpenAiDialect()
                .decodeAnswer(
                        hello,
                        OpenAiDialectTest.json(
                                "{'id':'chatcmpl-1','model':'gpt','choices':[{'index':0,'logprobs':{'content':"
                                        + "[{'token':'a','logprob':-1}]},'message':{'content':'hi','reasoning_content':'hm','tool_calls':[{'id':'call_1','type':'function','function':{'name':'f','arguments':'{\\u0022x\\u0022:"
                                        + " 1'}}]},'finish_reason':'tool_calls'}]}"));
        JsonObject message = dialect.encodeAnswer(answer, "asked");
        assertThat(message.toJson())
                .isEqualTo(("{'id':'chatcmpl-1','type':'message','role':'assistant','model':'asked','content':["
                                + "{'type':'thinking','thinking':'hm','signature':''},{'type':'text','text':'hi'},"
                                + "{'type':'tool_use','id':'call_1','name':'f','input':{'x':1}}],'stop_reason':'tool_use',"
                                + "'stop_sequence':null,'stop_details':null,'usage':{'input_tokens':0,"
                                + "'cache_creation_input_tokens':0,'cache_read_input_tokens':0,'output_tokens':0}}")
                        .replace('\'', '"'));
        assertThat(dialect.unsaid(answer))
                .extracting(Adjustment::pointer)
                .containsExactly("/choices/0/message/tool_calls/0/function/arguments", "/choices/0/logprobs", "/usage");
    }

    @Test
    void whatOnlyAnthropicSaysIsReportedToClientsOfOthers() throws DialectException {
        assertThat(new OpenAiDialect().unsaid(decode(SIGNED)))
                .extracting(Adjustment::pointer)
                .containsExactly(
                        "/content/0/signature", "/content/1", "/content/2/citations", "/content/3", "/content/4");
    }

    @Test
    void aRefusalIsOneForEveryClient() throws DialectException {
        ModelAnswer refused = decode("{'content':[],'stop_reason':'refusal','stop_details':{'explanation':'no'}}");
        ModelAnswer openAi = new OpenAiDialect().decodeAnswer(hello, new OpenAiDialect().encodeAnswer(refused, "m"));
        assertThat(openAi.refusal()).hasValue("no");
        assertThat(openAi.finishReason()).hasValue(FinishReason.REFUSAL);
        assertThat(dialect.decodeAnswer(hello, dialect.encodeAnswer(openAi, "m"))
                        .refusal())
                .hasValue("no");
        ModelAnswer silent = decode("{'content':[],'stop_reason':'refusal'}");
        assertThat(new OpenAiDialect().encodeAnswer(silent, "m").toJson()).contains("\"content_filter\"");
    }

    @Test
    void aWholeMessageIsReplayedWithItsSignaturesAndCitations() throws DialectException {
        ModelAnswer answer = decode(SIGNED);
        StreamEncoder encoder = dialect.streams().orElseThrow().encoder(hello);
        StreamDecoder decoder = decoder();
        for (StreamEvent event : OwnEvents.of(answer)) {
            for (ServerSentEvent each : encoder.encode(event)) {
                decoder.decode(each);
            }
        }
        assertThat(encoder.end()).isEmpty();
        assertThat(decoder.isFinal()).isTrue();
        assertThat(decoder.answer()).isEqualTo(answer);
        assertThat(OwnEvents.of(ModelAnswer.ofText("sorry"))).isEmpty();
    }

    private static ServerSentEvent event(String document) {
        JsonObject json = OpenAiDialectTest.json(document);
        return new ServerSentEvent(json.text("type").orElse(""), json.toJson(), "");
    }

    private List<StreamEvent> feed(StreamDecoder decoder, String... documents) throws DialectException {
        var events = new ArrayList<StreamEvent>();
        for (String document : documents) {
            decoder.decode(event(document)).stream()
                    .filter(each -> !(each instanceof Other))
                    .forEach(events::add);
        }
        return events;
    }

    private StreamDecoder decoder() {
        return dialect.streams().orElseThrow().decoder(hello);
    }

    @Test
    void aStreamSaysWhatItsBlocksSay() throws DialectException {
        StreamDecoder decoder = decoder();
        List<StreamEvent> events = feed(
                decoder,
                "{'type':'message_start','message':{'id':'m','role':'assistant','model':'c','content':[],'usage':{'input_tokens':3,'cache_read_input_tokens':4,'output_tokens':1}}}",
                "{'type':'ping'}",
                "{'type':'content_block_start','index':0,'content_block':{'type':'thinking','thinking':'','signature':''}}",
                "{'type':'content_block_delta','index':0,'delta':{'type':'thinking_delta','thinking':'hm'}}",
                "{'type':'content_block_delta','index':0,'delta':{'type':'signature_delta','signature':'SIG'}}",
                "{'type':'content_block_stop','index':0}",
                "{'type':'content_block_start','index':1,'content_block':{'type':'text','text':''}}",
                "{'type':'content_block_delta','index':1,'delta':{'type':'text_delta','text':'a'}}",
                "{'type':'content_block_stop','index':1}",
                "{'type':'content_block_start','index':2,'content_block':{'type':'tool_use','id':'t1','name':'f','input':{}}}",
                "{'type':'content_block_delta','index':2,'delta':{'type':'input_json_delta','partial_json':''}}",
                "{'type':'content_block_delta','index':2,'delta':{'type':'input_json_delta','partial_json':'{\\u0022x\\u0022:'}}",
                "{'type':'content_block_delta','index':2,'delta':{'type':'input_json_delta','partial_json':' 1.0}'}}",
                "{'type':'content_block_stop','index':2}",
                "{'type':'content_block_start','index':3,'content_block':{'type':'tool_use','id':'t2','name':'g','input':{}}}",
                "{'type':'content_block_stop','index':3}",
                "{'type':'message_delta','delta':{'stop_reason':'tool_use','stop_sequence':null},'usage':{'output_tokens':9}}");
        assertThat(decoder.isComplete()).isTrue();
        assertThat(decoder.isFinal()).isFalse();
        events.addAll(feed(decoder, "{'type':'message_stop'}"));
        assertThat(decoder.isFinal()).isTrue();
        assertThat(events)
                .containsExactly(
                        new UsageReported(new Usage(3, 4, 0, 1, 0)),
                        new ReasoningDelta("hm"),
                        new TextDelta("a"),
                        new ToolCallDelta(0, "t1", "f", ""),
                        new ToolCallDelta(0, "", "", "{\"x\":"),
                        new ToolCallDelta(0, "", "", " 1.0}"),
                        new ToolCallDelta(1, "t2", "g", ""),
                        new ToolCallDelta(1, "", "", "{}"),
                        new Finished(FinishReason.TOOL_CALLS),
                        new UsageReported(new Usage(3, 4, 0, 9, 0)));
        assertThat(decoder.answer().document().toJson())
                .isEqualTo(("{'id':'m','role':'assistant','model':'c','content':["
                                + "{'type':'thinking','thinking':'hm','signature':'SIG'},{'type':'text','text':'a'},"
                                + "{'type':'tool_use','id':'t1','name':'f','input':{'x':1.0}},"
                                + "{'type':'tool_use','id':'t2','name':'g','input':{}}],"
                                + "'usage':{'input_tokens':3,'cache_read_input_tokens':4,'output_tokens':9},"
                                + "'stop_reason':'tool_use','stop_sequence':null}")
                        .replace('\'', '"'));
    }

    @Test
    void aStreamIsNotCompleteBeforeAStopReasonOrAfterAnError() throws DialectException {
        StreamDecoder cut = decoder();
        feed(
                cut,
                "{'type':'message_start','message':{'id':'m','content':[]}}",
                "{'type':'content_block_start','index':0,'content_block':{'type':'tool_use','id':'t','name':'f','input':{}}}",
                "{'type':'content_block_delta','index':0,'delta':{'type':'input_json_delta','partial_json':'{\\u0022x'}}");
        assertThat(cut.isComplete()).isFalse();
        assertThat(cut.answer().toolCalls()).containsExactly(new ToolCall("t", "f", "{\"x"));

        StreamDecoder failed = decoder();
        feed(failed, "{'type':'message_start','message':{'id':'m','content':[]}}");
        feed(failed, "{'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}");
        assertThat(failed.isFinal()).isTrue();
        assertThat(failed.isComplete()).isFalse();
    }

    @Test
    void aDeltaOfABlockThatNeverBeganCannotBeRead() {
        assertThatExceptionOfType(DialectException.class)
                .isThrownBy(() -> feed(
                        decoder(), "{'type':'content_block_delta','index':4,'delta':{'type':'text_delta','text':'a'}}"))
                .withMessageStartingWith("/index:");
        assertThatExceptionOfType(DialectException.class)
                .isThrownBy(() -> decoder().decode(ServerSentEvent.ofData("<html>")));
    }

    @Test
    void aRefusalInAStreamHasItsWords() throws DialectException {
        StreamDecoder decoder = decoder();
        assertThat(
                        feed(
                                decoder,
                                "{'type':'message_start','message':{'content':[]}}",
                                "{'type':'message_delta','delta':{'stop_reason':'refusal','stop_details':{'type':'refusal','explanation':'no'}}}"))
                .containsExactly(new RefusalDelta("no"), new Finished(FinishReason.REFUSAL));
        assertThat(decoder.answer().refusal()).hasValue("no");
    }

    @Test
    void anyStreamIsOneOfBlocksForAClientOfAnthropic() {
        StreamEncoder encoder = dialect.streams().orElseThrow().encoder(hello);
        var written = new ArrayList<ServerSentEvent>();
        for (StreamEvent event : List.of(
                new Other(JsonObject.of("id", JsonValue.of("chatcmpl-9"))),
                new ReasoningDelta("hm"),
                new TextDelta("a"),
                new TextDelta("b"),
                new ToolCallDelta(0, "c0", "f", "{"),
                new ToolCallDelta(0, "", "", "}"),
                new ToolCallDelta(1, "c1", "g", "{}"),
                new Finished(FinishReason.TOOL_CALLS),
                new UsageReported(new Usage(1, 2, 3, 4, 0)))) {
            written.addAll(encoder.encode(event));
        }
        written.addAll(encoder.end());
        assertThat(written)
                .extracting(ServerSentEvent::event)
                .containsExactly(
                        "message_start",
                        "content_block_start",
                        "content_block_delta",
                        "content_block_stop",
                        "content_block_start",
                        "content_block_delta",
                        "content_block_delta",
                        "content_block_stop",
                        "content_block_start",
                        "content_block_delta",
                        "content_block_delta",
                        "content_block_stop",
                        "content_block_start",
                        "content_block_delta",
                        "content_block_stop",
                        "message_delta",
                        "message_stop");
        assertThat(JsonText.parse(written.getFirst().data()).toJson())
                .contains("\"id\":\"chatcmpl-9\"")
                .contains("\"model\":\"asked\"");
        assertThat(written.get(15).data())
                .contains("\"stop_reason\":\"tool_use\"")
                .contains("\"input_tokens\":1,\"cache_creation_input_tokens\":3,\"cache_read_input_tokens\":2");
    }
}
