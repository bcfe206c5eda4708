package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.holdfast.core.config.Configuration;
import dev.holdfast.core.config.Variables;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A file with a value for nearly every setting that people set. */
@Timeout(120)
class WholeFileTest {
    private static final Variables VARIABLES = new Variables() {
        @Override
        public Optional<String> environment(String name) {
            return name.equals("OPENAI_API_KEY") ? Optional.of("sk-proj-of-openai") : Optional.empty();
        }

        @Override
        public String file(String path) throws IOException {
            if (!path.equals("/run/secrets/anthropic")) {
                throw new IOException(path);
            }
            return "sk-ant-of-anthropic\n";
        }
    };

    private static final List<String> SAID = List.of(
            "listen = 127.0.0.1:8080",
            "admin = 127.0.0.1:8081",
            "api-keys[0].name = web",
            "api-keys[0].models = [gpt-4.1]",
            "api-keys[0].rpm = 300",
            "api-keys[0].tpm = 200000",
            "api-keys[0].usd-per-day = 20",
            "api-keys[0].max-tokens = 4096",
            "endpoints[0].name = primary",
            "endpoints[0].base-url = https://api.openai.com/v1",
            "endpoints[0].api-key = (hidden)",
            "endpoints[0].dialect = openai",
            "endpoints[0].weight = 1",
            "endpoints[0].region = us",
            "endpoints[0].vendor = openai",
            "endpoints[0].honours-idempotency-key = false",
            "endpoints[1].name = claude",
            "endpoints[1].base-url = https://api.anthropic.com",
            "endpoints[1].api-key = (hidden)",
            "endpoints[1].dialect = anthropic",
            "models.gpt-4.1.endpoints = [primary]",
            "models.gpt-4.1.upstream-name = gpt-4.1",
            "models.gpt-4.1.timeout = 30s",
            "models.gpt-4.1.price.input = 2.00",
            "models.gpt-4.1.price.cached-input = 0.50",
            "models.gpt-4.1.price.output = 8.00",
            "models.gpt-4.1.limits.rpm = 500",
            "models.gpt-4.1.limits.tpm = 1000000",
            "models.gpt-4.1.limits.concurrency = 64",
            "models.gpt-4.1.breaker.consecutive-failures = 5",
            "models.gpt-4.1.breaker.open-for = 60s",
            "models.gpt-4.1.breaker.half-open-probes = 3",
            "models.gpt-4.1.breaker.successes-to-close = 3",
            "models.gpt-4.1.context-window = 1047576",
            "models.gpt-4.1.max-output = 32768",
            "models.gpt-4.1.fallbacks = [claude-sonnet-4.5]",
            "models.claude-sonnet-4.5.endpoints = [claude]",
            "models.claude-sonnet-4.5.timeout = 35s",
            "retry.max-attempts = 4",
            "retry.backoff = exponential(1s, x2, max 60s, jitter 0.5)",
            "retry.budget.ratio = 0.2",
            "retry.budget.reserve = 100",
            "retry.max-suggested-delay = 60s",
            "retry.fallback-if-wait-over = 5s",
            "deadline = 2m",
            "failover.strategy = failover",
            "health.interval = 30s",
            "health.timeout = 5s",
            "health.path = /models",
            "health.failures = 3",
            "health.recoveries = 2",
            "health.degraded-above = 500ms",
            "stream.first-token = 30s",
            "stream.idle = 30s",
            "stream.meaningful-idle = 60s",
            "stream.total = 10m",
            "cache.mode = deterministic-only",
            "cache.ttl = 5m",
            "cache.max-bytes = 256MiB",
            "idempotency.ttl = 24h",
            "idempotency.in-flight = wait",
            "idempotency.on-store-failure = proceed");

    private static String text() throws IOException {
        try (InputStream file = WholeFileTest.class.getResourceAsStream("full.yaml")) {
            assertThat(file).isNotNull();
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Configuration configuration(String text) {
        return Configuration.ofYaml("full.yaml", text, VARIABLES);
    }

    /** Every value that the file says, as what it said, and from the file. */
    @Test
    void everyValueHoldsAsItIsWritten() throws IOException {
        GatewaySettings settings = GatewaySettings.of(configuration(text()));
        List<String> fromTheFile = settings.effective().stream()
                .filter(each -> each.place().isPresent())
                .map(each -> each.path() + " = " + each.text())
                .toList();
        assertThat(fromTheFile).containsAll(SAID).noneMatch(line -> line.contains("sk-"));
        assertThat(fromTheFile)
                .filteredOn(line -> !SAID.contains(line))
                .containsExactly("api-keys[0].sha256 = (hidden)");
        assertThatCode(() -> Gateway.check(settings)).doesNotThrowAnyException();
    }

    @Test
    void theGatewayStartsFromIt() throws Exception {
        Configuration elsewhere = configuration(text())
                .with(GatewaySettings.SCHEMA, "listen", "127.0.0.1:0", "test")
                .with(GatewaySettings.SCHEMA, "admin", "127.0.0.1:0", "test");
        try (Gateway gateway = Gateway.start(GatewaySettings.of(elsewhere));
                HttpClient http = HttpClient.newHttpClient()) {
            URI ready = URI.create(gateway.uri() + "/health/ready");
            assertThat(http.send(HttpRequest.newBuilder(ready).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            URI status = URI.create(gateway.adminUri().orElseThrow() + "/api/status");
            assertThat(http.send(HttpRequest.newBuilder(status).build(), BodyHandlers.ofString())
                            .body())
                    .contains("\"gpt-4.1\"", "\"claude-sonnet-4.5\"", "\"primary\"", "\"claude\"");
        }
    }

    /** What stands in it as a comment holds too. */
    @Test
    void hedgesHoldOnceTheyAreNoComment() throws IOException {
        String hedging = text().replace("# hedge:", "hedge:");
        assertThat(hedging).isNotEqualTo(text());
        GatewaySettings settings = GatewaySettings.of(configuration(hedging));
        assertThat(settings.effective().toString()).contains("hedge.after = p95", "hedge.budget = 0.05");
        assertThatCode(() -> Gateway.check(settings)).doesNotThrowAnyException();
    }

    @Test
    void thePageShowsTheWholeFile() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(root.resolve("docs/gateway.md"))) {
            root = root.getParent();
        }
        assertThat(root.resolve("docs/gateway.md")).content().contains("```yaml\n" + text() + "```\n");
    }
}
