package dev.holdfast.tests.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.Usage;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.core.internal.dialect.AnthropicDialect;
import dev.holdfast.core.internal.dialect.GeminiDialect;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import dev.holdfast.spi.Dialect;
import dev.holdfast.tests.behaviour.Reader;
import dev.holdfast.transport.JdkTransport;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Anthropic's and Gemini's own forms, from a client over the real transport to a server on a socket and back. */
class DialectsOverSocketsTest {
    private static final ModelRequest MESSAGES = ModelRequest.of(
            Form.ANTHROPIC_MESSAGES,
            json("{'model':'claude','max_tokens':50,'messages':[{'role':'user','content':'two rivers'}]}"));
    private static final ModelRequest CONTENT = ModelRequest.of(
            Form.GEMINI_CONTENT, "gemini-2.5-flash", json("{'contents':[{'parts':[{'text':'two rivers'}]}]}"));
    private static final CallOptions ONCE = CallOptions.none().withRetry(false);

    private static JsonObject json(String text) {
        return JsonText.parse(text.replace('\'', '"')).asObject().orElseThrow();
    }

    private static ModelRequest request(String dialect) {
        return dialect.equals("anthropic") ? MESSAGES : CONTENT;
    }

    /** The base URL without the version that OpenAI's clients put there. */
    private static URI root(FaultyProvider provider) {
        return provider.baseUrl().resolve("/");
    }

    private static ResilientClient client(FaultyProvider provider, String dialect) {
        URI base = dialect.equals("vertex") ? root(provider).resolve("/v1/projects/p/locations/l") : root(provider);
        return ResilientClient.builder()
                .endpoint(Endpoint.builder(dialect, base)
                        .dialect(dialect)
                        .credential(Credential.of("key-1"))
                        .build())
                .retry(RetryPolicy.standard())
                .transport(new JdkTransport())
                .withoutBreaker()
                .discovery(false)
                .build();
    }

    @TestFactory
    Stream<DynamicTest> aHealthyServerIsCalledAndStreamedFrom() {
        return Stream.of("anthropic", "gemini", "vertex")
                .map(name -> dynamicTest(name, () -> {
                    try (var provider = FaultyProvider.start(FaultScript.healthy());
                            ResilientClient client = client(provider, name)) {
                        ModelResponse called = client.call(request(name), CallOptions.none());
                        assertThat(called.text()).hasValue("two rivers");
                        assertThat(called.finishReason()).hasValue(FinishReason.STOP);
                        assertThat(called.usage()).hasValue(Usage.of(5, 1));
                        var events = new ArrayList<StreamEvent>();
                        try (ModelStream stream = client.stream(request(name), CallOptions.none())) {
                            stream.forEach(events::add);
                            assertThat(stream.toResponse().answer().text()).hasValue("two rivers");
                            assertThat(stream.toResponse().usage()).hasValue(Usage.of(5, 1));
                        }
                        assertThat(Reader.textOf(events)).isEqualTo("two rivers");
                        assertThat(provider.requests())
                                .extracting(ProviderRequest::path)
                                .isEqualTo(paths(name));
                        assertThat(provider.requests().getFirst().headers().first(keyField(name)))
                                .hasValue("key-1");
                        assertThat(client.toString()).contains("-> " + name + " ->");
                    }
                }));
    }

    private static String keyField(String dialect) {
        return dialect.equals("anthropic") ? "x-api-key" : "x-goog-api-key";
    }

    private static List<String> paths(String dialect) {
        return switch (dialect) {
            case "anthropic" -> List.of("/v1/messages", "/v1/messages");
            case "gemini" ->
                List.of(
                        "/v1beta/models/gemini-2.5-flash:generateContent",
                        "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse");
            default ->
                List.of(
                        "/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash:generateContent",
                        "/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse");
        };
    }

