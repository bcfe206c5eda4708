package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Adjustment;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.Secret;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.CredentialSource;
import dev.holdfast.spi.CredentialSource.IssuedCredential;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The snippets of docs/dialects.md. */
class DialectSnippetsTest {
    @Test
    void oneClientForThreeVendors() {
        try (FaultyProvider down = FaultyProvider.start(FaultScript.always(Reply.status(503)));
                FaultyProvider healthy = FaultyProvider.start()) {
            Endpoint openAi = Endpoint.builder("openai", down.baseUrl()).build();
            Endpoint anthropic = Endpoint.builder("anthropic", healthy.baseUrl().resolve("/"))
                    .dialect("anthropic")
                    .build();
            Endpoint gemini = Endpoint.builder("gemini", healthy.baseUrl().resolve("/"))
                    .dialect("gemini")
                    .build();
            // snippet: dialects
            ResilientClient client = ResilientClient.builder()
                    .endpoint(openAi)
                    .endpoint(anthropic)
                    .endpoint(gemini)
                    .model(ModelSettings.of("gpt-4.1")
                            .withEndpoints("openai")
                            .withFallbacks("claude-sonnet-4-5", "gemini-2.5-flash"))
                    .model(ModelSettings.of("claude-sonnet-4-5").withEndpoints("anthropic"))
                    .model(ModelSettings.of("gemini-2.5-flash").withEndpoints("gemini"))
                    .retry(RetryPolicy.standard().withMaxAttempts(1))
                    .build();
            ModelResponse response = client.call(
                    ModelRequest.chat("gpt-4.1").user("Name three rivers.").build());
            List<Adjustment> changed = response.adjusted();
            // end
            assertThat(response.endpoint()).hasValue("anthropic");
            assertThat(response.text()).hasValue("Name three rivers.");
            assertThat(changed).extracting(Adjustment::pointer).contains("/max_tokens");
            client.close();
        }
    }

    @Test
    void endpointsOfEachVendor() {
        String openAiKey = "sk-proj-1";
        String azureKey = "0123456789abcdef0123456789abcdef";
        String anthropicKey = "sk-ant-api03-1";
        String geminiKey = "AIzaSy1";
        String mistralKey = "m1";
        // snippet: dialects-endpoints
        Endpoint openAi = Endpoint.openAi(Secret.of(openAiKey));
        Endpoint mistral = Endpoint.builder("mistral", URI.create("https://api.mistral.ai/v1"))
                .credential(Credential.of(mistralKey))
                .build();
        Endpoint azure =
                Endpoint.azure(URI.create("https://my-resource.openai.azure.com"), "2024-10-21", Secret.of(azureKey));
        Endpoint anthropic = Endpoint.anthropic(Secret.of(anthropicKey));
        Endpoint gemini = Endpoint.gemini(Secret.of(geminiKey));
        Endpoint vertex = Endpoint.vertex("my-project", "europe-west4");
        // end
        assertThat(List.of(openAi, mistral, azure, anthropic, gemini, vertex))
                .extracting(Endpoint::dialect)
                .containsExactly("openai", "openai", "azure", "anthropic", "gemini", "vertex");
    }

    @Test
    void tokensOfGoogleAreIssued() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint vertex = Endpoint.builder(
                            "vertex", provider.baseUrl().resolve("/v1/projects/my-project/locations/europe-west4"))
                    .dialect("vertex")
                    .build();
            // snippet: dialects-vertex
            CredentialSource tokens = request -> {
                String token = googleAccessToken();
                Instant expiry = Instant.now().plusSeconds(3_000);
                return new IssuedCredential(Credential.of(token), Optional.of(expiry));
            };
            ResilientClient client = ResilientClient.builder()
                    .endpoint(vertex)
                    .credentials("vertex", tokens)
                    .build();
            // end
            assertThat(client.call(
                                    ModelRequest.chat("gemini-2.5-flash")
                                            .user("Name three rivers.")
                                            .build(),
                                    CallOptions.none())
                            .text())
                    .hasValue("Name three rivers.");
            assertThat(provider.requests().getFirst().headers().first("authorization"))
                    .hasValue("Bearer ya29.token");
            client.close();
        }
    }

    private static String googleAccessToken() {
        return "ya29.token";
    }

    @Test
    void aRequestInAnthropicsForm() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint anthropic = Endpoint.builder(
                            "anthropic", provider.baseUrl().resolve("/"))
                    .dialect("anthropic")
                    .build();
            ResilientClient client =
                    ResilientClient.builder().endpoint(anthropic).build();
            // snippet: dialects-forms
            ModelRequest request = ModelRequest.of(
                    Form.ANTHROPIC_MESSAGES, JsonText.parse("""
                        {"model": "claude-sonnet-4-5", "max_tokens": 500,
                         "messages": [{"role": "user", "content": "Name three rivers."}]}
                        """).asObject().orElseThrow());
            ModelResponse response = client.call(request);
            JsonObject message = response.document();
            // end
            assertThat(message.text("type")).hasValue("message");
            client.close();
        }
    }
}
