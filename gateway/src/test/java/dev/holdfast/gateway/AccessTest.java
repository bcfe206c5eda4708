package dev.holdfast.gateway;

import static dev.holdfast.gateway.Served.CHAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JsonValue;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in, to what, and that nobody's secrets come out. */
class AccessTest {
    private static final String KEY = "client-secret-91ab";

    private static String keys(String more) {
        return "api-keys: [{sha256: \"" + Served.sha256(KEY) + "\", name: web" + more + "}]";
    }

    private static HttpRequest.Builder chat(Served served, String body) {
        return served.post("/v1/chat/completions", body).header("Authorization", "Bearer " + KEY);
    }

    @Test
    void onlyWhoHasAKeyIsLetIn() {
        try (Served served = Served.by(FaultScript.healthy(), keys(""))) {
            HttpResponse<String> without = served.chat();
            assertThat(without.statusCode()).isEqualTo(401);
            assertThat(Served.error(without).text("code")).contains("invalid_api_key");
            HttpResponse<String> wrong = served.send(
                    served.post("/v1/chat/completions", CHAT).header("Authorization", "Bearer " + KEY + "x"));
            assertThat(wrong.statusCode()).isEqualTo(401);
            assertThat(wrong.body()).doesNotContain(KEY);
            assertThat(served.send(served.request("/api/status")).statusCode()).isEqualTo(401);
            assertThat(served.send(served.request("/health/live")).statusCode()).isEqualTo(200);
            assertThat(served.provider.requests()).isEmpty();
            assertThat(served.send(chat(served, CHAT)).statusCode()).isEqualTo(200);
            assertThat(served.send(served.post("/v1/chat/completions", CHAT).header("x-api-key", KEY))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void theClientsKeyStaysHereAndTheProvidersGoesThere() {
        try (Served served = Served.by(FaultScript.healthy(), keys(""))) {
            HttpResponse<String> response = served.send(chat(served, CHAT));
            var sent = served.provider.requests().getFirst().headers();
            assertThat(sent.all("Authorization")).containsExactly("Bearer " + Served.UPSTREAM_KEY);
            assertThat(sent.fields())
                    .noneSatisfy(field -> assertThat(field.getValue()).contains(KEY));
            assertThat(response.headers().map().toString()).doesNotContain(Served.UPSTREAM_KEY);
        }
    }

    @Test
    void aKeyAsksForItsModelsOnly() {
        try (Served served = Served.by(
                FaultScript.healthy(),
                keys(", models: [n]") + "\nmodels: {m: {endpoints: [up]}, n: {endpoints: [up]}}")) {
            assertThat(served.send(chat(served, CHAT)).statusCode()).isEqualTo(403);
            assertThat(served.send(chat(served, CHAT.replace("\"m\"", "\"n\""))).statusCode())
                    .isEqualTo(200);
            HttpResponse<String> list =
                    served.send(served.request("/v1/models").header("Authorization", "Bearer " + KEY));
            assertThat(Served.json(list).list("data")).hasSize(1);
        }
    }

    @Test
    void aKeysRequestsOfAMinuteAreCounted() {
        try (Served served = Served.by(FaultScript.healthy(), keys(", rpm: 2"))) {
            long began = System.nanoTime();
            assertThat(served.send(chat(served, CHAT)).statusCode()).isEqualTo(200);
            assertThat(served.send(chat(served, CHAT)).statusCode()).isEqualTo(200);
            HttpResponse<String> third = served.send(chat(served, CHAT));
            long passed = Duration.ofNanos(System.nanoTime() - began).toSeconds() + 1;
            assertThat(third.statusCode()).isEqualTo(429);
            assertThat(Long.parseLong(third.headers().firstValue("retry-after").orElseThrow()))
                    .isBetween(60 - passed, 60L);
            assertThat(served.provider.requests()).hasSize(2);
        }
    }

    @Test
    void aKeysMoneyOfADayIsCounted() {
        String settings =
                keys(", usd-per-day: 0.000001") + "\nmodels: {m: {endpoints: [up], price: {input: 2, output: 8}}}";
        try (Served served = Served.by(FaultScript.healthy(), settings)) {
            HttpResponse<String> response = served.send(chat(served, CHAT));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(429);
            assertThat(Served.error(response).text("type")).contains("insufficient_quota");
            assertThat(served.provider.requests()).isEmpty();
        }
    }

    @Test
    void aKeysCapOnTheOutputLowersRequests() {
        try (Served served = Served.by(FaultScript.healthy(), keys(", max-tokens: 50"))) {
            served.send(chat(served, CHAT));
            served.send(chat(served, CHAT.replace("{\"model\"", "{\"max_tokens\":900,\"model\"")));
            served.send(chat(served, CHAT.replace("{\"model\"", "{\"max_tokens\":9,\"model\"")));
            assertThat(served.provider.requests())
                    .extracting(request -> request.json().orElseThrow())
                    .extracting(document -> document.get("max_completion_tokens")
                            .or(() -> document.get("max_tokens"))
                            .orElseThrow())
                    .containsExactly(JsonValue.of(50), JsonValue.of(50), JsonValue.of(9));
        }
    }

    @Test
    void keysDoNotShareAnswers() {
        String two = "api-keys: [{sha256: \"" + Served.sha256(KEY) + "\", name: a}, {sha256: \""
                + Served.sha256("other") + "\", name: b}]\ncache: {mode: all}";
        try (Served served = Served.by(FaultScript.healthy(), two)) {
            served.send(chat(served, CHAT));
            HttpResponse<String> other =
                    served.send(served.post("/v1/chat/completions", CHAT).header("Authorization", "Bearer other"));
            assertThat(other.headers().firstValue("x-holdfast-cache")).contains("miss");
            assertThat(served.provider.requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example"})
    void aNameThatIsNotOursIsRefused(String host) throws IOException {
        try (Served served = Served.by(FaultScript.healthy())) {
            assertThat(raw(served, host, "")).startsWith("HTTP/1.1 403");
            assertThat(served.provider.requests()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1:1", "LOCALHOST:80", "[::1]:80", "holdfast.internal"})
    void namesOfThisMachineAndOfTheFileAreServed(String host) throws IOException {
        try (Served served = Served.by(FaultScript.healthy(), "hosts: [holdfast.internal]")) {
            assertThat(raw(served, host, "")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void thePageOfAnotherSiteIsRefusedWithoutCors() throws IOException {
        try (Served served = Served.by(FaultScript.healthy())) {
            for (String origin : new String[] {"https://evil.example", "null", "http://localhost.evil.example"}) {
                String answer = raw(served, "localhost", "Origin: " + origin + "\r\n");
                assertThat(answer).startsWith("HTTP/1.1 403").doesNotContain("Access-Control");
            }
            assertThat(raw(served, "localhost", "Origin: http://localhost:3000\r\n"))
                    .startsWith("HTTP/1.1 200");
            HttpResponse<String> form = served.send(served.request("/v1/chat/completions")
                    .header("Content-Type", "text/plain")
                    .POST(HttpRequest.BodyPublishers.ofString(CHAT)));
            assertThat(form.statusCode()).isEqualTo(415);
            assertThat(served.provider.requests()).hasSize(1);
        }
    }

    private static String raw(Served served, String host, String more) throws IOException {
        try (Socket client = new Socket("127.0.0.1", served.gateway.uri().getPort())) {
            client.setSoTimeout(60_000);
            client.getOutputStream()
                    .write(("POST /v1/chat/completions HTTP/1.1\r\nHost: " + host + "\r\n" + more
                                    + "Connection: close\r\nContent-Type: application/json\r\nContent-Length: "
                                    + CHAT.length() + "\r\n\r\n" + CHAT)
                            .getBytes(StandardCharsets.UTF_8));
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A provider that quotes what it was sent, key and prompt, and logs of everything that is logged. */
    @Test
    void noKeyAndNoPromptIsInAnyLogOrError() {
        String prompt = "prompt-that-nobody-else-reads";
        FaultScript quoting = FaultScript.answering(request -> Reply.error(
                500,
                "server_error",
                "oops",
                "failed on " + request.body().toUtf8() + " with "
                        + request.headers().first("Authorization").orElse("")));
        var captured = new ByteArrayOutputStream();
        PrintStream before = System.err;
        var stream = new PrintStream(captured, true, StandardCharsets.UTF_8);
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                stream.println(record.getMessage() + " " + record.getThrown());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger root = Logger.getLogger("");
        handler.setLevel(Level.ALL);
        root.addHandler(handler);
        System.setErr(stream);
        try (Served served = Served.by(quoting, keys(""))) {
            String body = CHAT.replace("one two three", prompt);
            String all = "";
            for (HttpRequest.Builder request : new HttpRequest.Builder[] {
                chat(served, body),
                chat(served, body.replace("{\"model\"", "{\"stream\":true,\"model\"")),
                chat(served, body.substring(0, body.length() - 3)),
                served.request("/api/status").header("Authorization", "Bearer " + KEY),
                served.post("/v1/chat/completions", body).header("Authorization", "Bearer wrong-" + KEY)
            }) {
                HttpResponse<String> response = served.send(request);
                all += response.headers().map() + response.body();
            }
            assertThat(all).contains("server_error").doesNotContain(prompt, KEY, Served.UPSTREAM_KEY);
        } finally {
            System.setErr(before);
            root.removeHandler(handler);
        }
        assertThat(captured.toString(StandardCharsets.UTF_8)).doesNotContain(prompt, KEY, Served.UPSTREAM_KEY);
    }
}
