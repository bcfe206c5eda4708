package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTest {
    private static final String KEY = "sk-TESTKEY-000000000000000000000000";

    @Test
    void aKeyReadWithItsLineEndIsTrimmed() {
        assertThat(Secret.of(KEY + "\r\n").reveal()).isEqualTo(KEY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sk-a\tb", "sk-a b", "sk-\u00e9", "sk-a\nb", "sk-a\u0000b"})
    void whatCannotStandInAHeaderIsRefusedByItsSettingAndNotByItsValue(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Secret.of("openai api-key", key))
                .withMessageStartingWith("openai api-key: a character at position")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("sk-"));
    }

    @Test
    @SuppressWarnings("NullAway")
    void anEnvironmentVariableThatIsNotSetIsToldByTheSetting() {
        assertThatThrownBy(() -> Secret.of("api-key", null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageStartingWith("api-key: null (expected: a key");
    }

    @Test
    void aBlankKeyIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Secret.of(" \n"))
                .withMessage("api-key: blank (expected: a key)");
    }

    @Property
    void noSecretIsEverPrinted(@ForAll @CharRange(from = '!', to = '~') @StringLength(min = 8, max = 60) String key) {
        Credential credential = Credential.of(key);
        Endpoint endpoint = Endpoint.builder("e", URI.create("https://example.test/v1"))
                .credential(credential)
                .build();
        assertThat(Secret.of(key)).hasToString("***");
        assertThat(credential).hasToString("Credential[name=default, secret=***]");
        assertThat(endpoint).hasToString("Endpoint[e, https://example.test/v1, openai]");
        assertThat(Headers.of(
                        "Authorization", "Bearer " + key, "api-key", key, "X-Api-Key", key, "x-goog-api-key", key))
                .hasToString("Headers[Authorization: ***, api-key: ***, X-Api-Key: ***, x-goog-api-key: ***]");
    }

    @Test
    void headersThatAreNoSecretStayReadableAndOthersCanBeHidden() {
        Headers headers = Headers.of(
                "OpenAI-Organization",
                "org-public",
                "X-Custom",
                KEY,
                "Idempotency-Key",
                "k1",
                "x-ratelimit-limit-tokens",
                "5");
        assertThat(headers.toString(Set.of("x-custom")))
                .isEqualTo("Headers[OpenAI-Organization: org-public, X-Custom: ***, Idempotency-Key: k1,"
                        + " x-ratelimit-limit-tokens: 5]");
    }

    @Test
    void equalSecretsAreEqual() {
        assertThat(Secret.of(KEY)).isEqualTo(Secret.of(KEY)).hasSameHashCodeAs(Secret.of(KEY));
        assertThat(Secret.of(KEY)).isNotEqualTo(Secret.of(KEY + "x"));
    }

    @Test
    void aKeyDoesNotTravelOverPlainHttpToAnotherMachine() {
        URI remote = URI.create("http://api.example.test/v1");
        assertThatThrownBy(() -> Endpoint.builder("far", remote)
                        .credential(Credential.of(KEY))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("base-url of endpoint far: plain http would show the key")
                .hasMessageNotContaining(KEY);
        assertThat(Endpoint.builder("far", remote)
                        .credential(Credential.of(KEY))
                        .allowPlainHttp(true)
                        .build())
                .isNotNull();
        assertThat(Endpoint.builder("near", URI.create("http://127.0.0.1:8080/v1/"))
                        .credential(Credential.of(KEY))
                        .build()
                        .baseUrl())
                .hasToString("http://127.0.0.1:8080/v1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"api.example.test/v1", "ftp://x/y", "https:///v1", "https://user:pw@example.test/v1"})
    void aBaseUrlThatIsNoneIsRefused(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Endpoint.builder("e", URI.create(url)))
                .withMessageStartingWith("base-url of endpoint e: ")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("pw"));
    }
}