    @Test
    void anErrorBeforeTheFirstBlockIsTriedAgainUnseen() {
        Reply overloaded = Reply.events(List.of(
                Chunk.of("event: message_start\n"
                        + "data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"content\":[]}}\n\n"),
                Chunk.of("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
                        + "\"message\":\"Overloaded\"}}\n\n")));
        try (var provider = FaultyProvider.start(FaultScript.of(overloaded));
                ResilientClient client = client(provider, "anthropic");
                ModelStream stream = client.stream(MESSAGES, CallOptions.none())) {
            ModelResponse response = stream.toResponse();
            assertThat(response.text()).hasValue("two rivers");
            assertThat(response.attempts()).hasSize(2);
            assertThat(response.attempts().getFirst().failure().orElseThrow().kind())
                    .isEqualTo(FailureKind.OVERLOADED);
        }
    }

    @Test
    void anErrorAmidGeminisChunksIsThatErrorAndCarriesWhatCame() {
        Reply broken = Reply.events(List.of(
                Chunk.of("data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"two \"}]}}]}\r\n\r\n"),
                Chunk.of("data: {\"error\":{\"code\":503,\"message\":\"The model is overloaded.\","
                        + "\"status\":\"UNAVAILABLE\"}}\r\n\r\n")));
        try (var provider = FaultyProvider.start(FaultScript.of(broken));
                ResilientClient client = client(provider, "gemini")) {
            CallException failed = catchThrowableOfType(
                    CallException.class,
                    () -> client.stream(CONTENT, CallOptions.none()).toResponse());
            assertThat(failed.kind()).isEqualTo(FailureKind.OVERLOADED);
            assertThat(failed.partialAnswer().orElseThrow().text()).hasValue("two ");
        }
    }

