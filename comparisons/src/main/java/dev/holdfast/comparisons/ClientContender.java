package dev.holdfast.comparisons;

import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.Secret;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.transport.JdkTransport;
import dev.langchain4j.http.client.jdk.JdkHttpClientBuilder;
import dev.langchain4j.model.openai.OpenAiChatModel;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.Function;

/**
 * Clients that ask a model one question and read its answer. Each builds its request anew for every call, as an application
 * does; all have one client for all callers, and as many kept connections as there are callers.
 */
public enum ClientContender {
    /** The JDK's client and Jackson, with nothing around them: no retry, no timeout, no error handling. */
    BARE(server -> BareCaller.asItComes(server.baseUrl())),
    /** As it comes: retry, budget, deadline, breaker, idempotency keys. */
    HOLDFAST(server -> holdfast(server.baseUrl(), new JdkTransport())),
    /** The same where a name leads to the server: what Holdfast does in place for an address, it then does on threads. */
    HOLDFAST_BY_NAME(server -> holdfast(byName(server.baseUrl()), new JdkTransport())),
    /** The JDK's client told to work where things happen, as Holdfast tells it to for an address without TLS. */
    BARE_IN_PLACE(server -> BareCaller.inPlace(server.baseUrl())),
    /** The JDK's client by name and over TLS, as providers are asked. */
    BARE_OVER_TLS(server ->
            BareCaller.overTls(server.secureBaseUrl(), LoopbackTls.get().client())),
    /** Holdfast by name and over TLS. */
    HOLDFAST_OVER_TLS(server -> holdfast(
            server.secureBaseUrl(),
            JdkTransport.builder().sslContext(LoopbackTls.get().client()).build())),
    /** As it comes: on OkHttp, two retries. */
    OPENAI_JAVA(server -> openAiJava(server.baseUrl())),
    /** As it comes, on the JDK's client: two retries. */
    LANGCHAIN4J(server -> langChain4j(server.baseUrl()));

    static final String MODEL = "gpt-4.1";
    static final String QUESTION = "Name three rivers of Germany.";
    static final String ANSWER = "Rhine, Elbe, Danube.";
    static final String BODY = """
            {"id":"chatcmpl-1","object":"chat.completion","created":1767225600,"model":"gpt-4.1","choices":[{"index":0,\
            "message":{"role":"assistant","content":"%s","refusal":null},"logprobs":null,"finish_reason":"stop"}],\
            "usage":{"prompt_tokens":12,"completion_tokens":7,"total_tokens":19}}""".formatted(ANSWER);

    private static final String KEY = "sk-measuring-0123456789";

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Function<FixedServer, Caller> maker;

    ClientContender(Function<FixedServer, Caller> maker) {
        this.maker = maker;
    }

    /** {@return a client of the provider there} */
    Caller open(FixedServer server) {
        return maker.apply(server);
    }

    /** {@return whether it asks over TLS, and so has to be measured by the one that does too} */
    boolean isSecure() {
        return this == BARE_OVER_TLS || this == HOLDFAST_OVER_TLS;
    }

    private static URI byName(URI baseUrl) {
        return URI.create("http://localhost:" + baseUrl.getPort() + baseUrl.getPath());
    }

    private static Caller holdfast(URI baseUrl, JdkTransport transport) {
        var client = ResilientClient.builder()
                .endpoint(Endpoint.builder("loopback", baseUrl)
                        .credential(new Credential("default", Secret.of(KEY)))
                        .build())
                .transport(transport)
                .build();
        return new Caller() {
            @Override
            public String ask() {
                return client.call(ModelRequest.chat(MODEL).user(QUESTION).build())
                        .text()
                        .orElseThrow();
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }

    private static Caller openAiJava(URI baseUrl) {
        var client = OpenAIOkHttpClient.builder()
                .baseUrl(baseUrl.toString())
                .apiKey(KEY)
                .maxIdleConnections(256)
                .keepAliveDuration(Duration.ofMinutes(5))
                .build();
        return new Caller() {
            @Override
            public String ask() {
                return client.chat()
                        .completions()
                        .create(ChatCompletionCreateParams.builder()
                                .model(MODEL)
                                .addUserMessage(QUESTION)
                                .build())
                        .choices()
                        .getFirst()
                        .message()
                        .content()
                        .orElseThrow();
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }

    private static Caller langChain4j(URI baseUrl) {
        var model = OpenAiChatModel.builder()
                .baseUrl(baseUrl.toString())
                .apiKey(KEY)
                .modelName(MODEL)
                .httpClientBuilder(new JdkHttpClientBuilder()
                        .httpClientBuilder(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)))
                .build();
        return () -> model.chat(QUESTION);
    }
}
