package dev.holdfast.tests.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.ToolCall;
import dev.holdfast.Usage;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.core.internal.dialect.AnthropicDialect;
import dev.holdfast.core.internal.dialect.GeminiDialect;
import dev.holdfast.core.internal.dialect.OpenAiDialect;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Dialect.StreamEncoder;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.ServerSentEvent;
import dev.holdfast.tests.behaviour.Reader;
import dev.holdfast.transport.JdkTransport;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * One client with an endpoint of each form, over real sockets: a call in any form is served by whichever answers, and a client of
 * a server of ours reads the answer in the form it asked in.
 */
class FallbackAcrossFormsTest {
    private static final Map<String, Dialect> DIALECTS =
            Map.of("openai", new OpenAiDialect(), "anthropic", new AnthropicDialect(), "gemini", new GeminiDialect());
    private static final Map<String, String> MODELS =
            Map.of("openai", "gpt-4.1", "anthropic", "claude-sonnet-4-5", "gemini", "gemini-2.5-flash");
    private static final String TOOL = "{'type':'object','properties':{'city':{'type':'string'}},'required':['city']}";

    private static JsonObject json(String text) {
        return JsonText.parse(text.replace('\'', '"')).asObject().orElseThrow();
    }

    /** A request for a tool call, in a form. */
    private static ModelRequest request(String form) {
        return switch (form) {
            case "openai" ->
                ModelRequest.of(
                        Form.OPENAI_CHAT,
                        json("{'model':'gpt-4.1','max_tokens':100,'messages':[{'role':'system','content':'be short'},"
                                + "{'role':'user','content':'weather?'}],'tools':[{'type':'function','function':"
                                + "{'name':'weather','description':'d','parameters':" + TOOL + "}}]}"));
            case "anthropic" ->
                ModelRequest.of(
                        Form.ANTHROPIC_MESSAGES,
                        json("{'model':'claude-sonnet-4-5','max_tokens':100,'system':'be short','messages':["
                                + "{'role':'user','content':'weather?'}],'tools':[{'name':'weather','description':'d',"
                                + "'input_schema':" + TOOL + "}]}"));
            default ->
                ModelRequest.of(
                        Form.GEMINI_CONTENT,
                        "gemini-2.5-flash",
                        json("{'systemInstruction':{'parts':[{'text':'be short'}]},'contents':[{'role':'user','parts':"
                                + "[{'text':'weather?'}]}],'tools':[{'functionDeclarations':[{'name':'weather',"
                                + "'description':'d','parameters':" + TOOL
                                + "}]}],'generationConfig':{'maxOutputTokens':100}}"));
        };
    }

    /** What the model says: some reasoning, some text and a call, in the form that the path asks for. */
    private static ModelAnswer said() {
        return new ModelAnswer(
                Form.OPENAI_CHAT,
                JsonObject.of("id", JsonValue.of("a1")),
                Optional.of("m"),
                Optional.of("Let me look."),
                List.of(new ToolCall("call_1", "weather", "{\"city\":\"Seoul\"}")),
                Optional.of(FinishReason.TOOL_CALLS),
                Optional.of(Usage.of(20, 9)),
                Optional.empty(),
                Optional.of("They want the weather."));
    }

    private static Reply reply(String form, ProviderRequest request) {
        Dialect dialect = dialect(form);
        if (!request.asksForStream()) {
            return Reply.json(200, encoded(dialect));
        }
        StreamEncoder encoder = dialect.streams()
                .orElseThrow()
                .encoder(ModelRequest.chat("m")
                        .user("x")
                        .with("stream_options", JsonObject.of("include_usage", JsonValue.of(true)))
                        .build());
        var chunks = new ArrayList<Reply.Chunk>();
        events().forEach(event -> encoder.encode(event).forEach(each -> chunks.add(chunk(each))));
        encoder.end().forEach(each -> chunks.add(chunk(each)));
        return Reply.events(chunks);
    }

    private static JsonObject encoded(Dialect dialect) {
        try {
            return dialect.encodeAnswer(said(), "m");
        } catch (DialectException e) {
            throw new AssertionError(e);
        }
    }

    private static List<StreamEvent> events() {
        return List.of(
                new StreamEvent.ReasoningDelta("They want "),
                new StreamEvent.ReasoningDelta("the weather."),
                new StreamEvent.TextDelta("Let me "),
                new StreamEvent.TextDelta("look."),
                new StreamEvent.ToolCallDelta(0, "call_1", "weather", ""),
                new StreamEvent.ToolCallDelta(0, "", "", "{\"city\":"),
                new StreamEvent.ToolCallDelta(0, "", "", "\"Seoul\"}"),
                new StreamEvent.Finished(FinishReason.TOOL_CALLS),
                new StreamEvent.UsageReported(Usage.of(20, 9)));
    }

    private static Reply.Chunk chunk(ServerSentEvent event) {
        String name = event.event().isEmpty() ? "" : "event: " + event.event() + "\n";
        return Reply.Chunk.of(name + "data: " + event.data() + "\n\n");
    }

    private static Dialect dialect(String form) {
        return Objects.requireNonNull(DIALECTS.get(form));
    }

    private static Endpoint endpoint(String form, URI base) {
        return Endpoint.builder(form, form.equals("openai") ? base : base.resolve("/"))
                .dialect(form)
                .credential(Credential.of("key-1"))
                .build();
    }

    @TestFactory
    Stream<DynamicTest> aCallInAnyFormIsServedByAnyOther() {
        return pairs((asked, serving) ->
                dynamicTest(asked + " asked, " + serving + " serves", () -> play(asked, serving, false)));
    }

