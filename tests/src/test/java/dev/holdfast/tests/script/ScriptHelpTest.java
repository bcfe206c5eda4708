package dev.holdfast.tests.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the script at the root says by itself, without a JDK, a build or Maven. */
@DisabledOnOs(OS.WINDOWS)
class ScriptHelpTest {
    private static final Path ROOT = root();

    private record Said(int status, String text) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "table",
                "jmh",
                "compare",
                "gateway",
                "config",
                "verify",
                "install",
                "examples",
                "format",
                "version"
            })
    void everyCommandTellsItsUsage(String command) throws Exception {
        Said help = say(command, "--help");
        assertThat(help.status()).as(help.text()).isZero();
        assertThat(help.text()).startsWith("Usage: ./holdfast " + command);
        assertThat(say("help", command)).isEqualTo(help);
        assertThat(say("help").text()).contains("  " + command + " ");
    }

    @Test
    void theVersionIsThatOfTheProject() throws Exception {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        Said version = say("--version");
        assertThat(version.status()).isZero();
        assertThat(version.text()).matches("holdfast [0-9]+\\.[0-9]+\\.[0-9]+\\S*\\R");
        assertThat(pom).contains("<version>" + version.text().strip().substring("holdfast ".length()) + "</version>");
        assertThat(say("version")).isEqualTo(version);
    }

    @Test
    void anUnknownCommandIsNamedEvenWhereHelpIsAskedFor() throws Exception {
        assertThat(say("nonsense", "--help"))
                .isEqualTo(new Said(2, "holdfast: unknown command 'nonsense': ./holdfast help lists them.\n"))
                .isEqualTo(say("help", "nonsense"));
    }

    private static Said say(String... arguments) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("sh", ROOT.resolve("holdfast").toString()));
        words.addAll(List.of(arguments));
        var builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", "/nonexistent");
        builder.environment().put("HOLDFAST_JAVA_HOME", "/nonexistent");
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(here.resolve("holdfast"))) {
            here = here.getParent();
        }
        return here;
    }
}
