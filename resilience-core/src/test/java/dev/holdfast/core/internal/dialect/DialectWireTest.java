package dev.holdfast.core.internal.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.Secret;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.Dialect.OutgoingRequest;
import dev.holdfast.spi.Dialect.WireRequest;
import dev.holdfast.spi.DialectException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where requests go, as whom, and what of their documents is changed on the way. */
class DialectWireTest {
    private static final String TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2ln";

    private final ModelRequest chat = ModelRequest.chat("gpt-4.1").user("hi").build();
    private final ModelRequest messages = ModelRequest.of(
            Form.ANTHROPIC_MESSAGES,
            OpenAiDialectTest.json(
                    "{'max_tokens':1.0e1,'model':'claude','messages':[{'role':'user','content':'x'}],'new':{'b':1,'a':2}}"));
    private final ModelRequest content = ModelRequest.of(
            Form.GEMINI_CONTENT,
            "gemini-2.5-flash",
            OpenAiDialectTest.json("{'generationConfig':{'temperature':1.0},'contents':[{'parts':[{'text':'x'}]}]}"));

    private static WireRequest encode(ModelRequest request, String model, Endpoint endpoint) throws DialectException {
        Dialect dialect = BuiltInDialects.all().stream()
                .filter(each -> each.name().equals(endpoint.dialect()))
                .findFirst()
                .orElseThrow();
        return dialect.encodeRequest(new OutgoingRequest(
                request, model, endpoint, endpoint.credentials().stream().findFirst()));
    }

    private static ModelRequest streamed(ModelRequest request) {
        return request.withDocument(request.document().with("stream", JsonValue.of(true)));
    }

    private static Endpoint.Builder endpoint(String dialect, String base) {
        return Endpoint.builder("e", URI.create(base)).dialect(dialect);
    }

    private static Endpoint withKey(Endpoint.Builder builder, String key) {
        return builder.credential(Credential.of(key)).build();
    }

    @Test
    void azureHasADeploymentInThePathAndAVersionInTheQuery() throws DialectException {
        Endpoint azure = Endpoint.azure(
                URI.create("https://r.openai.azure.com"), "2024-10-21", Secret.of("0123456789abcdef0123456789abcdef"));
        WireRequest wire = encode(chat, "my deployment", azure);
        assertThat(wire.uri())
                .hasToString("https://r.openai.azure.com/openai/deployments/my%20deployment/chat/completions"
                        + "?api-version=2024-10-21");
        assertThat(wire.headers().first("api-key")).hasValue("0123456789abcdef0123456789abcdef");
        assertThat(wire.headers().first("authorization")).isEmpty();
        assertThat(encode(ModelRequest.opaque("/embeddings", "e", JsonObject.empty()), "e", azure)
                        .uri())
                .hasToString("https://r.openai.azure.com/openai/deployments/e/embeddings?api-version=2024-10-21");
    }

    @Test
    void whatHasNoFormGoesWhereTheServerHasItWithTheServersOwnKey() throws DialectException {
        String azureKey = "0123456789abcdef0123456789abcdef";
        Endpoint azure = Endpoint.azure(URI.create("https://r.openai.azure.com"), "v", Secret.of(azureKey));
        JsonObject document = (JsonObject) JsonText.parse("{\"model\":\"m\",\"z\":1.50,\"a\":[1e2]}");
        assertOpaque(
                "/responses", azure, document, "https://r.openai.azure.com/openai/responses?api-version=v", "api-key");
        assertOpaque(
                "images/generations?x=1",
                azure,
                document,
                "https://r.openai.azure.com/openai/deployments/m/images/generations?x=1&api-version=v",
                "api-key");
        Endpoint claude = Endpoint.anthropic(Secret.of("sk-ant-api03-x"));
        for (String path : List.of("/messages/count_tokens", "/v1/messages/count_tokens", "v1/messages/count_tokens")) {
            assertOpaque(path, claude, document, "https://api.anthropic.com/v1/messages/count_tokens", "x-api-key");
        }
        Endpoint gemini = Endpoint.gemini(Secret.of("AIzaSyTest"));
        for (String path : List.of("/models/m:countTokens", "/v1beta/models/m:countTokens")) {
            assertOpaque(
                    path,
                    gemini,
                    document,
                    "https://generativelanguage.googleapis.com/v1beta/models/m:countTokens",
                    "x-goog-api-key");
        }
        Endpoint openAi = Endpoint.openAi(Secret.of("sk-proj-x"));
        assertOpaque("/embeddings", openAi, document, "https://api.openai.com/v1/embeddings", "authorization");
    }

    private static void assertOpaque(String path, Endpoint endpoint, JsonObject document, String uri, String keyField)
            throws DialectException {
        WireRequest wire = encode(ModelRequest.opaque(path, "m", document), "m", endpoint);
        assertThat(wire.uri()).hasToString(uri);
        assertThat(wire.body().toUtf8()).isEqualTo(document.toJson());
        assertThat(List.of("authorization", "api-key", "x-api-key", "x-goog-api-key"))
                .filteredOn(name -> wire.headers().first(name).isPresent())
                .containsExactly(keyField);
    }

