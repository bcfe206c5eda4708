package dev.holdfast.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.assertj.core.api.Assumptions.assumeThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** OpenAI's client for Node in the version of the lock file, installed by npm into {@code target/node} when a test first needs it. */
class NodeTest {
    private static final List<String> FILES = List.of("package.json", "package-lock.json", "talk.js");
    private static final Path SOURCES = Path.of("src", "test", "node");
    private static final Path HOME = Path.of("target", "node");
    private static final int MOST_MINUTES = 8;

    private static boolean isInstalled(String command) {
        try {
            return run(Path.of("."), command, "--version").exitCode() == 0;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** What a process did. */
    private record Ran(int exitCode, String printed) {}

    private static Ran run(Path directory, String... command) {
        try {
            Path errors = Files.createTempFile("holdfast-node", ".txt");
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectError(errors.toFile())
                    .start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
            int exitCode = process.waitFor();
            String told = Files.readString(errors);
            Files.delete(errors);
            return new Ran(exitCode, exitCode == 0 ? printed : printed + told);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static synchronized void install() throws IOException {
        assertThat(isInstalled("node") && isInstalled("npm"))
                .as("node and npm on the PATH (of Debian: apt-get install nodejs npm)")
                .isTrue();
        Files.createDirectories(HOME);
        boolean same = Files.isDirectory(HOME.resolve("node_modules"));
        for (String name : FILES) {
            Path to = HOME.resolve(name);
            same &= Files.exists(to) && Files.mismatch(SOURCES.resolve(name), to) < 0;
            Files.write(to, Files.readAllBytes(SOURCES.resolve(name)));
        }
        if (!same) {
            Ran ran = run(HOME, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
            for (int again = 0; again < 2 && ran.exitCode() != 0; again++) {
                ran = run(HOME, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
            }
            assertThat(ran.exitCode())
                    .as("npm ci in " + HOME + ": " + ran.printed())
                    .isZero();
        }
    }

    private static JsonNode talk(URI server, String calls) throws IOException {
        Ran ran = run(HOME, "node", "talk.js", server + "/v1", calls, "32");
        assertThat(ran.exitCode()).as(ran.printed()).isZero();
        return new ObjectMapper().readTree(ran.printed());
    }

    @Tag("slow")
    @Test
    void theClientForNodeComesThroughAStorm() throws IOException {
        install();
        try (Front front = Front.inAStorm(7)) {
            JsonNode tally = talk(front.uri(), "1000");
            assertThat(tally.path("succeeded").asInt()).as(tally.toString()).isGreaterThanOrEqualTo(999);
        }
    }

    @Tag("slow")
    @Test
    void withoutTheGatewayTheClientForNodeLosesCalls() throws IOException {
        install();
        try (FaultyProvider provider =
                FaultyProvider.start(FaultScript.answering(request -> Weather.storm(request, 7)))) {
            JsonNode tally = talk(provider.uri(), "100");
            assertThat(tally.path("succeeded").asInt()).as(tally.toString()).isBetween(30, 90);
        }
    }

    @Tag("slow")
    @Test
    void theClientForNodeIsToldThatAStreamBrokeOff() throws IOException {
        install();
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.answering(Broken::reply));
                Front front = Front.alone(provider, "", "")) {
            JsonNode heard = talk(front.uri(), "broken");
            assertThat(heard.path("text").asText()).as(heard.toString()).isEqualTo(Broken.BEGINNING);
            assertThat(heard.path("error").asText()).contains("no answer (truncated)");
        }
    }

    /** Where there is no Node or no network for npm, the slow ones tell; this one is left out. */
    @Test
    void aFewCallsOfTheClientForNodeComeThroughAStorm() throws IOException {
        assumeThat(isInstalled("node") && isInstalled("npm")).isTrue();
        assumeThatCode(NodeTest::install).doesNotThrowAnyException();
        try (Front front = Front.inAStorm(11)) {
            assertThat(talk(front.uri(), "30").path("failures")).isEmpty();
        }
    }
}
