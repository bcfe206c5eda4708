package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HoldfastTest {
    private static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens\n";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "nonsense, nonsense",
        "--nonsense, --nonsense",
        "table --nonsense, --nonsense",
        "table extra, extra",
        "table --requests 0, --requests 0 (expected: 1 to 1000000)",
        "table --requests -5, --requests -5 (expected",
        "table --requests many, many",
        "table --requests 99999999999, 99999999999",
        "table --requests, --requests",
        "table --seeds 0, --seeds 0 (expected: 1 to 10000)",
        "table --seed x, x",
        "table --trace /none/such.csv, --trace /none/such.csv: no such file",
        "table --json /none/such/table.json, --json /none/such/table.json: cannot be written",
        "table --json /, --json /: is a directory",
        "demo --nonsense, --nonsense",
    })
    void wrongInputIsOneLineAndExitCodeTwo(String line, String named) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("holdfast: ")
                .contains(named);
    }

    @Test
    void aMalformedRowIsNamedByItsLine() throws IOException {
        Path trace = Files.writeString(directory.resolve("t.csv"), HEADER + "2023-11-16 18:17:03,1,2\nrubbish\n");

        assertThat(run("table", "--trace", trace.toString())).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("t.csv: line 3: 1 fields (expected: 3");
    }

    @Test
    void moreRequestsThanTheTraceHasAreRefused() throws IOException {
        Path trace = Files.writeString(directory.resolve("t.csv"), HEADER + "2023-11-16 18:17:03,1,2\n");

        assertThat(run("table", "--requests", "2", "--trace", trace.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("--requests 2: the trace has fewer (expected: 1 to 1)");
    }

    @Test
    void theTableIsPrintedAndWritten() {
        Path json = directory.resolve("table.json");

        assertThat(run("table", "--requests", "300", "--seed", "4", "--seeds", "2", "--json", json.toString()))
                .isZero();
        assertThat(out.toString())
                .contains("300 calls for each strategy, profile published, mean over seeds 4 to 5")
                .contains("none", "fixed", "exponential", "exponential-jitter", "smart-routing", "defaults")
                .contains("published", "difference")
                .doesNotContain("\r");
        assertThat(json).content().contains("\"requests\":300,\"seeds\":2");
    }

    @Test
    void aTraceOfOneRequestIsEnough() throws IOException {
        Path trace = Files.writeString(directory.resolve("t.csv"), HEADER + "2023-11-16 18:17:03,1,2\n");

        assertThat(run("table", "--trace", trace.toString())).isZero();
        assertThat(out.toString()).contains("1 call for each strategy, profile trace, seed 1");
    }

    @Test
    void oneRequestIsEnough() {
        assertThat(run("table", "--requests", "1")).isZero();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void helpAndVersionGoToStandardOutput() {
        assertThat(run("--help")).isZero();
        assertThat(run("table", "--help")).isZero();
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).contains("demo", "table", "jmh", "--seeds", "holdfast ");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theDemoTellsEachAttemptAndEndsWithAnswers() {
        assertThat(run("demo")).isZero();
        assertThat(out.toString())
                .contains("attempt 1", "503 overloaded", "429 rate_limited", "as the provider asked")
                .contains("connection", "attempt 4", "answer: The Rhine, the Elbe and the Danube.", "4 attempts")
                .contains("goes to claude-sonnet-4.5", "answer: The Zugspitze", "Without Holdfast")
                .doesNotContain("\u001b");
        assertThat(err.toString()).isEmpty();
    }

    private int run(String... args) {
        return Holdfast.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }
}
