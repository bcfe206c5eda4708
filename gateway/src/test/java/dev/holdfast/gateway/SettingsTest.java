package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The file, and the commands that read it. */
class SettingsTest {
    private static final String GOOD = """
            endpoints:
              - {name: up, base-url: "http://127.0.0.1:9", api-key: "very-secret-key", allow-plain-http: true}
            models: {m: {}}
            """;

    @TempDir
    private Path directory;

    private GatewaySettings read(String text) {
        return GatewaySettings.read(write(text));
    }

    private Path write(String text) {
        try {
            return Files.writeString(directory.resolve("g.yaml"), text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void withoutMoreItListensOnThisMachineOnly() {
        GatewaySettings settings = read(GOOD);
        assertThat(settings.listen().getAddress().isLoopbackAddress()).isTrue();
        assertThat(settings.listen().getPort()).isEqualTo(8080);
        assertThat(settings.admin()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "listen: 0.0.0.0:8080 | g.yaml:4: listen: open to other machines without api-keys",
                "listen: 8080 | g.yaml:4: listen: not an address",
                "listen: 127.0.0.1:70000 | g.yaml:4: listen: not an address",
                "admin: 0.0.0.0:8081 | g.yaml:4: admin: open to other machines",
                "lisen: 127.0.0.1:1 | g.yaml:4: lisen: unknown key (expected: perhaps listen",
                "cache: {mod: all} | g.yaml:4: cache.mod: unknown key (expected: perhaps mode",
                "cache: {ttl: 5} | g.yaml:4: cache.ttl: 5 (expected: a duration",
                "cache: {ttl: 0s} | g.yaml:4: cache.ttl: ttl: PT0S (expected: > 0)",
                "idempotency: {in-flight: drop} | g.yaml:4: idempotency.in-flight: drop (expected: one of wait, refuse)",
                "api-keys: [{sha256: my-plain-key, name: a}] | g.yaml:4: api-keys[0].sha256: not a digest",
                "api-keys: [{name: a}] | g.yaml:4: api-keys[0]: without sha256",
                "max-body: lots | g.yaml:4: max-body: lots (expected: a number of bytes",
                "expose-attempts: maybe | g.yaml:4: expose-attempts: maybe (expected: true or false)",
            })
    void aMistakeIsToldWithFileAndLine(String line, String told) {
        assertThatThrownBy(() -> read(GOOD + line + "\n"))
                .hasMessageStartingWith(directory.toString())
                .hasMessageContaining(told)
                .hasMessageNotContaining("my-plain-key");
    }

    @Test
    void aKeyForAModelThatIsNotThereIsRefused() {
        String keys = "api-keys: [{sha256: \"" + "ab".repeat(32) + "\", name: a, models: [gone]}]\n";
        assertThatThrownBy(() -> read(GOOD + keys))
                .hasMessageContaining("g.yaml:4: api-keys[0].models: gone is not configured (expected: one of m)");
    }

    @Test
    void aDigestTwiceIsRefused() {
        String key = "{sha256: \"" + "ab".repeat(32) + "\", name: ";
        assertThatThrownBy(() -> read(GOOD + "api-keys:\n  - " + key + "a}\n  - " + key + "b}\n"))
                .hasMessageContaining("g.yaml:6: api-keys[1].sha256: a second time");
    }

    @Test
    void withoutEndpointsOrModelsNothingIsServed() {
        assertThatThrownBy(() -> read("models: {m: {}}\n")).hasMessageContaining("without endpoints");
        assertThatThrownBy(() -> read(GOOD.substring(0, GOOD.indexOf("models"))))
                .hasMessageContaining("without models");
    }

    @Test
    void checkOnlyChecks() {
        Path file = write(GOOD);
        assertThat(run("gateway", "--check", "--config", file.toString())).isEqualTo("0: " + file + ": fine");
        write(GOOD.replace("models: {m: {}}", "models: {m: {fallbacks: [n]}}"));
        assertThat(run("gateway", "--check", "--config", file.toString()))
                .startsWith("2: holdfast: " + file + ":3: models.m.fallbacks: n is not configured");
        assertThat(run(
                        "gateway",
                        "--check",
                        "--config",
                        directory.resolve("none.yaml").toString()))
                .startsWith("2: holdfast: ")
                .contains("none.yaml: cannot be read");
    }

    @Test
    void anUnknownDialectIsFoundByTheCheck() {
        Path file = write(GOOD.replace("name: up,", "name: up, dialect: klingon,"));
        assertThat(run("gateway", "--check", "--config", file.toString()))
                .startsWith("2: holdfast: ")
                .contains("klingon");
    }

    @Test
    void effectiveValuesSayWhereTheyAreFromAndHideKeys() {
        String printed = run("config", write(GOOD + "cache: {ttl: 1m}\n").toString());
        assertThat(printed)
                .startsWith("0: ")
                .contains("cache.ttl = 1m  (" + directory.resolve("g.yaml") + ":4)")
                .contains("listen = 127.0.0.1:8080  (default)")
                .contains("endpoints[0].api-key = (hidden)")
                .doesNotContain("very-secret-key");
    }

    @Test
    void anOutputThatCannotBeWrittenIsAFailure() {
        var full = new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        });
        var told = new StringWriter();
        CommandLine command = GatewayLauncher.commandLine()
                .setOut(new PrintWriter(full, false, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(told, true));
        assertThat(GatewayLauncher.execute(
                        command, new String[] {"config", write(GOOD).toString()}, full))
                .isEqualTo(1);
        assertThat(told.toString().strip())
                .isEqualTo("holdfast: standard output: cannot be written, the output is not whole");
    }

    @Test
    void wrongInputIsOneLine() {
        assertThat(run("gateway", "--nonsense"))
                .startsWith("2: holdfast: unknown option: '--nonsense'")
                .endsWith("./holdfast gateway --help shows what there is");
        assertThat(run("gateway", "--help")).startsWith("0: Usage: ./holdfast gateway");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gateway", "chat", "faults", "config"})
    void theUsageThatTheLauncherPrintsIsTheCommandsOwn(String command) throws IOException {
        try (InputStream usage = GatewayLauncher.class.getResourceAsStream("usage/" + command + ".txt")) {
            assertThat(usage).isNotNull();
            assertThat("0: " + new String(usage.readAllBytes(), StandardCharsets.UTF_8).strip())
                    .isEqualTo(run(command, "--help"));
        }
    }

    /** The script knows each command twice: what runs it, and what it is built of. */
    @ParameterizedTest
    @ValueSource(strings = {"gateway", "chat", "faults", "config"})
    void theScriptKnowsTheCommands(String command) throws Exception {
        Path script = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(script.resolve("holdfast"))) {
            script = script.getParent();
        }
        Process process = new ProcessBuilder("sh", script.resolve("holdfast").toString(), command, "--help")
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(printed).startsWith("Usage: ./holdfast " + command);
        assertThat(process.waitFor()).isZero();
    }

    @Test
    @Timeout(300)
    void aPortThatIsTakenIsSaidAndNothingIsServed() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path file = write(GOOD + "listen: 127.0.0.1:" + taken.getLocalPort() + "\n");
            assertThat(run("gateway", "--config", file.toString()))
                    .isEqualTo("1: holdfast: 127.0.0.1:" + taken.getLocalPort()
                            + ": cannot be listened on (expected: a free port of an address of this machine)");
        }
    }

