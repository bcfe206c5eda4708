package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyFormsTest {
    private static final String REST = "TESTKEY-000000000000000000000000";

    @ParameterizedTest
    @CsvSource({
        "https://api.openai.com/v1, sk-ant-, Anthropic",
        "https://api.openai.com/v1, sk-or-v1-, OpenRouter",
        "https://api.openai.com/v1, gsk_, Groq",
        "https://eu.api.openai.com/v1, AIza, Google",
        "https://api.anthropic.com, sk-proj-, OpenAI",
        "https://api.anthropic.com, sk-, OpenAI",
        "https://generativelanguage.googleapis.com/v1beta, sk-, OpenAI",
        "https://api.groq.com/openai/v1, xai-, xAI",
        "https://api.x.ai/v1, gsk_, Groq",
        "https://openrouter.ai/api/v1, sk-proj-, OpenAI",
        "https://openrouter.ai/api/v1, sk-ant-, Anthropic",
        "https://my.openai.azure.com/openai, sk-, OpenAI",
        "https://api.deepseek.com, sk-ant-, Anthropic",
        "https://api.mistral.ai/v1, sk-, OpenAI",
        "https://us.holysheep.ai/v1, sk-ant-, Anthropic",
        "https://API.OpenAI.com/v1, sk-ant-, Anthropic"
    })
    void aKeyOfAnotherVendorIsRefusedByItsSettingsNameAndNeverTold(String url, String prefix, String vendor) {
        var builder =
                Endpoint.builder("main", URI.create(url)).credential(new Credential("spare", Secret.of(prefix + REST)));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("credential spare of endpoint main")
                .hasMessageContaining("looks like a key of " + vendor)
                .message()
                .doesNotContain("TESTKEY");
    }

    @ParameterizedTest
    @CsvSource({
        "https://api.openai.com/v1, sk-",
        "https://api.openai.com/v1, sk-proj-",
        "https://api.openai.com/v1, sk-svcacct-",
        "https://api.openai.com/v1, newer-form-",
        "https://api.anthropic.com, sk-ant-",
        "https://generativelanguage.googleapis.com/v1beta, AIza",
        "https://generativelanguage.googleapis.com/v1beta, AQ.",
        "https://aiplatform.googleapis.com/v1, ya29.",
        "https://api.groq.com/openai/v1, gsk_",
        "https://api.x.ai/v1, xai-",
        "https://openrouter.ai/api/v1, sk-or-v1-",
        "https://api.deepseek.com, sk-",
        "https://api.holysheep.ai/v1, sk-hs-",
        "https://my.openai.azure.com/openai, 0123456789abcdef",
        "https://llm.example.com/v1, sk-ant-",
        "https://api.openai.com.example.com/v1, gsk_",
        "https://notapi.x.ai.example/v1, sk-",
        "http://localhost:8080/v1, sk-ant-"
    })
    void aKeyOfTheVendorOrOfNoKnownOneAndAnyKeyElsewherePasses(String url, String prefix) {
        Endpoint endpoint = Endpoint.builder("main", URI.create(url))
                .credential(Credential.of(prefix + REST))
                .build();
        assertThat(endpoint.credentials()).hasSize(1);
    }

    @Test
    void openAisOwnEndpointRefusesThemToo() {
        assertThatThrownBy(() -> Endpoint.openAi(Secret.of("sk-ant-" + REST)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Anthropic");
    }
}
