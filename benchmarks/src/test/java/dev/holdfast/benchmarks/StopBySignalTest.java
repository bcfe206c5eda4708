package dev.holdfast.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C, as the system sends it, while a command of many hours is at work in a process of its own. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class StopBySignalTest {
    @TempDir
    private Path directory;

    @Test
    void aLabThatIsStoppedWritesWhatIsDone() throws Exception {
        String told = stopped(
                "lab",
                "--policy=fixed",
                "--sweep=retry.max-attempts=1,2",
                "--requests=300",
                "--seeds=10000",
                "--csv=lab.csv",
                "--json=lab.json",
                "--html=lab.html");

        assertThat(told)
                .containsPattern("stopped: \\d+ of 10000 seeds are done")
                .contains("fixed retry.max-attempts=2", "written: lab.csv", "written: lab.json", "written: lab.html");
        assertThat(directory).isDirectoryNotContaining("glob:**.holdfast-*");
        assertThat(Files.readAllLines(directory.resolve("lab.csv")))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line.split(",", -1)).hasSizeGreaterThan(15));
        assertThat(directory.resolve("lab.json"))
                .content()
                .startsWith("{\"profile\":\"published\",\"requests\":300,")
                .contains("\"seeds\":10000,\"seedsDone\":")
                .endsWith("}\n");
        assertThat(directory.resolve("lab.html"))
                .content()
                .startsWith("<!doctype html>")
                .endsWith("</html>\n");
    }

    @Test
    void aTableThatIsStoppedWritesWhatIsDone() throws Exception {
        String told = stopped("table", "--requests=300", "--seeds=10000", "--json=table.json");

        assertThat(told)
                .containsPattern("stopped: \\d+ of 10000 seeds are done")
                .contains("smart-routing");
        assertThat(directory).isDirectoryNotContaining("glob:**.holdfast-*");
        assertThat(directory.resolve("table.json"))
                .content()
                .startsWith("{\"profile\":\"published\",\"requests\":300,")
                .endsWith("}\n");
    }

    /** What a command told on standard output that was stopped after it had told how far it is. */
    private String stopped(String... arguments) throws Exception {
        Path out = directory.resolve("out");
        Process process = new ProcessBuilder(command(arguments))
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .start();
        try (BufferedReader err = process.errorReader(UTF_8)) {
            String line = err.readLine();
            while (line != null && !line.contains(" runs done, about ")) {
                line = err.readLine();
            }
            assertThat(line).startsWith("holdfast: ");
            // Whole seeds: the first is done long before the second line.
            assertThat(err.readLine()).contains(" runs done, about ");
            assertThat(new ProcessBuilder("kill", "-INT", String.valueOf(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("ends long before its work is done")
                    .isTrue();
            assertThat(process.exitValue()).isEqualTo(130);
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(out);
    }

    /** A shell in the background lets its children ignore the signal, which {@code env} undoes. */
    private static List<String> command(String... arguments) {
        var command = new ArrayList<>(List.of(
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(),
                Holdfast.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** The class path from wherever the command runs. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(each -> Path.of(each).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
