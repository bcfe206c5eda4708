package dev.holdfast.core.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class QuotedTest {
    private static String hide(String prompt, String words) {
        return Quoted.of(ModelRequest.chat("gpt-4.1").user(prompt).build().document())
                .hide(words);
    }

    @Test
    void aLongerRunOfThePromptIsHiddenWhereverItStands() {
        String prompt = "My name is Ada Lovelace and I live at 12 Example Street. Please write a letter.";
        assertThat(hide(prompt, "Invalid content near name is Ada Lovelace and I live at: rejected"))
                .isEqualTo("Invalid content near ***: rejected")
                .doesNotContain("Ada");
    }

    @Test
    void whatStandsInQuotesIsHiddenHoweverShort() {
        assertThat(hide("Tell me about Ada please", "Could not parse 'Ada' as JSON"))
                .isEqualTo("Could not parse '***' as JSON");
        assertThat(hide("Tell me about Ada please", "Could not parse Ada as JSON"))
                .as("a single common word tells little")
                .isEqualTo("Could not parse Ada as JSON");
    }

    @Test
    void aWholePromptIsHiddenHoweverShort() {
        assertThat(hide("Hi Bob", "Rejected input: Hi Bob.")).isEqualTo("Rejected input: ***.");
    }

    @Test
    void codesNumbersAndAddressesAreHidden() {
        String prompt = "Ticket PRIVATE-MARKER-42 of ada@example.org, card 4111111111111111, x.";
        assertThat(hide(prompt, "bad PRIVATE-MARKER-42 and ada@example.org and 4111111111111111"))
                .isEqualTo("bad *** and *** and ***");
    }

    @Test
    void theProvidersOwnWordsStay() {
        String prompt = "What is the maximum context length of gpt-4.1, is it 8192 tokens?";
        assertThat(hide(prompt, "This model's limit is 8192 tokens; model gpt-4.1 does not support `audio`."))
                .isEqualTo("This model's limit is 8192 tokens; model gpt-4.1 does not support `audio`.");
        assertThat(hide("Name three rivers.", "Rate limit reached for gpt-4.1: try again in 20s."))
                .isEqualTo("Rate limit reached for gpt-4.1: try again in 20s.");
    }

    @Test
    void escapesBlanksAndCaseDoNotMatter() {
        assertThat(hide("line one\nline \"two\" of my secret", "Body: {\"content\":\"LINE ONE\\nline \\\"two\\\" of"))
                .doesNotContainIgnoringCase("line one");
        assertThat(hide("line one\n\n line two of my secret", "saw line one line two of my secret here"))
                .isEqualTo("saw *** here");
        assertThat(hide("Straße \u00e4 geheim geheim geheim", "saw stra\\u00dfe \\u00e4 geheim geheim here"))
                .isEqualTo("saw *** here");
    }

    @Test
    void scriptsWithoutBlanksCount() {
        assertThat(hide("김철수의 주민등록번호를 알려줘", "content blocked: 김철수의 주민등록번호")).isEqualTo("content blocked: ***");
    }

    @Test
    void everyTextOfTheRequestCountsButWordsOfTheProtocol() {
        JsonObject request = ModelRequest.chat("gpt-4.1")
                .system("the hidden system instruction text")
                .user("hello there")
                .build()
                .document()
                .with("metadata", JsonObject.of("case", JsonValue.of("secret case number 4711-A")));
        Quoted quoted = Quoted.of(request);
        assertThat(quoted.hide("at the hidden system instruction text")).isEqualTo("at ***");
        assertThat(quoted.hide("at secret case number 4711-A")).isEqualTo("at ***");
        assertThat(quoted.hide("unknown role 'user'")).isEqualTo("unknown role 'user'");
        assertThat(quoted).hasToString("Quoted[3 texts]");
    }

    @Property
    void noLongerRunOfThePromptIsLeft(
            @ForAll("prompts") String prompt, @ForAll @StringLength(max = 30) String before, @ForAll("cuts") int cut) {
        String piece = prompt.substring(Math.min(cut, prompt.length() / 2));
        String hidden = hide(prompt, before + " " + piece + " .");
        assertThat(hidden.toLowerCase(Locale.ROOT)).doesNotContain(piece.strip().toLowerCase(Locale.ROOT));
    }

    @Provide
    Arbitrary<String> prompts() {
        return Arbitraries.strings()
                .withChars("abcdefghij klmnop")
                .ofMinLength(60)
                .ofMaxLength(200)
                .map(text -> "x" + text.replaceAll(" +", " ").strip() + "yyyyyyyyyyyyyyyyyyyyyy");
    }

    @Provide
    Arbitrary<Integer> cuts() {
        return Arbitraries.integers().between(0, 30);
    }

    @Property
    void theRunsAreThoseThatASearchFinds(
            @ForAll("few") String text, @ForAll @Size(max = 4) List<@net.jqwik.api.From("few") String> others) {
        var runs = new Runs(text);
        others.forEach(runs::follow);
        var found = new ArrayList<String>();
        runs.forEach((start, end) -> found.add(text.substring(start, end) + "@" + start));
        assertThat(found).containsExactlyElementsOf(searched(text, others));
    }

    @Provide
    Arbitrary<String> few() {
        return Arbitraries.strings().withChars("ab가").ofMaxLength(12);
    }

    private static List<String> searched(String text, List<String> others) {
        var found = new ArrayList<String>();
        for (int end = 1; end <= text.length(); end++) {
            int start = 0;
            while (start < end && !occurs(text.substring(start, end), others)) {
                start++;
            }
            boolean goesOn = end < text.length() && start < end && occurs(text.substring(start, end + 1), others);
            if (start < end && !goesOn) {
                found.add(text.substring(start, end) + "@" + start);
            }
        }
        return found;
    }

    private static boolean occurs(String piece, List<String> others) {
        return others.stream().anyMatch(other -> other.contains(piece));
    }

    @Test
    void hostilePromptsTakeNoLongerThanOthers() {
        String same = "a".repeat(3_000_000);
        assertThat(hide(same, "a".repeat(10_000))).isEqualTo("***");
        String pattern = "ab".repeat(1_000_000);
        assertThat(hide(pattern, "ba".repeat(499) + "c" + "ab".repeat(500))).contains("***");
    }
}
