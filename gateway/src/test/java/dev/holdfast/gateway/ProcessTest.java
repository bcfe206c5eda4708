package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The gateway as a process, and the signals it hears. */
@Timeout(300)
@DisabledOnOs(OS.WINDOWS)
class ProcessTest {
    private static final String[] PIECES =
            IntStream.range(0, 30).mapToObj(i -> "piece" + i + " ").toArray(String[]::new);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final String UNENDING = "unending";

    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private final CountDownLatch held = new CountDownLatch(1);
    private FaultyProvider provider = FaultyProvider.start(FaultScript.answering(request -> {
        String body = request.body().toUtf8();
        if (body.contains("broken")) {
            return Reply.status(500);
        }
        if (body.contains("\"stream\":true")) {
            Reply whole = Reply.stream(PIECES);
            return body.contains(UNENDING)
                    ? whole.hangAfter(whole.body().toUtf8().indexOf(PIECES[3]))
                    : whole.withPauses(PAUSE);
        }
        if (body.contains("slow")) {
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return FaultScript.healthy().reply(request);
    }));

    @AfterEach
    void end() {
        held.countDown();
        provider.close();
        http.shutdownNow();
    }

    private Path file(String model, String more) throws IOException {
        return Files.writeString(directory.resolve("g.yaml"), """
                listen: 127.0.0.1:0
                admin: 127.0.0.1:0
                endpoints: [{name: up, base-url: "%s", api-key: "k", allow-plain-http: true}]
                models: {%s: {timeout: 100s}}
                %s
                """.formatted(provider.baseUrl(), model, more));
    }

    /** A process that is ready, and where it listens. */
    private record Running(Process process, URI uri, URI status) implements AutoCloseable {
        static Running of(Path file) throws IOException {
            String modules = System.getProperty("jdk.module.path");
            String path = System.getProperty("java.class.path") + (modules == null ? "" : File.pathSeparator + modules);
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            path,
                            GatewayLauncher.class.getName(),
                            "gateway",
                            "--config",
                            file.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            BufferedReader out = process.inputReader();
            String line = out.readLine();
            assertThat(line).startsWith("listening on http://127.0.0.1:");
            String second = out.readLine();
            assertThat(second).startsWith("status on http://127.0.0.1:");
            return new Running(
                    process,
                    URI.create(line.substring("listening on ".length())),
                    URI.create(second.substring("status on ".length(), second.indexOf(','))));
        }

        void signal(String name) throws IOException, InterruptedException {
            int code = new ProcessBuilder(List.of("kill", "-" + name, Long.toString(process.pid())))
                    .start()
                    .waitFor();
            assertThat(code).isZero();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private HttpRequest chat(Running running, String model, String prompt) {
        return HttpRequest.newBuilder(running.uri().resolve("/v1/chat/completions"))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofMinutes(2))
                .POST(BodyPublishers.ofString("{\"model\":\"" + model
                        + "\",\"messages\":[{\"role\":\"user\",\"content\":\"" + prompt + "\"}]}"))
                .build();
    }

    private HttpRequest stream(Running running, String model, String prompt) {
        return HttpRequest.newBuilder(running.uri().resolve("/v1/chat/completions"))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofMinutes(2))
                .POST(BodyPublishers.ofString("{\"model\":\"" + model
                        + "\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"" + prompt + "\"}]}"))
                .build();
    }

    /** A stream of which the first piece has come; its lines so far, and the rest of them. */
    private Iterator<String> flowing(Running running, String model, String prompt) throws Exception {
        Iterator<String> lines = http.send(stream(running, model, prompt), BodyHandlers.ofLines())
                .body()
                .iterator();
        while (!lines.next().contains("piece0")) {
            // what comes before the first piece
        }
        return lines;
    }

    private static String rest(Iterator<String> lines) {
        var rest = new StringBuilder();
        lines.forEachRemaining(line -> rest.append(line).append('\n'));
        return rest.toString();
    }

    private static void assertWhole(String rest) {
        for (int i = 1; i < PIECES.length; i++) {
            assertThat(rest).containsOnlyOnce(PIECES[i]);
        }
        assertThat(rest.strip()).endsWith("data: [DONE]").doesNotContain("error");
    }

    private HttpResponse<String> get(Running running, String path) {
        try {
            return http.send(HttpRequest.newBuilder(running.uri().resolve(path)).build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isUnready(HttpResponse<String> ready) {
        return ready.statusCode() == 503 && ready.body().contains("stopping");
    }

    @Test
    void atTheTermSignalItIsUnreadyAtOnceEndsWhatItBeganAndIsOverWithoutAnError() throws Exception {
        try (Running running = Running.of(file("m", "stop: {wait: 2s, drain: 100s}"))) {
            CompletableFuture<HttpResponse<String>> begun =
                    http.sendAsync(chat(running, "m", "slow"), BodyHandlers.ofString());
            Eventually.holds(() -> provider.requests().size() == 1);
            assertThat(get(running, "/health/ready").statusCode()).isEqualTo(200);
            running.signal("TERM");
            Eventually.holds(() -> isUnready(get(running, "/health/ready")));
            assertThat(get(running, "/health/live").statusCode()).isEqualTo(200);
            Eventually.holds(() -> get(running, "/v1/models").statusCode() == 503);
            assertThat(begun).isNotDone();
            assertThat(running.process().isAlive()).isTrue();
            held.countDown();
            HttpResponse<String> answer = begun.get(100, TimeUnit.SECONDS);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).contains("slow");
            assertThat(running.process().waitFor(100, TimeUnit.SECONDS)).isTrue();
            assertThat(running.process().exitValue()).isZero();
        }
    }

    @Test
    void whatTakesLongerThanTheDrainIsBrokenOff() throws Exception {
        try (Running running = Running.of(file("m", "stop: {wait: 0s, drain: 100ms}\nclose-grace: 100ms"))) {
            CompletableFuture<HttpResponse<String>> begun =
                    http.sendAsync(chat(running, "m", "slow"), BodyHandlers.ofString());
            Eventually.holds(() -> provider.requests().size() == 1);
            running.signal("TERM");
            assertThat(running.process().waitFor(100, TimeUnit.SECONDS)).isTrue();
            assertThat(running.process().exitValue()).isZero();
            assertThat(begun.handle((answer, failed) -> failed != null || answer.statusCode() == 503)
                            .get(100, TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    void atTheHangupSignalTheFileIsReadAgainAndABadOneChangesNothing() throws Exception {
        try (Running running = Running.of(file("before", "stop: {wait: 0s}"))) {
            assertThat(get(running, "/v1/models").body()).contains("\"before\"");
            CompletableFuture<HttpResponse<String>> begun =
                    http.sendAsync(chat(running, "before", "slow"), BodyHandlers.ofString());
            Eventually.holds(() -> provider.requests().size() == 1);
            file("after", "stop: {wait: 0s}");
            running.signal("HUP");
            Eventually.holds(() -> get(running, "/v1/models").body().contains("\"after\""));
            Files.writeString(directory.resolve("g.yaml"), "modles: {}\n");
            running.signal("HUP");
            Eventually.holds(
                    () -> get(running, running.status().toString()).body().contains("modles"));
            held.countDown();
            assertThat(begun.get(100, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            assertThat(http.send(chat(running, "after", "hi"), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            assertThat(running.process().isAlive()).isTrue();
            assertThat(get(running, "/health/ready").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aStreamFlowsOnToItsEndThroughTheTermSignalAndTheProcessWaitsNoLonger() throws Exception {
        try (Running running = Running.of(file("m", "stop: {wait: 500ms, drain: 100s}"))) {
            Iterator<String> lines = flowing(running, "m", "hi");
            running.signal("TERM");
            long told = System.nanoTime();
            Eventually.holds(() -> isUnready(get(running, "/health/ready")));
            String next = lines.next();
            assertWhole(next + '\n' + rest(lines));
            assertThat(running.process().waitFor(100, TimeUnit.SECONDS)).isTrue();
            assertThat(running.process().exitValue()).isZero();
            assertThat(Duration.ofNanos(System.nanoTime() - told))
                    .as("a part of the drain")
                    .isLessThan(Duration.ofSeconds(50));
        }
    }

    /** The configuration that the stream began in is retired by then: it is waited for all the same. */
    @Test
    void aStreamFlowsOnThroughAnotherConfigurationWhichKeepsWhatIsKnownAndThroughTheTermSignal() throws Exception {
        String kept =
                "stop: {wait: 0s, drain: 100s}\nbreaker: {consecutive-failures: 1, open-for: 10m}\nretry: {max-attempts: 1}";
        try (Running running = Running.of(file("m", kept))) {
            Iterator<String> lines = flowing(running, "m", "hi");
            assertThat(http.send(chat(running, "m", "broken"), BodyHandlers.ofString())
                            .statusCode())
                    .isGreaterThanOrEqualTo(500);
            int asked = provider.requests().size();
            file("m", kept + "\nmax-body: 2MiB");
            running.signal("HUP");
            // Twice where the file is looked at before the signal comes.
            Eventually.holds(() -> get(running, running.status().toString())
                    .body()
                    .replace(" ", "")
                    .matches("(?s).*\"reloads\":[1-9].*"));
            assertThat(http.send(chat(running, "m", "hi"), BodyHandlers.ofString())
                            .body())
                    .as("the breaker is open")
                    .contains("circuit_open");
            assertThat(provider.requests()).hasSize(asked);
            running.signal("TERM");
            assertWhole(rest(lines));
            assertThat(running.process().waitFor(100, TimeUnit.SECONDS)).isTrue();
            assertThat(running.process().exitValue()).isZero();
        }
    }

    @Test
    void aStreamThatTakesLongerThanTheDrainBreaksOffAndDoesNotLookWhole() throws Exception {
        try (Running running = Running.of(file("m", "stop: {wait: 0s, drain: 100ms}\nclose-grace: 100ms"))) {
            Iterator<String> lines = flowing(running, "m", UNENDING);
            running.signal("TERM");
            String rest;
            try {
                rest = rest(lines);
            } catch (UncheckedIOException e) {
                rest = "";
            }
            assertThat(rest).doesNotContain("[DONE]", PIECES[PIECES.length - 1]);
            assertThat(running.process().waitFor(100, TimeUnit.SECONDS)).isTrue();
            assertThat(running.process().exitValue()).isZero();
        }
    }
}