    @Test
    void azureKnowsTheOtherFormsOfItsUrls() throws DialectException {
        String key = "0123456789abcdef0123456789abcdef";
        Endpoint.Builder newer = endpoint("azure", "https://r.openai.azure.com/openai/v1/");
        assertThat(encode(chat, "d", withKey(newer, key)).uri())
                .hasToString("https://r.openai.azure.com/openai/v1/chat/completions");
        assertThat(encode(chat, "d", withKey(newer.apiVersion("preview"), key)).uri())
                .hasToString("https://r.openai.azure.com/openai/v1/chat/completions?api-version=preview");
        Endpoint.Builder inUrl = endpoint("azure", "https://r.openai.azure.com/openai?api-version=7");
        assertThat(encode(chat, "d", withKey(inUrl, key)).uri())
                .hasToString("https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=7");
        Endpoint.Builder foundry =
                endpoint("azure", "https://r.services.ai.azure.com/models").apiVersion("2024-05-01-preview");
        assertThat(encode(chat, "d", withKey(foundry, key)).uri())
                .hasToString("https://r.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview");
        Endpoint.Builder deployment = endpoint("azure", "https://r.openai.azure.com/openai/deployments/x")
                .apiVersion("1");
        assertThat(encode(chat, "d", withKey(deployment, key)).uri())
                .hasToString("https://r.openai.azure.com/openai/deployments/x/chat/completions?api-version=1");
    }

    @Test
    void aTokenGoesToAzureAsBearer() throws DialectException {
        WireRequest wire = encode(chat, "d", withKey(endpoint("azure", "https://r.openai.azure.com/openai/v1"), TOKEN));
        assertThat(wire.headers().first("authorization")).hasValue("Bearer " + TOKEN);
        assertThat(wire.headers().first("api-key")).isEmpty();
    }

