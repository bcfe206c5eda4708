package dev.holdfast.tests.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With which options the script at the root starts a JVM: a copy of it beside a build that is fresh, and a JDK that writes down how it is called. */
@DisabledOnOs(OS.WINDOWS)
class ScriptStartTest {
    private static final String C1_ONLY = "-XX:TieredStopAtLevel=1";
    private static final String SERIAL = "-XX:+UseSerialGC";
    private static final String LEARNS = "-XX:AOTCacheOutput=";
    private static final String LEARNED = "-XX:AOTCache=";
    private static final String KEEPS_CLASSES = "-XX:+AutoCreateSharedArchive";

    @TempDir
    private Path dir;

    private Path calls;

    @BeforeEach
    void aFreshBuild() throws IOException {
        Path app = dir.resolve(".holdfast/app-1");
        Files.createDirectories(app.resolve("users"));
        Files.createFile(app.resolve("classes.jar"));
        Files.createFile(app.resolve("started"));
        Files.writeString(dir.resolve(".holdfast/current"), "app-1\n");
        Files.copy(ScriptHelpTest.root().resolve("holdfast"), dir.resolve("holdfast"));
        calls = dir.resolve("calls");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lab", "table"})
    void theFirstLabOfABuildLearnsAndTheNextOnesStartFromThat(String command) throws Exception {
        jdk(25, "echo learned >\"${option#*=}\"");
        List<String> first = run(command, "--seed", "7");
        assertThat(first).hasSize(2);
        assertThat(first.get(0)).contains(LEARNS).endsWith(" lab --requests 3000");
        assertThat(first.get(1)).contains(LEARNED).endsWith(" " + command + " --seed 7");
        assertThat(run("lab")).singleElement().asString().contains(LEARNED).doesNotContain(KEEPS_CLASSES);
    }

    @Test
    void whereNothingCouldBeLearnedTheClassesAreKeptAndNobodyTriesAgain() throws Exception {
        jdk(25, "exit 1");
        assertThat(run("lab"))
                .hasSize(2)
                .last()
                .asString()
                .contains(KEEPS_CLASSES)
                .doesNotContain(LEARNED);
        assertThat(run("lab")).singleElement().asString().contains(KEEPS_CLASSES);
    }

    /** The name of a log that a JVM does not know ends it. */
    @Test
    void anOlderJvmIsToldNothingThatItDoesNotKnow() throws Exception {
        jdk(21, "exit 1");
        assertThat(run("lab"))
                .singleElement()
                .asString()
                .contains(KEEPS_CLASSES)
                .doesNotContain("AOT", "aot");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "chat", "gateway"})
    void otherCommandsLearnNothing(String command) throws Exception {
        jdk(25, "echo learned >\"${option#*=}\"");
        if (!command.equals("demo")) {
            Files.move(dir.resolve(".holdfast"), dir.resolve("gateway"));
            Files.createDirectory(dir.resolve(".holdfast"));
            Files.move(dir.resolve("gateway"), dir.resolve(".holdfast/gateway"));
        }
        assertThat(run(command))
                .singleElement()
                .asString()
                .contains(KEEPS_CLASSES)
                .doesNotContain(LEARNED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lab --policy adaptive                                            | true",
                "lab --requests 37500                                             | true",
                "lab --requests 37501                                             | false",
                "lab --policy adaptive --requests=150000                          | true",
                "lab --policy adaptive --policy none --requests 150000            | false",
                "lab --policy adaptive --sweep retry.max-attempts=1,2,3 --seeds 7 | true",
                "lab --policy adaptive --sweep retry.max-attempts=1,2,3 --seeds 8 | false",
                "lab --requests many                                              | true",
                "lab --requests 0                                                 | true",
            })
    void theSecondCompilerIsThereForRunsThatAreLongEnough(String command, boolean without) throws Exception {
        jdk(21, "exit 1");
        String call = run(command.strip().split(" ")).getLast();
        assertThat(call.contains(C1_ONLY)).as(call).isEqualTo(without);
    }

    @ParameterizedTest
    @CsvSource({"1,lab,true", "1,demo,true", "2,lab,false", "1,lab --requests 300000,false"})
    void whoHasOneProcessorWaitsForItsShortRunsToBeCompiled(int processors, String command, boolean waits)
            throws Exception {
        jdk(21, "exit 1");
        program(dir.resolve("nproc"), "echo " + processors);
        String call = run(command.split(" ")).getLast();
        assertThat(call.contains("-XX:-BackgroundCompilation")).as(call).isEqualTo(waits);
    }

    @Test
    void theCollectorIsTheUsersIfHeNamesOne() throws Exception {
        jdk(21, "exit 1");
        assertThat(run("lab")).last().asString().contains(SERIAL);
        assertThat(runWith("-XX:+UseZGC -Xmx1g", "lab"))
                .last()
                .asString()
                .contains("-XX:+UseZGC")
                .doesNotContain(SERIAL);
    }

    /** A JDK whose JVM notes its arguments, and does what is said where it is to write down what it learned. */
    private void jdk(int major, String learning) throws IOException {
        Path home = Files.createDirectories(dir.resolve("jdk"));
        Files.createDirectory(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + major + ".0.1\"\n");
        program(home.resolve("bin/javac"), "exit 0");
        program(
                home.resolve("bin/java"),
                "echo \"$*\" >>\"" + calls + "\"\n" + "for option; do case $option in " + LEARNS + "*) " + learning
                        + " ;; esac; done");
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private List<String> run(String... arguments) throws IOException, InterruptedException {
        return runWith("", arguments);
    }

    /** With what arguments JVMs were started, the one of the command last. */
    private List<String> runWith(String options, String... arguments) throws IOException, InterruptedException {
        Files.deleteIfExists(calls);
        var words = new ArrayList<>(List.of("sh", dir.resolve("holdfast").toString()));
        words.addAll(List.of(arguments));
        var builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("HOLDFAST_JAVA_HOME", dir.resolve("jdk").toString());
        builder.environment().put("HOLDFAST_JAVA_OPTS", options);
        builder.environment().merge("PATH", dir.toString(), (path, own) -> own + ":" + path);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return Files.readAllLines(calls);
    }
}