    /** What the command without a configuration serves. */
    @Test
    void theTrialProviderFailsAndItsCallersDoNotSeeIt() throws Exception {
        try (TrialProvider provider = TrialProvider.start();
                HttpClient http = HttpClient.newHttpClient()) {
            GatewaySettings settings = provider.settings();
            assertThat(settings.listen().getAddress().isLoopbackAddress()).isTrue();
            assertThat(settings.listen().getPort()).isEqualTo(8080);
            try (Gateway gateway = Gateway.start(provider.settings("127.0.0.1:0"))) {
                for (int call = 0; call < 20; call++) {
                    HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.uri() + "/v1/chat/completions"))
                            .header("Content-Type", "application/json")
                            .POST(
                                    HttpRequest.BodyPublishers.ofString(
                                            "{\"model\":\"gpt-4.1\",\"messages\":[{\"role\":\"user\",\"content\":\"Hello!\"}]}"))
                            .build();
                    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
                    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
                    assertThat(response.headers().firstValue("x-holdfast-cost-usd"))
                            .isPresent();
                }
                assertThat(provider.requests()).isGreaterThan(20);
            }
        }
    }

    private static String run(String... args) {
        var out = new StringWriter();
        CommandLine command =
                GatewayLauncher.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));
        int status = command.execute(args);
        return status + ": " + out.toString().strip();
    }
}
