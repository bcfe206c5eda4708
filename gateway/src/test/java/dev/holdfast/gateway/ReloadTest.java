package dev.holdfast.gateway;

import static dev.holdfast.gateway.Served.CHAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another configuration while the gateway runs. */
@Timeout(120)
class ReloadTest {
    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final String KEY = "client-secret-91ab";

    @TempDir
    private Path directory;

    private static void reload(Served served, String more) {
        served.gateway.reload(Served.settings(served.provider, more));
    }

    private static HttpResponse<String> ask(Served served, String model) {
        return served.send(served.post("/v1/chat/completions", CHAT.replace("\"m\"", "\"" + model + "\"")));
    }

    @Test
    void anotherModelIsServedWithoutARestart() {
        try (Served served = Served.by(FaultScript.healthy())) {
            assertThat(ask(served, "n").statusCode()).isEqualTo(404);
            reload(served, "models: {n: {endpoints: [up]}}");
            assertThat(ask(served, "n").statusCode()).isEqualTo(200);
            assertThat(ask(served, "m").statusCode()).isEqualTo(404);
            assertThat(served.gateway.configuration().reloads()).isEqualTo(1);
            Eventually.holds(() -> served.gateway.retiredConfigurations() == 0, PATIENT);
        }
    }

    @Test
    void anOpenBreakerStaysOpen() {
        String breaker = "breaker: {consecutive-failures: 1, open-for: 10m}\nretry: {max-attempts: 1}";
        try (Served served =
                Served.by(FaultScript.of(Reply.status(503)).thenAnswering(FaultScript.healthy()::reply), breaker)) {
            assertThat(served.chat().statusCode()).isEqualTo(503);
            reload(served, breaker + "\nexpose-attempts: false");
            HttpResponse<String> rejected = served.chat();
            assertThat(Served.error(rejected).text("code")).contains("circuit_open");
            assertThat(served.provider.requests()).hasSize(1);
        }
    }

    @Test
    void storedAnswersAndTheLimitsOfKeysAreKept() {
        String settings = "api-keys: [{sha256: \"" + Served.sha256(KEY) + "\", name: web, rpm: 2}]\ncache: {mode: all";
        try (Served served = Served.by(FaultScript.healthy(), settings + "}")) {
            var chat = served.post("/v1/chat/completions", CHAT).header("Authorization", "Bearer " + KEY);
            served.send(chat);
            reload(served, settings + ", ttl: 10m}");
            HttpResponse<String> second = served.send(chat);
            assertThat(second.headers().firstValue("x-holdfast-cache")).contains("hit");
            reload(served, settings + ", ttl: 11m}\nmax-body: 1MiB");
            assertThat(served.send(chat).statusCode()).isEqualTo(429);
        }
    }

