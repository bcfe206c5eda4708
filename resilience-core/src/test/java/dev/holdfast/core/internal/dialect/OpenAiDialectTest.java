package dev.holdfast.core.internal.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Bytes;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ToolCall;
import dev.holdfast.Usage;
import dev.holdfast.core.JsonText;
import dev.holdfast.spi.Dialect.OutgoingRequest;
import dev.holdfast.spi.Dialect.WireRequest;
import dev.holdfast.spi.DialectException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OpenAiDialectTest {
    private final OpenAiDialect dialect = new OpenAiDialect();
    private final ModelRequest hello = ModelRequest.chat("gpt-4.1").user("hi").build();

    static JsonObject json(String text) {
        return JsonText.parse(text.replace('\'', '"')).asObject().orElseThrow();
    }

    private static Endpoint.Builder endpoint(String base) {
        return Endpoint.builder("e", URI.create(base));
    }

    private WireRequest encode(ModelRequest request, String model, Endpoint endpoint) throws DialectException {
        return dialect.encodeRequest(new OutgoingRequest(
                request, model, endpoint, endpoint.credentials().stream().findFirst()));
    }

    @Test
    void aRequestGoesToChatCompletionsWithTheKey() throws DialectException {
        Endpoint endpoint = endpoint("https://h.example/v1")
                .credential(Credential.of("sk-1234567"))
                .header("X-Org", "o")
                .build();
        WireRequest wire = encode(hello, "gpt-4.1", endpoint);
        assertThat(wire.method()).isEqualTo("POST");
        assertThat(wire.uri()).isEqualTo(URI.create("https://h.example/v1/chat/completions"));
        assertThat(wire.headers().first("authorization")).hasValue("Bearer sk-1234567");
        assertThat(wire.headers().first("content-type")).hasValue("application/json");
        assertThat(wire.headers().first("accept")).hasValue("application/json");
        assertThat(wire.headers().first("x-org")).hasValue("o");
        assertThat(wire.body()).isEqualTo(Bytes.utf8(hello.document().toJson()));
        assertThat(wire.adjusted()).isEmpty();
    }

    @Test
    void everyBaseUrlKeepsItsOwnWayHoweverManyThereAre() throws DialectException {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 1_200; i++) {
                Endpoint endpoint =
                        endpoint("https://h" + i + ".example/v1?version=" + i).build();
                assertThat(encode(hello, "gpt-4.1", endpoint).uri())
                        .hasToString("https://h" + i + ".example/v1/chat/completions?version=" + i);
            }
        }
    }

    @Test
    void onlyTheModelIsChangedAndStaysInItsPlace() throws DialectException {
        JsonObject document =
                json("{'messages':[{'role':'user','content':'x'}],'model':'alias','temperature':1.0,'new':{}}");
        WireRequest wire = encode(
                ModelRequest.of(Form.OPENAI_CHAT, document),
                "real",
                endpoint("https://h/v1").build());
        assertThat(wire.body().toUtf8()).isEqualTo(document.toJson().replace("alias", "real"));
        assertThat(wire.headers().first("authorization")).isEmpty();
    }

    @Test
    void aStreamIsAskedForAsEvents() throws DialectException {
        WireRequest wire = encode(
                hello.withDocument(hello.document().with("stream", JsonValue.of(true))),
                "m",
                endpoint("https://h/v1").build());
        assertThat(wire.headers().first("accept")).hasValue("text/event-stream");
    }

    @Test
    void opaqueRequestsGoToTheirPath() throws DialectException {
        Endpoint endpoint = endpoint("https://h/v1?api-version=7").build();
        JsonObject document = json("{'input':'x'}");
        WireRequest wire = encode(ModelRequest.opaque("embeddings", "m", document), "m", endpoint);
        assertThat(wire.uri()).isEqualTo(URI.create("https://h/v1/embeddings?api-version=7"));
        assertThat(wire.body()).isEqualTo(Bytes.utf8(document.toJson()));
        WireRequest query = encode(ModelRequest.opaque("/files?limit=2", "m", document), "m", endpoint);
        assertThat(query.uri()).isEqualTo(URI.create("https://h/v1/files?api-version=7&limit=2"));
    }

    @Test
    void aPathThatLeadsOutOfTheBaseIsRefused() {
        for (String path :
                List.of("/../admin", "/a/%2e%2E/b", "/..%2fb", "/a#b", "/a b", "/a/..", "/%5c../x", "/\\..\\x")) {
            assertThatExceptionOfType(DialectException.class)
                    .as(path)
                    .isThrownBy(() -> encode(
                            ModelRequest.opaque(path, "m", JsonObject.empty()),
                            "m",
                            endpoint("https://h/v1").build()));
        }
    }

    @Test
    void otherFormsCannotBeSaid() {
        ModelRequest gemini = ModelRequest.of(Form.GEMINI_CONTENT, "m", JsonObject.empty());
        assertThatExceptionOfType(DialectException.class)
                .isThrownBy(() -> encode(gemini, "m", endpoint("https://h/v1").build()))
                .withMessageStartingWith("/");
    }

    private ModelAnswer decode(String document) throws DialectException {
        return dialect.decodeAnswer(hello, json(document));
    }

    private ModelAnswer ofMessage(String message) throws DialectException {
        return decode("{'model':'m-1','choices':[{'index':0,'finish_reason':'stop','message':" + message + "}]}");
    }

    @Test
    void contentIsTextNullAbsentOrParts() throws DialectException {
        assertThat(ofMessage("{'content':'hi'}").text()).hasValue("hi");
        assertThat(ofMessage("{'content':null}").text()).isEmpty();
        assertThat(ofMessage("{}").text()).isEmpty();
        assertThat(ofMessage("{'content':[{'type':'text','text':'a'},{'type':'image_url'},{'type':'text','text':'b'}]}")
                        .text())
                .hasValue("ab");
        assertThat(ofMessage("{'content':[{'type':'thinking','thinking':[{'type':'text','text':'hm'}]},"
                                + "{'type':'text','text':'a'}]}")
                        .text())
                .hasValue("a");
        assertThat(ofMessage("{'content':'hi'}").model()).hasValue("m-1");
    }

    @Test
    void toolCallsOldAndNew() throws DialectException {
        assertThat(ofMessage("{'content':null,'tool_calls':[{'id':'a','type':'function','function':"
                                + "{'name':'f','arguments':'{}'}},{'id':'b','type':'custom','custom':{'name':'g','input':'x'}},"
                                + "{'id':'c','function':{'name':'h','arguments':{'x':1}}}]}")
                        .toolCalls())
                .containsExactly(
                        new ToolCall("a", "f", "{}"), new ToolCall("b", "g", "x"), new ToolCall("c", "h", "{\"x\":1}"));
        assertThat(ofMessage("{'function_call':{'name':'f','arguments':'{}'}}").toolCalls())
                .containsExactly(new ToolCall("", "f", "{}"));
        assertThatExceptionOfType(DialectException.class)
                .isThrownBy(() -> ofMessage("{'tool_calls':[{'id':'a','function':{}}]}"))
                .withMessageStartingWith("/choices/0/message/tool_calls/0/function/name:");
    }

    @Test
    void finishReasonsOfEveryServer() throws DialectException {
        assertThat(finish("eos")).hasValue(FinishReason.STOP);
        assertThat(finish("model_length")).hasValue(FinishReason.LENGTH);
        assertThat(finish("MAX_TOKENS")).hasValue(FinishReason.LENGTH);
        assertThat(finish("function_call")).hasValue(FinishReason.TOOL_CALLS);
        assertThat(finish("content_filter")).hasValue(FinishReason.CONTENT_FILTER);
        assertThat(finish("brand_new")).hasValue(FinishReason.OTHER);
        assertThat(decode("{'choices':[{'message':{},'finish_reason':null}]}").finishReason())
                .isEmpty();
        assertThat(decode("{'choices':[{'finish_reason':'content_filter'}]}").finishReason())
                .hasValue(FinishReason.CONTENT_FILTER);
        assertThat(ofMessage("{'content':null,'refusal':'no'}").refusal()).hasValue("no");
        assertThat(ofMessage("{'content':'x','reasoning_content':'hm'}").reasoning())
                .hasValue("hm");
        assertThat(ofMessage("{'content':'x','refusal':null}").refusal()).isEmpty();
        assertThat(ofMessage("{'content':null,'refusal':'no'}").finishReason()).hasValue(FinishReason.REFUSAL);
    }

    private Optional<FinishReason> finish(String word) throws DialectException {
        return decode("{'choices':[{'message':{},'finish_reason':'" + word + "'}]}")
                .finishReason();
    }

    private Optional<Usage> usage(String usage) throws DialectException {
        return decode("{'choices':[{'message':{}}],'usage':" + usage + "}").usage();
    }

    @Test
    void noTokenIsCountedTwice() throws DialectException {
        assertThat(
                        usage(
                                "{'prompt_tokens':100,'completion_tokens':20,'total_tokens':120,"
                                        + "'prompt_tokens_details':{'cached_tokens':60},'completion_tokens_details':{'reasoning_tokens':15}}"))
                .hasValue(new Usage(40, 60, 0, 20, 15));
        assertThat(usage("{'prompt_tokens':100,'completion_tokens':20,'prompt_cache_hit_tokens':30}"))
                .hasValue(new Usage(70, 30, 0, 20, 0));
        assertThat(usage("{'prompt_tokens':100,'completion_tokens':0,'prompt_tokens_details':"
                        + "{'cached_tokens':60,'cache_write_tokens':30}}"))
                .hasValue(new Usage(10, 60, 30, 0, 0));
        assertThat(usage("{'prompt_tokens':10,'completion_tokens':5,'total_tokens':115,"
                        + "'completion_tokens_details':{'reasoning_tokens':100}}"))
                .hasValue(new Usage(10, 0, 0, 105, 100));
    }

    @Test
    void usageThatContradictsItselfIsCutAndMarked() throws DialectException {
        assertThat(usage("{'prompt_tokens':100,'completion_tokens':0,'prompt_tokens_details':{'cached_tokens':150}}"))
                .hasValue(new Usage(0, 100, 0, 0, 0, true));
        assertThat(usage(
                        "{'prompt_tokens':1,'completion_tokens':2,'completion_tokens_details':{'reasoning_tokens':9}}"))
                .hasValue(new Usage(1, 0, 0, 2, 2, true));
        assertThat(usage("{'prompt_tokens':10,'completion_tokens':2,'total_tokens':40}"))
                .hasValue(new Usage(10, 0, 0, 2, 0, true));
        assertThat(usage("{'prompt_tokens':9,'completion_tokens':0,'prompt_tokens_details':"
                        + "{'cached_tokens':6,'cache_write_tokens':6}}"))
                .hasValue(new Usage(0, 6, 3, 0, 0, true));
        assertThat(usage("{'prompt_tokens':9223372036854775807,'completion_tokens':9223372036854775807}")
                        .orElseThrow()
                        .total())
                .isPositive();
    }

    @Test
    void zeroIsACountAndNullIsNone() throws DialectException {
        assertThat(usage("{'prompt_tokens':0,'completion_tokens':0,'total_tokens':0}"))
                .hasValue(Usage.NONE);
        assertThat(usage("null")).isEmpty();
        assertThat(usage("{'prompt_tokens':null,'completion_tokens':7}")).isEmpty();
        assertThat(usage("{'prompt_tokens':-1,'completion_tokens':7}")).isEmpty();
    }

    @Test
    void opaqueAnswersKeepTheirDocumentAndUsage() throws DialectException {
        ModelRequest embeddings = ModelRequest.opaque("/embeddings", "m", JsonObject.empty());
        JsonObject document =
                json("{'object':'list','data':[],'model':'e','usage':{'prompt_tokens':8,'total_tokens':8}}");
        ModelAnswer answer = dialect.decodeAnswer(embeddings, document);
        assertThat(answer.form()).isEqualTo(Form.OPAQUE);
        assertThat(answer.usage()).hasValue(Usage.of(8, 0));
        assertThat(answer.document()).isEqualTo(document);
        assertThat(dialect.decodeAnswer(
                                embeddings,
                                json("{'usage':{'input_tokens':9,'input_tokens_details':{'cached_tokens':4},"
                                        + "'output_tokens':3,'output_tokens_details':{'reasoning_tokens':2}}}"))
                        .usage())
                .hasValue(new Usage(5, 4, 0, 3, 2));
    }

    @Test
    void anAnswerWithoutAChoiceIsNone() {
        for (String document :
                List.of("{}", "{'choices':null}", "{'choices':[]}", "{'choices':[1]}", "{'choices':[{}]}")) {
            assertThatExceptionOfType(DialectException.class)
                    .as(document)
                    .isThrownBy(() -> decode(document))
                    .withMessageStartingWith("/choices");
        }
    }

    @Test
    void aServerReadsRequests() throws DialectException {
        JsonObject chat = json("{'model':'m','messages':[{'role':'user','content':'x'}]}");
        assertThat(dialect.decodeRequest("/v1/chat/completions", chat))
                .isEqualTo(ModelRequest.of(Form.OPENAI_CHAT, chat));
        JsonObject embed = json("{'model':'e','input':'x'}");
        assertThat(dialect.decodeRequest("/v1/embeddings", embed))
                .isEqualTo(ModelRequest.opaque("/embeddings", "e", embed));
    }

    @Test
    void aServerRefusesWhatIsNoRequestAndSaysWhere() {
        refuses("{}", "/model:");
        refuses("{'model':5,'messages':[]}", "/model:");
        refuses("{'model':' ','messages':[]}", "/model:");
        refuses("{'model':'m'}", "/messages:");
        refuses("{'model':'m','messages':[]}", "/messages:");
        refuses("{'model':'m','messages':['hi']}", "/messages/0:");
        refuses("{'model':'m','messages':[{'role':'user'},{'content':'x'}]}", "/messages/1/role:");
        refuses("{'model':'m','messages':[{'role':'user','content':5}]}", "/messages/0/content:");
        refuses("{'model':'m','messages':[{'role':'user'}],'stream':'yes'}", "/stream:");
        refuses("{'model':'m','messages':[{'role':'user'}],'max_tokens':0}", "/max_tokens:");
        refuses("{'model':'m','messages':[{'role':'user'}],'n':1.5}", "/n:");
    }

    private void refuses(String document, String pointer) {
        assertThatExceptionOfType(DialectException.class)
                .as(document)
                .isThrownBy(() -> dialect.decodeRequest("/v1/chat/completions", json(document)))
                .withMessageStartingWith(pointer);
    }

    @Test
    void aServerPassesAnswersOfItsFormOnAsTheyAre() throws DialectException {
        ModelAnswer answer = decode("{'id':'x','odd':1.0,'model':'real','choices':[{'message':{'content':'a'}}]}");
        assertThat(dialect.encodeAnswer(answer, "alias")).isEqualTo(answer.document());
    }

    @Test
    void whatAServerSaysOfAnAnswerOfAnotherFormReadsAsTheSame() throws DialectException {
        var answer = new ModelAnswer(
                Form.ANTHROPIC_MESSAGES,
                JsonObject.of("id", JsonValue.of("msg_1")),
                Optional.of("claude"),
                Optional.of("hi"),
                List.of(new ToolCall("a", "f", "{}")),
                Optional.of(FinishReason.TOOL_CALLS),
                Optional.of(new Usage(1, 2, 3, 4, 2)));
        ModelAnswer read = dialect.decodeAnswer(hello, dialect.encodeAnswer(answer, "alias"));
        assertThat(read.text()).isEqualTo(answer.text());
        assertThat(read.toolCalls()).isEqualTo(answer.toolCalls());
        assertThat(read.finishReason()).isEqualTo(answer.finishReason());
        assertThat(read.usage()).isEqualTo(answer.usage());
        assertThat(read.model()).hasValue("alias");
        assertThat(dialect.encodeAnswer(ModelAnswer.ofText("sorry"), "alias").text("model"))
                .hasValue("alias");
    }
}
