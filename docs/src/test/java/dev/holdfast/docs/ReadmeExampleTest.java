package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The example of the README does what the README says. */
class ReadmeExampleTest {
    @Test
    void itPrintsTheTextAndTheAttempts() {
        var printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            ReadmeExample.main(new String[0]);
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .startsWith("Hello [#1 first gpt-4.1@local")
                .containsSubsequence(
                        "#1 first", ": overloaded 503", "#2 retry", ": rate_limited 429", "#3 retry", ": ok");
    }
}
