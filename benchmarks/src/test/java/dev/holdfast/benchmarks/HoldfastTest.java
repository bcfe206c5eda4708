package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HoldfastTest {
    private static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens\n";

    private static final String PROGRESS = "holdfast: .*(left|in a second)";

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
        "table --profile storm, --profile storm: no such profile or file (expected: published",
        "table --show storm, --show: no profile 'storm' (expected: one of published",
        "table --speed 20, --speed 20.0 (expected: beside --real)",
        "table --real --speed 0, --speed 0.0 (expected: 0.1 to 1000)",
        "table --real --seeds 2, --seeds 2 (expected: 1 beside --real)",
        "table --real --json x.json, --json x.json (expected: nothing beside --real)",
        "table --jmh --profile flaky, --jmh (expected: the published profile",
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
                .contains("cell by cell", "contradicts the mean of exponential", "adaptive less each other row")
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
        assertThat(err.toString().lines()).allMatch(line -> line.matches(PROGRESS));
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

    @Test
    void aProfileIsShownAndItsCopyRuns() throws IOException {
        assertThat(run("table", "--show", "flaky")).isZero();
        Path copy =
                Files.writeString(directory.resolve("mine.json"), out.toString().replace("11/s", "5/s"));

        assertThat(run("table", "--requests", "50", "--profile", copy.toString()))
                .isZero();
        assertThat(out.toString()).contains("50 calls for each strategy, profile mine, seed 1");
    }

    @Test
    void aWrongProfileIsNamedByFileAndLine() throws IOException {
        Path mine = Files.writeString(directory.resolve("mine.json"), "{\n  \"arivals\": {}\n}\n");

        assertThat(run("table", "--profile", mine.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("--profile " + mine + ":2: unknown key \"arivals\" (expected: one of about, arrivals");
    }

    @Test
    void aTraceGoesWithAnyProfile() throws IOException {
        Path trace = Files.writeString(directory.resolve("t.csv"), HEADER + "2023-11-16 18:17:03,1,2\n");

        assertThat(run("table", "--profile", "long-tail", "--trace", trace.toString()))
                .isZero();
        assertThat(out.toString()).contains("1 call for each strategy, profile long-tail");
    }

    @Test
    void aFileOfResultsHasTheModeOfAnyNewFile() throws IOException {
        Path json = directory.resolve("table.json");
        Path other = Files.writeString(directory.resolve("other"), "");

        assertThat(run("table", "--requests", "20", "--json", json.toString())).isZero();
        assertThat(Files.getPosixFilePermissions(json)).isEqualTo(Files.getPosixFilePermissions(other));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskIsToldAfterTheTableAndIsAFailure() {
        assertThat(run("table", "--requests", "20", "--json", "/dev/full")).isEqualTo(1);
        assertThat(out.toString()).contains("smart-routing");
        assertThat(withoutProgress())
                .singleElement()
                .isEqualTo("holdfast: --json /dev/full: cannot be written: No space left on device");
    }

    @Test
    void anOutputThatCannotBeWrittenIsAFailure() {
        var full = new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        });
        var commandLine = Holdfast.commandLine().setOut(new PrintWriter(full)).setErr(new PrintWriter(err, true));

        assertThat(Holdfast.execute(commandLine, new String[] {"table", "--requests", "5"}, full))
                .isEqualTo(1);
        assertThat(withoutProgress())
                .containsExactly("holdfast: standard output: cannot be written, the output is not whole");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "table", "lab"})
    void theUsageThatTheLauncherPrintsIsTheCommandsOwn(String command) throws IOException {
        assertThat(run(command, "--help")).isZero();
        try (InputStream usage = Holdfast.class.getResourceAsStream("usage/" + command + ".txt")) {
            assertThat(usage).isNotNull();
            assertThat(new String(usage.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(out.toString());
        }
    }

    /** What a slow machine is told of how far the work is, is not what these tests are about. */
    private Stream<String> withoutProgress() {
        return err.toString().lines().filter(line -> !line.matches(PROGRESS));
    }

    private int run(String... args) {
        return Holdfast.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }
}