    @TestFactory
    Stream<DynamicTest> aStreamInAnyFormIsServedByAnyOther() {
        return pairs((asked, serving) ->
                dynamicTest(asked + " asked, " + serving + " streams", () -> play(asked, serving, true)));
    }

    private static Stream<DynamicTest> pairs(BiFunction<String, String, DynamicTest> test) {
        return Stream.of("openai", "anthropic", "gemini")
                .flatMap(
                        asked -> Stream.of("openai", "anthropic", "gemini").map(serving -> test.apply(asked, serving)));
    }

    /** All but one endpoint are overloaded; the request names a model of its own form, the others are its fallbacks. */
    private static void play(String asked, String serving, boolean streamed) throws Exception {
        var providers = new TreeMap<String, FaultyProvider>();
        try {
            for (String form : List.of("openai", "anthropic", "gemini")) {
                providers.put(
                        form,
                        FaultyProvider.start(
                                form.equals(serving)
                                        ? FaultScript.answering(request -> reply(form, request))
                                        : FaultScript.always(Reply.status(503))));
            }
            try (ResilientClient client = client(providers, asked)) {
                ModelResponse response =
                        streamed ? stream(client, request(asked)) : client.call(request(asked), CallOptions.none());
                checkServed(response, serving);
                checkSent(providers.get(serving).requests().getLast(), serving);
                checkRead(response.answer(), asked);
            }
        } finally {
            providers.values().forEach(FaultyProvider::close);
        }
    }

    private static ResilientClient client(Map<String, FaultyProvider> providers, String asked) {
        var builder = ResilientClient.builder()
                .transport(new JdkTransport())
                .retry(RetryPolicy.standard().withMaxAttempts(1))
                .discovery(false);
        String[] others = MODELS.keySet().stream()
                .filter(form -> !form.equals(asked) && providers.containsKey(form))
                .map(MODELS::get)
                .toArray(String[]::new);
        providers.forEach((form, provider) -> {
            builder.endpoint(endpoint(form, provider.baseUrl()));
            ModelSettings model =
                    ModelSettings.of(String.valueOf(MODELS.get(form))).withEndpoints(form);
            builder.model(form.equals(asked) ? model.withFallbacks(others) : model);
        });
        return builder.build();
    }

    private static ModelResponse stream(ResilientClient client, ModelRequest request) {
        try (ModelStream stream = client.stream(request, CallOptions.none())) {
            var events = new ArrayList<StreamEvent>();
            stream.forEach(events::add);
            assertThat(Reader.textOf(events)).isEqualTo("Let me look.");
            return stream.toResponse();
        }
    }

    private static void checkServed(ModelResponse response, String serving) {
        assertThat(response.endpoint()).hasValue(serving);
        assertThat(response.text()).hasValue("Let me look.");
        assertThat(response.toolCalls()).containsExactly(new ToolCall("call_1", "weather", "{\"city\":\"Seoul\"}"));
        assertThat(response.finishReason()).hasValue(FinishReason.TOOL_CALLS);
        assertThat(response.usage()).hasValue(Usage.of(20, 9));
        assertThat(response.answer().reasoning()).hasValue("They want the weather.");
        assertThat(response.answer().form()).isEqualTo(dialect(serving).form());
    }

    /** The request reached the server in its own form, with what was asked for. */
    private static void checkSent(ProviderRequest request, String serving) throws Exception {
        JsonObject document = request.json().orElseThrow();
        ModelRequest read = dialect(serving).decodeRequest(request.path(), document);
        assertThat(read.model()).isEqualTo(MODELS.get(serving));
        assertThat(read.maxOutputTokens()).hasValue(100);
        assertThat(document.toJson()).contains("be short", "weather?", "\"city\"");
    }

    /** What a server of ours answers a client of the form that was asked in. */
    private static void checkRead(ModelAnswer answer, String asked) throws Exception {
        Dialect client = dialect(asked);
        ModelAnswer read = client.decodeAnswer(request(asked), client.encodeAnswer(answer, "asked"));
        assertThat(read.toolCalls()).isEqualTo(answer.toolCalls());
        assertThat(read.text()).isEqualTo(answer.text());
        assertThat(read.usage()).isEqualTo(answer.usage());
    }

    /** A conversation that goes on with another vendor after the first one called a tool. */
    @TestFactory
    Stream<DynamicTest> aConversationGoesOnElsewhereAfterAToolCall() {
        return pairs((first, second) -> dynamicTest(first + " then " + second, () -> {
            try (var provider = FaultyProvider.start(FaultScript.healthy());
                    ResilientClient client = client(Map.of(second, provider), second)) {
                ModelAnswer called = dialect(first).decodeAnswer(request("openai"), encoded(dialect(first)));
                JsonObject spoken = dialect("openai")
                        .encodeAnswer(called, "asked")
                        .list("choices")
                        .getFirst()
                        .asObject()
                        .flatMap(choice -> choice.object("message"))
                        .orElseThrow();
                JsonArray messages = new JsonArray(request("openai").document().list("messages"))
                        .plus(spoken)
                        .plus(json("{'role':'tool','tool_call_id':'call_1','content':'sunny'}"))
                        .plus(json("{'role':'user','content':'thanks'}"));
                ModelRequest next = request("openai")
                        .withDocument(request("openai").document().with("messages", messages))
                        .withModel(String.valueOf(MODELS.get(second)));
                assertThat(client.call(next, CallOptions.none()).text().orElseThrow())
                        .endsWith("thanks");
                assertThat(provider.requests().getFirst().body().toUtf8()).contains("sunny", "Seoul", "weather");
            }
        }));
    }
}
