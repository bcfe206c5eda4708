package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    private int run(String... args) {
        return Holdfast.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--policy storm | --policy storm: no such policy or file (expected: none, fixed, ",
                "--profile storm | --profile storm: no such profile or file (expected: published",
                "--sweep retry.max-attempt=1 | --sweep retry.max-attempt: unknown key max-attempt (expected: perhaps max-attempts",
                "--sweep retry.max-attempts=one | --sweep retry.max-attempts: one (expected: a whole number, 1 to 1000)",
                "--sweep retry.max-attempts | --sweep retry.max-attempts: without values (expected: key=a,b,c)",
                "--sweep retry.max-attempts=1 --sweep retry.max-attempts=2 | --sweep ",
                "--trace /none/such.csv | --trace /none/such.csv: no such file",
                "--objective succes>=99 | --objective 'succes': no measure (expected: one of success",
                "--objective success>=many | --objective 'success>=many': neither a bound nor a goal (expected: a form",
                "--requests 0 | --requests 0 (expected: 1 to 1000000)",
                "--seeds 0 | --seeds 0 (expected: 1 to 10000)",
                "--models some | --models",
                "--csv /none/such/lab.csv | --csv /none/such/lab.csv: cannot be written",
                "--html / | --html /: is a directory",
                "--show storm | --show no policy 'storm' (expected: one of none",
            })
    void wrongInputIsOneLineAndExitCodeTwo(String line, String named) {
        assertThat(run(Stream.concat(Stream.of("lab"), Stream.of(line.split(" ")))
                        .toArray(String[]::new)))
                .isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("holdfast: ")
                .contains(named);
    }

    @Test
    void aFaultyPolicyOrProfileIsToldWithFileLineAndFix() throws IOException {
        Path policy = Files.writeString(directory.resolve("p.json"), "{\n\"retry\": {\n\"max-attempt\": 2}}");
        Path profile = Files.writeString(
                directory.resolve("w.json"),
                "{\"arrivals\": {\"process\": \"ticks\", \"rate\": \"1/s\"},\n\"streamed\": 1.5,\n\"models\": [{\"name\": \"m\", \"answer\": {\"mean\": \"1s\"}}]}");

        assertThat(run("lab", "--policy", policy.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("p.json:3: retry.max-attempt: unknown key (expected: perhaps max-attempts");
        err.getBuffer().setLength(0);
        assertThat(run("lab", "--profile", profile.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("w.json:2: streamed", "1.5", "expected");
    }

    @Test
    void aFaultyTraceOfAProfileIsToldWithBothFilesTheLineAndTheFix() throws IOException {
        Files.writeString(
                directory.resolve("t.csv"),
                "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03,1,2\n2023-11-16 18:17:04,1,many\n");
        Path profile = Files.writeString(
                directory.resolve("w.json"),
                "{\"arrivals\": {\"process\": \"trace\", \"trace\": \"t.csv\"},\n\"models\": [{\"name\": \"m\", \"answer\": {\"mean\": \"1s\"}}]}");

        assertThat(run("lab", "--profile", profile.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("w.json:1: ", "\"t.csv\", line 3: ", "many", "(expected: ");
    }

    @Test
    void aPolicyMayBeYaml() throws IOException {
        assumeTrue(
                LabCommandTest.class.getResource("/com/fasterxml/jackson/dataformat/yaml/YAMLFactory.class") != null,
                "a reader of YAML, which the command brings along");
        Path policy = Files.writeString(directory.resolve("mine.yaml"), "retry:\n  max-attempts: 2\nbreaker: off\n");

        assertThat(run("lab", "--policy", policy.toString(), "--requests", "50"))
                .isZero();
        assertThat(out.toString()).contains("mine ");
        Files.writeString(policy, "retry:\n  max-attempts: 2\nbreaker:\n  jitter: 1.5\n");
        assertThat(run("lab", "--policy", policy.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("mine.yaml:4: breaker.jitter: 1.5 (expected: a number, 0 to 1)");
    }

    @Test
    void whatIsAskedForIsWrittenAndNothingElse() throws IOException {
        Path csv = directory.resolve("lab.csv");
        Path json = directory.resolve("lab.json");
        Path html = directory.resolve("lab.html");
        String[] small = {"lab", "--policy", "fixed", "--sweep", "retry.max-attempts=1,2", "--requests", "200"};

        assertThat(run(small)).isZero();
        assertThat(directory).isEmptyDirectory();
        assertThat(out.toString())
                .contains("200 calls for each policy", "fixed retry.max-attempts=2", "--html writes them");
        String[] all = {"--csv", csv.toString(), "--json", json.toString(), "--html", html.toString()};
        assertThat(run(Stream.concat(Stream.of(small), Stream.of(all)).toArray(String[]::new)))
                .isZero();
        assertThat(csv)
                .content()
                .startsWith("policy,retry.max-attempts,seeds,calls,success_pct,mean_ms,")
                .contains("\nfixed,2,1,200,");
        assertThat(json)
                .content()
                .startsWith("{\"profile\":\"published\",\"requests\":200,")
                .endsWith("}\n");
        assertThat(html)
                .content()
                .startsWith("<!doctype html>")
                .contains("<svg")
                .endsWith("</html>\n");
        assertThat(err.toString().lines()).allMatch(line -> line.matches("holdfast: .*(left|in a second)"));
    }

    @Test
    void anObjectiveThatNothingMeetsNamesTheNearestAndTheExitCodeIsOne() {
        assertThat(run("lab", "--policy", "fixed", "--requests", "200", "--objective", "p99<=1ms"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("> nothing meets p99<=1ms: nearest is fixed");
    }

    @Test
    void aPolicyOfANameCanBeCopied() throws IOException {
        assertThat(run("lab", "--show", "adaptive")).isZero();
        Path copy = Files.writeString(directory.resolve("copy.json"), out.toString());
        out.getBuffer().setLength(0);

        assertThat(run(
                        "lab",
                        "--policy",
                        "adaptive",
                        "--policy",
                        copy.toString(),
                        "--models",
                        "all",
                        "--requests",
                        "300"))
                .isZero();
        String[] rows = out.toString()
                .lines()
                .filter(line -> line.matches("[> ] [* ] (adaptive|copy) .*"))
                .toArray(String[]::new);
        assertThat(rows).hasSize(2);
        assertThat(rows[0].substring(4).replace("adaptive", "").strip())
                .isEqualTo(rows[1].substring(4).replace("copy", "").strip());
    }
}
