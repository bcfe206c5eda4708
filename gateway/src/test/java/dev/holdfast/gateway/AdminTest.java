package dev.holdfast.gateway;

import static dev.holdfast.gateway.Served.CHAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What who runs the gateway sees and orders, on the listener of its own. */
class AdminTest {
    private static final String ADMIN = "admin: 127.0.0.1:0";
    private static final String KEY = "admin-secret-77c2";

    private static HttpRequest.Builder admin(Served served, String path) {
        return HttpRequest.newBuilder(URI.create(served.gateway.adminUri().orElseThrow() + path))
                .timeout(Duration.ofMinutes(2));
    }

    private static HttpRequest.Builder order(Served served, String what, String document) {
        return admin(served, "/api/control/" + what)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(document));
    }

    private static PrometheusText metrics(Served served) {
        HttpResponse<String> response = served.send(admin(served, "/metrics"));
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).contains("text/plain; version=0.0.4; charset=utf-8");
        return PrometheusText.parse(response.body());
    }

    @Test
    void metricsAreInPrometheusTextFormat() {
        FaultScript script = FaultScript.of(Reply.status(503)).thenAnswering(FaultScript.healthy()::reply);
        String settings = ADMIN + "\nmodels: {m: {endpoints: [up], price: {input: 2, output: 8}}}\ncache: {mode: all}";
        try (Served served = Served.by(script, settings)) {
            metrics(served);
            served.chat();
            served.chat();
            PrometheusText metrics = metrics(served);
            assertThat(metrics.sum("holdfast_calls_seconds_count", Map.of("model", "m", "outcome", "success")))
                    .isEqualTo(2);
            assertThat(metrics.sum("holdfast_attempts_seconds_count", Map.of("endpoint", "up")))
                    .isEqualTo(2);
            assertThat(metrics.sum("holdfast_retries_total", Map.of())).isEqualTo(1);
            assertThat(metrics.sum("holdfast_cache_total", Map.of("outcome", "hit")))
                    .isEqualTo(1);
            assertThat(metrics.sum("holdfast_cost_usd_total", Map.of("model", "m")))
                    .isPositive();
            assertThat(metrics.sum("holdfast_breaker_state", Map.of("endpoint", "up", "model", "m")))
                    .isZero();
            assertThat(metrics.sum("ai_endpoint_requests_total", Map.of("endpoint_name", "up", "status", "success")))
                    .isEqualTo(1);
            assertThat(metrics.sum("ai_endpoint_latency_seconds_count", Map.of("endpoint_name", "up")))
                    .isEqualTo(2);
            assertThat(metrics.has("ai_endpoint_health_status")).isTrue();
        }
    }

    @Test
    void nothingThatClientsWriteIsInAMetric() {
        try (Served served = Served.by(FaultScript.healthy(), ADMIN + "\ncache: {mode: all}")) {
            for (int i = 0; i < 5; i++) {
                served.send(served.post("/v1/chat/completions", CHAT.replace("\"m\"", "\"made-up-" + i + "\""))
                        .header("idempotency-key", "made-up-key-" + i));
            }
            served.chat();
            assertThat(metrics(served).labelValues())
                    .contains("m", "up")
                    .noneMatch(value -> value.contains("made-up") || value.contains("one two three"));
        }
    }

    @Test
    void whoAcceptsOpenMetricsGetsThem() {
        try (Served served = Served.by(FaultScript.healthy(), ADMIN)) {
            HttpResponse<String> response = served.send(
                    admin(served, "/metrics").header("Accept", "application/openmetrics-text; version=1.0.0"));
            assertThat(response.headers().firstValue("content-type").orElseThrow())
                    .startsWith("application/openmetrics-text");
            assertThat(response.body()).endsWith("# EOF\n");
        }
    }

    @Test
    void whatIsPassedOnIsCounted() {
        FaultScript script = FaultScript.of(Reply.status(404), Reply.status(503))
                .thenAnswering(request -> Reply.json(200, JsonObject.empty()));
        try (Served served = Served.by(script, ADMIN)) {
            served.send(served.request("/v1/files/none"));
            served.send(served.request("/v1/files"));
            served.send(served.request("/v1/files/one").DELETE());
            PrometheusText metrics = metrics(served);
            assertThat(metrics.sum("holdfast_passed_seconds_count", Map.of("endpoint", "up", "outcome", "error")))
                    .isEqualTo(1);
            assertThat(metrics.sum("holdfast_passed_seconds_count", Map.of("method", "GET", "outcome", "success")))
                    .isEqualTo(1);
            assertThat(metrics.sum("holdfast_passed_seconds_count", Map.of("method", "DELETE")))
                    .isEqualTo(1);
        }
    }

    @Test
    void nothingIsPassedOnToAnEndpointThatWasTakenOut() {
        try (Served served = Served.by(FaultScript.always(Reply.json(200, JsonObject.empty())), ADMIN)) {
            served.send(order(served, "endpoint", "{\"endpoint\":\"up\",\"action\":\"isolate\",\"for\":\"15m\"}"));
            HttpResponse<String> refused = served.send(served.request("/v1/files"));
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(Served.error(refused).text("code")).contains("out_of_service");
            assertThat(refused.headers().firstValueAsLong("retry-after").orElseThrow())
                    .isBetween(880L, 900L);
            assertThat(served.provider.requests()).isEmpty();
            served.send(order(served, "endpoint", "{\"endpoint\":\"up\",\"action\":\"restore\"}"));
            assertThat(served.send(served.request("/v1/files")).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void metricsAndOrdersAreNotForClients() {
        try (Served served = Served.by(FaultScript.healthy(), ADMIN)) {
            assertThat(served.send(served.request("/metrics")).statusCode()).isEqualTo(404);
            assertThat(served.send(served.post("/api/control/breaker", "{}")).statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void aBreakerIsForcedOpenAndReset() {
        try (Served served = Served.by(FaultScript.healthy(), ADMIN)) {
            String target = "\"model\":\"m\",\"endpoint\":\"up\"";
            HttpResponse<String> forced =
                    served.send(order(served, "breaker", "{" + target + ",\"action\":\"force-open\",\"for\":\"10m\"}"));
            assertThat(forced.statusCode()).as(forced.body()).isEqualTo(200);
            assertThat(forced.body()).contains("forced_open");
            assertThat(served.chat().statusCode()).isEqualTo(503);
            assertThat(served.provider.requests()).isEmpty();
            served.send(order(served, "breaker", "{" + target + ",\"action\":\"reset\"}"));
            assertThat(served.chat().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anEndpointIsIsolatedAndRestoredAndTheStatusSaysSo() {
        try (Served served = Served.by(FaultScript.healthy(), ADMIN)) {
            served.send(order(served, "endpoint", "{\"endpoint\":\"up\",\"action\":\"isolate\",\"for\":\"15m\"}"));
            assertThat(served.chat().statusCode()).isEqualTo(503);
            HttpResponse<String> status = served.send(admin(served, "/api/status"));
            assertThat(status.body()).contains("endpoint up is isolated");
            served.send(order(served, "endpoint", "{\"endpoint\":\"up\",\"action\":\"restore\"}"));
            assertThat(served.chat().statusCode()).isEqualTo(200);
        }
    }

    /** On purpose, which no breaker is: who reads the error need not look for a provider that fails. */
    @Test
    void aCallThatFindsItsOnlyEndpointTakenOutIsToldSo() {
        for (String action : List.of("isolate", "drain")) {
            try (Served served = Served.by(FaultScript.healthy(), ADMIN)) {
                String order = "{\"endpoint\":\"up\",\"action\":\"" + action + "\",\"for\":\"15m\"}";
                served.send(order(served, "endpoint", order));
                HttpResponse<String> refused = served.chat();
                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(Served.error(refused).text("code")).contains("out_of_service");
                assertThat(Served.error(refused).text("message").orElseThrow())
                        .contains("taken out of service by an operator");
                assertThat(refused.body()).contains("\"kind\":\"out_of_service\"");
                assertThat(refused.headers().firstValueAsLong("retry-after").orElseThrow())
                        .isBetween(880L, 900L);
            }
        }
    }

    @Test
    void whereAttemptsAreNotToldACallIsStillToldThatItsEndpointWasTakenOut() {
        try (Served served = Served.by(FaultScript.healthy(), ADMIN + "\nexpose-attempts: false")) {
            served.send(order(served, "endpoint", "{\"endpoint\":\"up\",\"action\":\"isolate\",\"for\":\"15m\"}"));
            HttpResponse<String> refused = served.chat();
            assertThat(Served.error(refused).text("message").orElseThrow()).contains("out_of_service");
            assertThat(refused.body()).doesNotContain("\"up\"");
        }
    }

    @Test
    void featuresAndCallsAreOrdered() {
        FaultScript script = FaultScript.of(Reply.status(503)).thenAnswering(FaultScript.healthy()::reply);
        try (Served served = Served.by(script, ADMIN)) {
            served.send(order(served, "feature", "{\"feature\":\"retry\",\"action\":\"off\",\"for\":\"1h\"}"));
            assertThat(served.chat().statusCode()).isEqualTo(503);
            served.send(order(served, "feature", "{\"feature\":\"retry\",\"action\":\"on\"}"));
            served.send(order(served, "calls", "{\"action\":\"cap\",\"most\":0,\"for\":\"1h\"}"));
            assertThat(Served.error(served.chat()).text("code")).contains("client_overloaded");
            served.send(order(served, "calls", "{\"action\":\"uncap\"}"));
            assertThat(served.chat().statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "breaker | {} | 400 | model: missing",
                "breaker | {\"model\":\"m\",\"endpoint\":\"up\",\"action\":\"blow\"} | 400 | action: not known",
                "breaker | {\"model\":\"m\",\"endpoint\":\"up\",\"action\":\"disable\"} | 400 | for: missing",
                "breaker | {\"model\":\"m\",\"endpoint\":\"up\",\"action\":\"disable\",\"for\":\"soon\"} | 400 | for: no duration",
                "endpoint | {\"endpoint\":\"gone\",\"action\":\"isolate\",\"for\":\"1m\"} | 400 | endpoint: gone (expected: one of [up, claude])",
                "endpoint | {\"endpoint\":\"up\",\"action\":\"isolate\",\"for\":\"0s\"} | 400 | lasting",
                "calls | {\"action\":\"cap\",\"for\":\"1m\"} | 400 | most: missing",
                "weather | {} | 404 | no such order",
                "breaker | no json | 400 | the body is no JSON"
            })
    void aWrongOrderIsRefusedAndSaysWhy(String what, String document, int status, String why) {
        try (Served served = Served.by(FaultScript.healthy(), ADMIN)) {
            HttpResponse<String> response = served.send(order(served, what, document));
            assertThat(response.statusCode()).isEqualTo(status);
            assertThat(Served.error(response).text("message").orElseThrow()).contains(why);
            assertThat(served.send(admin(served, "/api/status")).body()).contains("\"orders\":[]");
        }
    }

    @Test
    void aPageOfAnotherSiteGivesNoOrder() {
        try (Served served = Served.by(FaultScript.healthy(), ADMIN)) {
            String document = "{\"endpoint\":\"up\",\"action\":\"isolate\",\"for\":\"15m\"}";
            HttpResponse<String> plain = served.send(admin(served, "/api/control/endpoint")
                    .header("Content-Type", "text/plain")
                    .POST(BodyPublishers.ofString(document)));
            assertThat(plain.statusCode()).isEqualTo(415);
            HttpResponse<String> foreign =
                    served.send(order(served, "endpoint", document).header("Origin", "https://evil.example"));
            assertThat(foreign.statusCode()).isEqualTo(403);
            assertThat(served.send(admin(served, "/api/control/endpoint")).statusCode())
                    .isEqualTo(405);
            assertThat(served.chat().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aKeyIsAskedForWhereOneIsSet() {
        String settings = ADMIN + "\nadmin-key-sha256: \"" + Served.sha256(KEY) + "\"";
        try (Served served = Served.by(FaultScript.healthy(), settings)) {
            assertThat(served.send(admin(served, "/metrics")).statusCode()).isEqualTo(401);
            assertThat(served.send(admin(served, "/api/status").header("Authorization", "Bearer " + KEY + "x"))
                            .statusCode())
                    .isEqualTo(401);
            assertThat(served.send(admin(served, "/metrics").header("Authorization", "Bearer " + KEY))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(served.send(admin(served, "/health/ready")).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void otherMachinesAreServedWithAKeyOnly() {
        try (var provider = dev.holdfast.simulation.FaultyProvider.start()) {
            assertThatThrownBy(() -> Served.settings(provider, "admin: 0.0.0.0:0"))
                    .hasMessageContaining("admin: open to other machines without a key (expected: admin-key-sha256");
            assertThat(Served.settings(provider, "admin: 0.0.0.0:0\nadmin-key-sha256: \"" + Served.sha256(KEY) + "\"")
                            .admin())
                    .isPresent();
        }
    }

    @Test
    void promptsInTheLogAreShownOnTheStatus() {
        try (Served quiet = Served.by(FaultScript.healthy(), ADMIN);
                Served loud = Served.by(FaultScript.healthy(), ADMIN + "\nlog-prompts: true")) {
            assertThat(quiet.send(admin(quiet, "/api/status")).body()).contains("\"log_prompts\":false");
            assertThat(loud.send(admin(loud, "/api/status")).body()).contains("\"log_prompts\":true");
        }
    }
}