    @Test
    void whatAnEndpointLacksIsSaidWhenTheClientIsBuiltWithTheFix() {
        Endpoint azure = endpoint("azure", "https://r.openai.azure.com").build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResilientClient.builder().endpoint(azure).build())
                .withMessageContaining("api-version of endpoint e")
                .withMessageContaining("/openai/v1");
        assertThatExceptionOfType(DialectException.class)
                .isThrownBy(() -> encode(chat, "d", azure))
                .withMessageContaining("api-version");
        Endpoint vertex = endpoint("vertex", "https://us-central1-aiplatform.googleapis.com")
                .build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResilientClient.builder().endpoint(vertex).build())
                .withMessageContaining("base-url of endpoint e")
                .withMessageContaining("Endpoint.vertex(project, location)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Endpoint.vertex("a/b", "x"))
                .withMessageContaining("project");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Endpoint.vertex("p", "evil.example/x"))
                .withMessageContaining("location");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> endpoint("azure", "https://h").apiVersion(" "))
                .withMessageContaining("api-version of endpoint e");
    }

    @Test
    void anthropicGetsItsKeyVersionAndBetas() throws DialectException {
        WireRequest wire = encode(messages, "claude-sonnet-4-5", Endpoint.anthropic(Secret.of("sk-ant-api03-x")));
        assertThat(wire.uri()).hasToString("https://api.anthropic.com/v1/messages");
        assertThat(wire.headers().first("x-api-key")).hasValue("sk-ant-api03-x");
        assertThat(wire.headers().first("anthropic-version")).hasValue("2023-06-01");
        assertThat(wire.headers().first("authorization")).isEmpty();
        assertThat(wire.body().toUtf8())
                .isEqualTo(messages.document().toJson().replace("\"claude\"", "\"claude-sonnet-4-5\""));

        Endpoint own = withKey(
                endpoint("anthropic", "https://h.example/proxy/v1?x=1")
                        .header("anthropic-beta", "context-1m-2025-08-07")
                        .header("anthropic-version", "2099-01-01"),
                "sk-ant-oat01-x");
        WireRequest other = encode(streamed(messages), "claude", own);
        assertThat(other.uri()).hasToString("https://h.example/proxy/v1/messages?x=1");
        assertThat(other.headers().all("anthropic-version")).containsExactly("2099-01-01");
        assertThat(other.headers().first("anthropic-beta")).hasValue("context-1m-2025-08-07");
        assertThat(other.headers().first("authorization")).hasValue("Bearer sk-ant-oat01-x");
        assertThat(other.headers().first("accept")).hasValue("text/event-stream");
        assertThat(encode(
                                ModelRequest.opaque("/messages/count_tokens", "m", JsonObject.empty()),
                                "m",
                                endpoint("anthropic", "https://h")
                                        .apiVersion("v")
                                        .build())
                        .uri())
                .hasToString("https://h/v1/messages/count_tokens");
    }

    @Test
    void geminiSaysModelAndStreamInThePath() throws DialectException {
        Endpoint gemini = Endpoint.gemini(Secret.of("AIzaSyTest"));
        WireRequest wire = encode(content, "gemini-2.5-flash", gemini);
        assertThat(wire.uri())
                .hasToString(
                        "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent");
        assertThat(wire.headers().first("x-goog-api-key")).hasValue("AIzaSyTest");
        assertThat(wire.body().toUtf8()).isEqualTo(content.document().toJson());

        WireRequest stream = encode(streamed(content), "tunedModels/x y", gemini);
        assertThat(stream.uri())
                .hasToString("https://generativelanguage.googleapis.com/v1beta/tunedModels/x%20y"
                        + ":streamGenerateContent?alt=sse");
        assertThat(stream.body().toUtf8()).isEqualTo(content.document().toJson());
        assertThat(encode(content, "m", withKey(endpoint("gemini", "https://h/v1"), "k"))
                        .uri())
                .hasToString("https://h/v1/models/m:generateContent");
        assertThat(encode(content, "m", withKey(endpoint("gemini", "https://h").apiVersion("v1alpha"), "k"))
                        .uri())
                .hasToString("https://h/v1alpha/models/m:generateContent");
    }

    @Test
    void aModelsNameLeadsNowhereElse() {
        Endpoint gemini = Endpoint.gemini(Secret.of("AIzaSyTest"));
        for (String name : List.of("../../v1/files", "a/../../b", "..")) {
            assertThatExceptionOfType(DialectException.class)
                    .as(name)
                    .isThrownBy(() -> encode(content, name + "/x", gemini))
                    .withMessageStartingWith("/");
        }
    }

    @Test
    void vertexHasAPublisherBelowProjectAndLocationAndATokenAsKey() throws DialectException {
        Endpoint vertex = Endpoint.vertex("my-project", "europe-west4");
        assertThat(vertex.region()).hasValue("europe-west4");
        WireRequest wire = new VertexDialect()
                .encodeRequest(new OutgoingRequest(
                        content, "gemini-2.5-pro", vertex, Optional.of(Credential.of("ya29.token"))));
        assertThat(wire.uri())
                .hasToString(
                        "https://europe-west4-aiplatform.googleapis.com/v1/projects/my-project/locations/europe-west4"
                                + "/publishers/google/models/gemini-2.5-pro:generateContent");
        assertThat(wire.headers().first("authorization")).hasValue("Bearer ya29.token");
        assertThat(encode(streamed(content), "m", Endpoint.vertex("p", "global"))
                        .uri())
                .hasToString("https://aiplatform.googleapis.com/v1/projects/p/locations/global"
                        + "/publishers/google/models/m:streamGenerateContent?alt=sse");
        WireRequest express =
                encode(content, "m", withKey(endpoint("vertex", "https://aiplatform.googleapis.com"), "AQ.x"));
        assertThat(express.uri())
                .hasToString("https://aiplatform.googleapis.com/v1/publishers/google/models/m:generateContent");
        assertThat(express.headers().first("x-goog-api-key")).hasValue("AQ.x");
    }

    @Test
    void mistralIsNotAskedForWhatItRefuses() throws DialectException {
        Endpoint mistral = withKey(endpoint("openai", "https://api.mistral.ai/v1"), "k");
        WireRequest unasked = encode(streamed(chat), "m", mistral);
        assertThat(unasked.body().toUtf8()).doesNotContain("stream_options");
        assertThat(unasked.adjusted()).isEmpty();
        ModelRequest asking = streamed(chat);
        asking = asking.withDocument(
                asking.document().with("stream_options", JsonObject.of("include_usage", JsonValue.of(true))));
        WireRequest asked = encode(asking, "m", mistral);
        assertThat(asked.body().toUtf8()).doesNotContain("stream_options");
        assertThat(asked.adjusted())
                .singleElement()
                .satisfies(each -> assertThat(each.pointer()).isEqualTo("/stream_options"));
        assertThat(encode(streamed(chat), "m", withKey(endpoint("openai", "https://h/v1"), "k"))
                        .body()
                        .toUtf8())
                .contains("stream_options");
    }

    @Test
    void aDialectRefusesAnotherForm() {
        for (Dialect dialect : BuiltInDialects.all()) {
            ModelRequest foreign = dialect.form() == Form.OPENAI_CHAT ? messages : chat;
            Endpoint any = endpoint(dialect.name(), "https://h/v1").build();
            assertThatExceptionOfType(DialectException.class)
                    .as(dialect.name())
                    .isThrownBy(() -> encode(foreign, "m", any))
                    .withMessageContaining("expected: " + dialect.form());
        }
    }

    @Test
    void keysOfAnotherVendorAreRefusedAtAzuresHostsToo() {
        for (String host : List.of("r.openai.azure.com", "r.services.ai.azure.com", "r.cognitiveservices.azure.com")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> withKey(endpoint("azure", "https://" + host), "sk-proj-x"))
                    .withMessageContaining("Azure");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> Endpoint.gemini(Secret.of("sk-ant-x")));
        assertThatIllegalArgumentException().isThrownBy(() -> Endpoint.anthropic(Secret.of("AIzaX")));
    }
}
