package dev.holdfast.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs jcstress in a process of its own: it fails when it meets what a class of the suite forbids. */
@Tag("slow")
class ConcurrencySuiteTest {
    private static final int QUESTIONS = 27;

    @TempDir
    private Path directory;

    @Test
    void nothingForbiddenHappens() throws Exception {
        Report report = run(home(Subjects.class), "3");

        assertThat(report.exitCode()).as(report.text()).isZero();
        assertThat(report.text()).contains(QUESTIONS + " planned; " + QUESTIONS + " passed, 0 failed");
    }

    @Test
    void aBreakerThatLooksFirstAndTakesAfterwardsIsCaught() throws Exception {
        Report report = run(home(ConcurrencySuiteTest.class), "60");

        assertThat(report.exitCode()).as(report.text()).isNotZero();
        assertThat(report.text()).contains("BrokenTwin", "Observed forbidden state", "1 planned; 0 passed, 1 failed");
    }

    /** One compiler's mode for both actors and no pinning of threads: the suite has to end while somebody waits for the build. */
    private Report run(Path suite, String iterations) throws IOException, InterruptedException {
        Path output = directory.resolve("jcstress.txt");
        Process process = new ProcessBuilder(Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                classPath(suite),
                                "org.openjdk.jcstress.Main",
                                "-m",
                                "quick",
                                "-f",
                                "1",
                                "-fsm",
                                "1",
                                "-c",
                                "2",
                                "-sc",
                                "false",
                                "-af",
                                "NONE",
                                "-time",
                                "200",
                                "-iters",
                                iterations,
                                "--jvmArgs",
                                "-XX:+UseSerialGC",
                                "-r",
                                "results")
                        .toList())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(10, TimeUnit.MINUTES))
                    .as("jcstress has come to its end")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Report(process.exitValue(), Files.readString(output));
    }

    /** The suite's classes before everything else, and those of no other suite: each has its own list of tests. */
    private static String classPath(Path suite) {
        List<Path> suites = List.of(home(Subjects.class), home(ConcurrencySuiteTest.class));
        Stream<String> others = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(each -> !suites.contains(Path.of(each).toAbsolutePath()));
        return Stream.concat(Stream.of(suite.toString()), others).collect(Collectors.joining(File.pathSeparator));
    }

    private static Path home(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Report(int exitCode, String text) {}
}
