package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code chat} and {@code faults}, as a person runs them. */
@Timeout(300)
class CommandsTest {
    @TempDir
    private Path directory;

    /** What a command did. */
    private record Ran(int exitCode, String out, String err) {}

    private static Ran run(String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        CommandLine command =
                GatewayLauncher.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int exitCode = command.execute(args);
        return new Ran(exitCode, out.toString(), err.toString());
    }

    private Path config(FaultyProvider provider) throws IOException {
        return Files.writeString(directory.resolve("c.yaml"), """
                endpoints: [{name: up, base-url: "%s", api-key: "k"}]
                models:
                  m: {endpoints: [up], price: {input: 2, output: 8}}
                  other: {endpoints: [up]}
                retry: {max-attempts: 3, backoff: "fixed(10ms)"}
                """.formatted(provider.baseUrl()));
    }

    @Test
    void aChatIsTheAnswerAndThenModelAttemptsAndCost() throws IOException {
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.of(Reply.status(503)))) {
            Ran ran = run("chat", "--config", config(provider).toString(), "one", "two three");
            assertThat(ran.out()).isEqualTo("one two three\n");
            assertThat(ran.err())
                    .startsWith("m at up, 2 attempts, 0.0000")
                    .endsWith(" USD\n")
                    .doesNotContain("\u001b");
            assertThat(ran.exitCode()).isZero();
        }
    }

    @Test
    void aChatAsksTheModelThatIsNamed() throws IOException {
        try (FaultyProvider provider = FaultyProvider.start()) {
            String config = config(provider).toString();
            assertThat(run("chat", "--config", config, "--model", "other", "hi").err())
                    .isEqualTo("other at up, 1 attempt, cost unknown\n");
            Ran unknown = run("chat", "--config", config, "--model", "more", "hi");
            assertThat(unknown.exitCode()).isEqualTo(2);
            assertThat(unknown.err()).contains("--model: more is not configured (expected: one of m, other)");
        }
    }

    @Test
    void aChatThatBreaksOffSaysSoAfterWhatHadCome() throws IOException {
        Reply whole = Reply.stream("one ", "two ", "three");
        String body = whole.body().toUtf8();
        int cut = body.indexOf("two ") + 40;
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.always(whole.cutAfter(cut)))) {
            Ran ran = run("chat", "--config", config(provider).toString(), "hi");
            assertThat(ran.out()).startsWith("one ");
            assertThat(ran.err()).startsWith("holdfast: the answer broke off: ");
            assertThat(ran.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void aChatWithoutAnAnswerFailsInOneLine() throws IOException {
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.always(Reply.status(503)))) {
            Ran ran = run("chat", "--config", config(provider).toString(), "hi");
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err())
                    .startsWith("holdfast: ")
                    .contains("overloaded")
                    .hasLineCount(1);
            assertThat(ran.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void aChatNeedsNoConfiguration() {
        Ran ran = run("chat", "hello there");
        assertThat(ran.out()).isEqualTo("hello there\n");
        assertThat(ran.err()).startsWith("gpt-4.1");
        assertThat(run("chat").exitCode()).isEqualTo(2);
    }

    private static Process start(String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                GatewayLauncher.class.getName()));
        String modules = System.getProperty("jdk.module.path");
        if (modules != null) {
            command.set(3, command.get(3) + java.io.File.pathSeparator + modules);
        }
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @Test
    void aProcessThatIsInterruptedEndsItsRequest() throws Exception {
        Reply whole = Reply.stream("one ", "two");
        Reply slow = whole.hangAfter(whole.body().toUtf8().indexOf("two") - 20);
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.always(slow))) {
            Process process = start("chat", "--config", config(provider).toString(), "hi");
            try {
                Eventually.holds(() -> provider.requests().size() == 1);
                assertThat(process.getInputStream().read()).isEqualTo('o');
                // TERM, since INT is ignored where a build runs in the background; the JVM takes both alike.
                process.destroy();
                assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
                Eventually.holds(() -> provider.connectionsOpen() == 0);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    @Test
    void aFaultyProviderRunsForAnyLanguage() throws Exception {
        Path script = Files.writeString(directory.resolve("f.yaml"), "replies: [{status: 503}]\n");
        Process process = start("faults", "--script", script.toString(), "--port", "0", "--verbose");
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                HttpClient http = HttpClient.newHttpClient()) {
            String ready = lines.readLine();
            assertThat(ready).startsWith("listening on http://127.0.0.1:");
            assertThat(lines.readLine()).contains("/v1");
            HttpRequest chat = HttpRequest.newBuilder(
                            URI.create(ready.substring("listening on ".length()) + "/v1/chat/completions"))
                    .POST(BodyPublishers.ofString(Served.CHAT))
                    .build();
            HttpResponse<String> first = http.send(chat, BodyHandlers.ofString());
            HttpResponse<String> second = http.send(chat, BodyHandlers.ofString());
            assertThat(first.statusCode()).isEqualTo(503);
            assertThat(second.body()).contains("one two three");
            assertThat(lines.readLine()).isEqualTo("1 POST /v1/chat/completions: 503");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aScriptThatIsWrongIsToldByFileAndLine() throws IOException {
        Path script =
                Files.writeString(directory.resolve("f.yaml"), "replies:\n  - {status: 503}\n  - {stauts: 503}\n");
        Ran ran = run("faults", "--script", script.toString());
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("f.yaml:3: ").contains("stauts").hasLineCount(1);
        assertThat(run("faults", "--port", "70000").err()).contains("--port: 70000 (expected: 0 to 65535)");
    }
}
