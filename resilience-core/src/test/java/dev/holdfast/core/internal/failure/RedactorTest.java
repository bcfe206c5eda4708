package dev.holdfast.core.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Secret;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** No key leaves with an error, and no error forges a line of a log. */
class RedactorTest {
    private final Redactor patterns = Redactor.of(List.of());

    @Test
    void keysByTheirLooks() {
        assertThat(patterns.clean("Incorrect API key provided: sk-TESTKEY-000000000000000000000000."))
                .isEqualTo("Incorrect API key provided: ***.");
        assertThat(patterns.clean("Authorization: Bearer abc.def-123456")).doesNotContain("abc.def");
        assertThat(patterns.clean("GET https://h/v1?key=AbC123&x=1")).isEqualTo("GET https://h/v1?key=***&x=1");
        assertThat(patterns.clean("https://user:pa55@host/x")).doesNotContain("pa55");
        assertThat(patterns.clean("AIzaSyA1234567890abcdefghij")).isEqualTo("***");
        assertThat(patterns.clean("gsk_abcdefghijklmnop hf_abcdefghijklmnop xai-abcdefgh"))
                .isEqualTo("*** *** ***");
        assertThat(patterns.clean("token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"))
                .isEqualTo("token ***");
        assertThat(patterns.clean("{\"api_key\":\"0123456789abcdef\"}")).doesNotContain("0123456789abcdef");
    }

    @Test
    void ordinaryWordsStay() {
        for (String text : List.of(
                "Basic functionality of the task-runner",
                "missing Bearer authentication",
                "Invalid API key: wrong",
                "Unexpected token in line 3",
                "gpt-4.1-mini is overloaded")) {
            assertThat(patterns.clean(text)).isEqualTo(text);
        }
    }

    @Property
    void configuredSecretsAreGoneWhateverTheyLookLike(
            @ForAll @AlphaChars @NumericChars @StringLength(min = 4, max = 40) String key,
            @ForAll @StringLength(max = 80) String before,
            @ForAll @StringLength(max = 80) String after) {
        String cleaned = Redactor.of(List.of(Secret.of(key))).clean(before + key + after);
        assertThat(cleaned).doesNotContain(key);
    }

    @Test
    void aSecretWithinAnotherDoesNotLeaveItsRest() {
        Redactor both = Redactor.of(List.of(Secret.of("abcd1"), Secret.of("abcd1-longer")));
        assertThat(both.clean("x abcd1-longer y abcd1")).isEqualTo("x *** y ***");
        assertThat(both.toString()).doesNotContain("abcd1");
    }

    @Test
    void ofSecretsThatOverlapNothingIsLeft() {
        Redactor both = Redactor.of(List.of(Secret.of("abcd-1234"), Secret.of("1234-wxyz")));
        assertThat(both.clean("x abcd-1234-WXYZ y")).isEqualTo("x *** y");
    }

    @Test
    void longCredentialsInAnAddressAreHiddenToo() {
        assertThat(patterns.clean("https://" + "u".repeat(300) + ":" + "p".repeat(300) + "@host/x"))
                .isEqualTo("https://***@host/x");
    }

    @Test
    void aShortSecretIsHiddenAsAWord() {
        assertThat(Redactor.of(List.of(Secret.of("me"))).clean("the message is for me."))
                .isEqualTo("the message is for ***.");
    }

    /** No key is left to be read, at the price of words that are not it: the page of errors says so. */
    @Test
    void aSecretThatIsACommonWordHidesTheWordEverywhere() {
        Redactor common = Redactor.of(List.of(Secret.of("EMPTY"), Secret.of("test")));
        assertThat(common.clean("the latest answer is empty")).isEqualTo("the la*** answer is ***");
    }

    @Test
    void oneShortLine() {
        assertThat(patterns.clean("a\r\nWARN forged\u001b[31m\u2028line\u202e \t b"))
                .isEqualTo("a WARN forged [31m line b");
        assertThat(patterns.clean("x".repeat(2000))).hasSize(500).endsWith("…");
        assertThat(patterns.clean("😀".repeat(2000))).endsWith("😀…");
    }

    @Property
    void whatIsCleanIsOneLineOfText(@ForAll String text) {
        String cleaned = patterns.clean(text);
        assertThat(cleaned.length()).isLessThanOrEqualTo(500);
        assertThat(cleaned.chars().noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029))
                .isTrue();
        assertThat(new String(
                        cleaned.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                        java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo(cleaned);
    }

    @Test
    void pagesAreReducedToTheirTitle() {
        assertThat(patterns.clean("<!DOCTYPE html><html><title>api.x.com | 524: A timeout\noccurred</title><body>…"))
                .isEqualTo("HTML page: api.x.com | 524: A timeout occurred");
        assertThat(patterns.clean("<html><body>sorry")).isEqualTo("HTML page");
    }

    @Test
    void identifiersAreShortAndClean() {
        assertThat(patterns.identifier("req_123")).hasValue("req_123");
        assertThat(patterns.identifier("x".repeat(129))).isEmpty();
        assertThat(patterns.identifier(" \n ")).isEmpty();
        assertThat(patterns.identifier("sk-abcdefghijkl")).hasValue("***");
    }

    @Test
    void halfAKeyAtTheEndOfALongTextIsNotPrinted() {
        String key = "0123456789abcdef0123456789abcdef";
        Redactor redactor = Redactor.of(List.of(Secret.of(key)));
        for (int cut = 1; cut < key.length(); cut++) {
            String text = " ".repeat(64 * 1024 - cut) + key;
            assertThat(redactor.clean(text)).doesNotContain(key.substring(0, Math.max(4, cut)));
        }
        assertThat(redactor.clean("<html><title>" + "x".repeat(280) + " " + key + "</title></html>"))
                .doesNotContain(key.substring(0, 6));
        assertThat(redactor.clean("upper " + key.toUpperCase(java.util.Locale.ROOT)))
                .isEqualTo("upper ***");
    }
}