    @Test
    void whatAKeySpentTodayIsKept() {
        String model = "models: {m: {endpoints: [up], max-output: 1000, price: {input: 0, output: 1000}}}\n";
        String key = "api-keys: [{sha256: \"" + Served.sha256(KEY) + "\", name: web, max-tokens: 100, usd-per-day: ";
        try (Served served = Served.by(FaultScript.healthy(), model + key + "0.1005}]")) {
            var chat = served.post("/v1/chat/completions", CHAT).header("Authorization", "Bearer " + KEY);
            assertThat(served.send(chat).statusCode()).isEqualTo(200);
            reload(served, model + key + "0.1006}]");
            HttpResponse<String> refused = served.send(chat);
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(429);
            reload(served, model + key + "10}]");
            assertThat(served.send(chat).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aCallUnderWayEndsInTheConfigurationItBeganIn() throws Exception {
        var held = new Held();
        try (Served served = Served.by(held.script())) {
            CompletableFuture<HttpResponse<String>> begun = served.http.sendAsync(
                    served.post("/v1/chat/completions", CHAT).build(), BodyHandlers.ofString());
            Eventually.holds(() -> !served.provider.requests().isEmpty(), PATIENT);
            reload(served, "models: {n: {endpoints: [up]}}");
            assertThat(served.gateway.retiredConfigurations()).isEqualTo(1);
            assertThat(ask(served, "m").statusCode()).isEqualTo(404);
            assertThat(begun).isNotDone();
            held.letGo();
            assertThat(begun.get().statusCode()).isEqualTo(200);
            Eventually.holds(() -> served.gateway.retiredConfigurations() == 0, PATIENT);
        }
    }

    @Test
    void noCallIsLostWhileConfigurationsChange() throws Exception {
        try (Served served = Served.by(FaultScript.healthy())) {
            var worst = new java.util.concurrent.atomic.AtomicInteger();
            var over = new java.util.concurrent.atomic.AtomicBoolean();
            var answers = new java.util.concurrent.atomic.AtomicInteger();
            Thread caller = Thread.ofVirtual().start(() -> {
                while (!over.get()) {
                    worst.accumulateAndGet(served.chat().statusCode(), Math::max);
                    answers.incrementAndGet();
                }
            });
            Eventually.holds(() -> answers.get() > 0, PATIENT);
            for (int i = 0; i < 10; i++) {
                reload(served, "max-body: " + (i + 1) + "MiB");
            }
            int before = answers.get();
            Eventually.holds(() -> answers.get() > before, PATIENT);
            over.set(true);
            caller.join();
            assertThat(worst.get()).isEqualTo(200);
        }
    }

    @Test
    void whereItListensNeedsARestartAndTheStatusSaysSo() {
        try (Served served = Served.by(FaultScript.healthy(), "admin: 127.0.0.1:0")) {
            reload(served, "admin: 127.0.0.1:1\nlog-prompts: true");
            assertThat(served.gateway.configuration().needsRestart()).containsExactly("admin", "log-prompts");
            assertThat(served.chat().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aConfigurationThatCannotBeBuiltLeavesTheRunningOne() {
        try (Served served = Served.by(FaultScript.healthy())) {
            assertThatThrownBy(
                            () -> reload(
                                    served,
                                    "models: {a: {family: f, limits: {rpm: 1}, endpoints: [up]}, b: {family: f, limits: {rpm: 2}, endpoints: [up]}}"))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(served.chat().statusCode()).isEqualTo(200);
            assertThat(served.gateway.retiredConfigurations()).isZero();
        }
    }

    /** A gateway that follows a file. */
    private Gateway following(Path file) {
        Gateway gateway = Gateway.start(GatewaySettings.read(file));
        gateway.follow(file, OFTEN);
        return gateway;
    }

    private static String text(FaultyProvider provider, String model, String key) {
        return """
                listen: 127.0.0.1:0
                stop: {wait: 0s}
                endpoints: [{name: up, base-url: "%s", api-key: "%s", allow-plain-http: true}]
                models: {%s: {}}
                """.formatted(provider.baseUrl(), key, model);
    }

    private static String models(Gateway gateway) {
        try (var http = java.net.http.HttpClient.newHttpClient()) {
            return http.send(
                            java.net.http.HttpRequest.newBuilder(java.net.URI.create(gateway.uri() + "/v1/models"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aChangedFileTakesEffectAndABadOneDoesNot() throws IOException {
        Path file = directory.resolve("g.yaml");
        try (FaultyProvider provider = FaultyProvider.start()) {
            Files.writeString(file, text(provider, "before", "k"));
            try (Gateway gateway = following(file)) {
                assertThat(models(gateway)).contains("\"before\"");
                Files.writeString(file, text(provider, "after", "k"));
                Eventually.holds(() -> models(gateway).contains("\"after\""), PATIENT);
                Files.writeString(file, "modles: {}\n");
                Eventually.holds(
                        () -> gateway.configuration()
                                .last()
                                .flatMap(last -> last.error())
                                .filter(error -> error.contains("modles"))
                                .isPresent(),
                        PATIENT);
                assertThat(gateway.configuration().last().orElseThrow().error().orElseThrow())
                        .contains("g.yaml:1", "modles", "perhaps models");
                assertThat(models(gateway)).contains("\"after\"");
                Files.delete(file);
                Files.writeString(file, text(provider, "again", "k"));
                Eventually.holds(() -> models(gateway).contains("\"again\""), PATIENT);
            }
        }
    }

    /** Starting takes a while, and what is written meanwhile was not read. */
    @Test
    void whatChangedBetweenTheReadingAndTheFirstLookTakesEffect() throws IOException {
        Path secret = Files.writeString(directory.resolve("key"), "first-upstream-key\n");
        Path file = directory.resolve("g.yaml");
        try (FaultyProvider provider = FaultyProvider.start()) {
            String before = text(provider, "before", "${file:" + secret + "}");
            for (boolean own : new boolean[] {true, false}) {
                Files.writeString(file, before);
                GatewaySettings read = GatewaySettings.read(file);
                Files.writeString(own ? file : secret, own ? before.replace("before", "after") : "second-key\n");
                try (Gateway gateway = Gateway.start(read)) {
                    gateway.follow(file, OFTEN);
                    Eventually.holds(() -> gateway.configuration().reloads() > 0, PATIENT);
                    assertThat(models(gateway)).contains(own ? "\"after\"" : "\"before\"");
                }
            }
        }
    }

    /** As Kubernetes mounts a ConfigMap: the file is a link into ..data, which is a link that is swapped. */
    @Test
    void aSwappedLinkTakesEffect() throws IOException {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Path one = Files.createDirectory(directory.resolve("..2026_01"));
            Path two = Files.createDirectory(directory.resolve("..2026_02"));
            Files.writeString(one.resolve("g.yaml"), text(provider, "before", "k"));
            Files.writeString(two.resolve("g.yaml"), text(provider, "after", "k"));
            Path data = Files.createSymbolicLink(directory.resolve("..data"), one.getFileName());
            Path file = Files.createSymbolicLink(directory.resolve("g.yaml"), Path.of("..data", "g.yaml"));
            try (Gateway gateway = following(file)) {
                assertThat(models(gateway)).contains("\"before\"");
                Path fresh = Files.createSymbolicLink(directory.resolve("..data_tmp"), two.getFileName());
                Files.move(fresh, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                Eventually.holds(() -> models(gateway).contains("\"after\""), PATIENT);
            }
        }
    }

    @Test
    void aKeyInAFileOfItsOwnIsReadAgain() throws Exception {
        Path secret = directory.resolve("key");
        Files.writeString(secret, "first-upstream-key\n");
        Path file = directory.resolve("g.yaml");
        try (FaultyProvider provider = FaultyProvider.start();
                var http = java.net.http.HttpClient.newHttpClient()) {
            Files.writeString(file, text(provider, "m", "${file:" + secret + "}"));
            try (Gateway gateway = following(file)) {
                Files.writeString(secret, "second-upstream-key\n");
                Eventually.holds(() -> gateway.configuration().reloads() > 0, PATIENT);
                http.send(
                        java.net.http.HttpRequest.newBuilder(
                                        java.net.URI.create(gateway.uri() + "/v1/chat/completions"))
                                .header("Content-Type", "application/json")
                                .POST(java.net.http.HttpRequest.BodyPublishers.ofString(CHAT))
                                .build(),
                        BodyHandlers.ofString());
                assertThat(provider.requests().getFirst().headers().first("Authorization"))
                        .contains("Bearer second-upstream-key");
            }
        }
    }
}