    @TestFactory
    Stream<DynamicTest> aStreamThatEndsWithoutAStopReasonIsTruncated() {
        Reply anthropic = Reply.events(List.of(
                Chunk.of("data: {\"type\":\"message_start\",\"message\":{\"content\":[]}}\n\n"),
                Chunk.of("data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
                        + "{\"type\":\"text\",\"text\":\"two\"}}\n\n")));
        Reply gemini = Reply.events(
                List.of(Chunk.of("data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"two\"}]}}]}\r\n\r\n")));
        return Stream.of("anthropic", "gemini")
                .map(name -> dynamicTest(name, () -> {
                    Reply cut = name.equals("anthropic") ? anthropic : gemini;
                    try (var provider = FaultyProvider.start(FaultScript.always(cut));
                            ResilientClient client = client(provider, name)) {
                        CallException failed = catchThrowableOfType(
                                CallException.class,
                                () -> client.stream(request(name), ONCE).toResponse());
                        assertThat(failed.kind()).isEqualTo(FailureKind.TRUNCATED);
                        assertThat(failed.partialAnswer().orElseThrow().text()).hasValue("two");
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> aPromptThatGeminiBlocksIsContentPolicyAndACallItCouldNotReadIsMalformed() {
        JsonObject blocked = json("{'promptFeedback':{'blockReason':'SAFETY'}}");
        JsonObject broken = json("{'candidates':[{'finishReason':'MALFORMED_FUNCTION_CALL','index':0}]}");
        return Stream.of(
                fails("a blocked prompt", blocked, FailureKind.CONTENT_POLICY, false),
                fails("a blocked prompt, streamed", blocked, FailureKind.CONTENT_POLICY, true),
                fails("a broken call", broken, FailureKind.MALFORMED_RESPONSE, false),
                fails("a broken call, streamed", broken, FailureKind.MALFORMED_RESPONSE, true),
                fails("no candidate", json("{'usageMetadata':{}}"), FailureKind.MALFORMED_RESPONSE, false));
    }

    private static DynamicTest fails(String name, JsonObject answer, FailureKind kind, boolean streamed) {
        Reply reply = streamed
                ? Reply.events(List.of(Chunk.of("data: " + answer.toJson() + "\r\n\r\n")))
                : Reply.json(200, answer);
        return dynamicTest(name, () -> {
            try (var provider = FaultyProvider.start(FaultScript.always(reply));
                    ResilientClient client = client(provider, "gemini")) {
                CallException failed = catchThrowableOfType(
                        CallException.class,
                        () -> (streamed ? client.stream(CONTENT, ONCE).toResponse() : client.call(CONTENT, ONCE))
                                .text());
                assertThat(failed.kind()).isEqualTo(kind);
            }
        });
    }

    @Test
    void aStreamedAnswerWithoutEventsIsReadFromItsList() {
        JsonObject first = json("{'candidates':[{'content':{'parts':[{'text':'two '}]}}],'responseId':'r'}");
        JsonObject last = json("{'candidates':[{'content':{'parts':[{'text':'rivers'}]},'finishReason':'STOP'}],"
                + "'usageMetadata':{'promptTokenCount':5,'candidatesTokenCount':1,'totalTokenCount':6}}");
        Reply list = Reply.json(200, new dev.holdfast.JsonValue.JsonArray(List.of(first, last)));
        try (var provider = FaultyProvider.start(FaultScript.always(list));
                ResilientClient client = client(provider, "gemini")) {
            assertThat(client.stream(CONTENT, ONCE).toResponse().text()).hasValue("two rivers");
            assertThat(client.call(CONTENT, ONCE).usage()).hasValue(Usage.of(5, 1));
        }
    }

    @TestFactory
    Stream<DynamicTest> recordedAnswersAndStreamsReadTheSameWholeAndInPieces() {
        return recordings()
                .filter(each -> !each.kind().equals("error"))
                .map(recording -> dynamicTest(recording.toString(), () -> playGood(recording)));
    }

    @TestFactory
    Stream<DynamicTest> recordedErrorsAreErrorsOfTheirStatus() {
        return recordings()
                .filter(each -> each.kind().equals("error"))
                .map(recording -> dynamicTest(recording.toString(), () -> {
                    String name = recording.provider();
                    try (var provider = FaultyProvider.start(FaultScript.always(recording.reply(1_000)));
                            ResilientClient client = client(provider, name)) {
                        CallException failed =
                                catchThrowableOfType(CallException.class, () -> client.call(request(name), ONCE));
                        assertThat(failed.status()).hasValue(recording.status());
                    }
                }));
    }

    private static Stream<Recording> recordings() {
        return Recording.all().stream()
                .filter(each -> List.of("anthropic", "gemini", "vertex").contains(each.provider()));
    }

    private static void playGood(Recording recording) throws Exception {
        String name = recording.provider();
        Dialect dialect = name.equals("anthropic") ? new AnthropicDialect() : new GeminiDialect();
        boolean document = recording.body().toUtf8().stripLeading().startsWith("{");
        for (int size : List.of(7, 1_000)) {
            try (var provider = FaultyProvider.start(FaultScript.always(recording.reply(size)));
                    ResilientClient client = client(provider, name)) {
                ModelResponse called = client.call(request(name), ONCE);
                ModelResponse streamed = client.stream(request(name), ONCE).toResponse();
                assertThat(called.answer()).isEqualTo(streamed.answer());
                assertThat(called.finishReason()).isPresent();
                if (document) {
                    JsonObject recorded =
                            JsonText.parse(recording.body()).asObject().orElseThrow();
                    assertThat(called.answer()).isEqualTo(dialect.decodeAnswer(request(name), recorded));
                }
            }
        }
    }

    @Test
    void waitsThatGoogleAndAnthropicAskForAreKept() {
        JsonObject limited = json("{'error':{'code':429,'message':'Quota exceeded. Please retry in 0.02s.','status':"
                + "'RESOURCE_EXHAUSTED','details':[{'@type':'type.googleapis.com/google.rpc.RetryInfo',"
                + "'retryDelay':'0.05s'}]}}");
        try (var provider = FaultyProvider.start(FaultScript.of(Reply.json(429, limited)));
                ResilientClient client = client(provider, "gemini")) {
            ModelResponse response = client.call(CONTENT, CallOptions.none());
            assertThat(response.attempts().getFirst().failure().orElseThrow().suggestedDelay())
                    .hasValue(Duration.ofMillis(50));
            assertThat(response.text()).hasValue("two rivers");
        }
    }
}
