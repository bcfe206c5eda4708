package dev.holdfast.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.core.ResilientClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that nobody should have written: each is read, or refused with its place, and no key is told. */
class HostileConfigurationTest {
    private static final String SECRET = "sk-proj-Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0";
    private static final Variables VARIABLES = new Variables() {
        @Override
        public Optional<String> environment(String name) {
            return Optional.ofNullable(Map.of("KEY", SECRET).get(name));
        }

        @Override
        public String file(String path) throws IOException {
            if (path.equals("/key")) {
                return SECRET + "\n";
            }
            throw new IOException(path);
        }
    };

    private static final String FULL = """
        {"endpoints": [{"name": "one", "base-url": "https://one.test/v1", "dialect": "openai", "api-key": "${KEY}",
          "headers": {"x-a": "b"}, "weight": 2, "region": "eu", "vendor": "v", "retention": "none",
          "honours-idempotency-key": true, "allow-plain-http": false, "http-version": "1.1"}],
         "models": {"m": {"endpoints": ["one"], "upstream-name": "u", "timeout": "30s",
            "price": {"input": 2.0, "cached-input": 0.5, "cache-write": 1, "output": 8, "reasoning": 8},
            "limits": {"preset": "gpt-4.1", "rpm": 5, "tpm": 1000, "input-tpm": 100, "output-tpm": 100, "concurrency": 3,
              "max-wait": "30s", "pacing": true, "learning": "follow", "calibration": true, "instances": 1, "margin": "1s"},
            "breaker": {"preset": "defaults", "consecutive-failures": 5, "open-for": "60s", "open-factor": 2, "max-open-for": "5m",
              "jitter": 0.1, "half-open-probes": 1, "successes-to-close": 1, "probe-timeout": "1m", "count-429": false,
              "initial-state": "closed"},
            "context-window": 1000, "max-output": 100, "renamed-parameters": {"a": "b"}, "dropped-parameters": ["c"],
            "max-attempts": 2, "failover": {"strategy": "failover", "order": "fastest"}, "fallbacks": ["n"], "family": "f"},
            "n": {"breaker": {"last-calls": 10, "minimum-calls": 5, "failure-rate": 0.5, "slow-rate": 0.5, "slow-over": "5s"}},
            "o": {"breaker": {"last-time": "10s", "failure-rate": 0.5}, "limits": {"adaptive-concurrency": "aimd"},
              "failover": {"strategy": "load-balanced", "affinity": true}}},
         "retry": {"preset": "standard", "max-attempts": 4, "max-attempts-per-call": 8, "backoff": "fixed(1s)",
            "budget": {"ratio": 0.2, "reserve": 100}, "max-suggested-delay": "60s", "fallback-if-wait-over": "5s",
            "min-interval": "0s", "fallback-on": ["content_policy"], "cooldowns": true, "wait-when-open": false,
            "only-if-idempotent": false, "by-failure": {"timeout": "never"}},
         "deadline": "2m", "timeout": "30s", "breaker": "defaults", "failover": "failover",
         "health": {"interval": "30s", "timeout": "5s", "jitter": 0.1, "path": "/models", "completion": "m",
            "failures": 3, "recoveries": 2, "degraded-above": "500ms", "degraded-error-rate": 0.5, "ejection": "30s",
            "longest-ejection": "5m", "slow-start": "30s", "unreachable-at-once": false},
         "hedge": "after: p95",
         "stream": {"first-token": "30s", "idle": "30s", "meaningful-idle": "60s", "total": "10m"},
         "max-in-flight": 100, "max-in-flight-bytes": "256MiB", "close-grace": "5s"}
        """;

    private static void read(String text, boolean json) {
        Configuration configuration = json
                ? Configuration.ofJson("c.json", text, VARIABLES)
                : Configuration.ofYaml("c.yaml", text, VARIABLES);
        ClientSettings settings = ClientSettings.of(configuration.root(ClientSettings.SCHEMA));
        assertThat(configuration.effective().toString()).doesNotContain(SECRET);
        settings.applyTo(ResilientClient.builder());
        assertThat(settings.toString()).doesNotContain(SECRET);
    }

    private static String told(Throwable thrown) {
        var all = new StringBuilder();
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            all.append(each).append('\n');
        }
        return all.toString();
    }

    private static void readOrRefuse(String text, boolean json) {
        try {
            read(text, json);
        } catch (ConfigException e) {
            assertThat(told(e)).doesNotContain(SECRET);
        } catch (RuntimeException | StackOverflowError e) {
            fail("not refused with its place: " + text, e);
        }
    }

    private static List<Runnable> changes(JsonNode node, JsonNode to) {
        var all = new ArrayList<Runnable>();
        if (node instanceof ObjectNode object) {
            object.properties().forEach(entry -> {
                String name = entry.getKey();
                all.add(() -> object.set(name, to));
                all.addAll(changes(entry.getValue(), to));
            });
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                int index = i;
                all.add(() -> array.set(index, to));
                all.addAll(changes(array.get(i), to));
            }
        }
        return all;
    }

    @ParameterizedTest(name = "{index}")
    @ValueSource(
            strings = {
                "\"${KEY}\"",
                "\"${file:/key}\"",
                "\"a ${KEY} b\"",
                "\"\"",
                "\" \"",
                "\"\\u0000\"",
                "\"\\ud800\"",
                "\"\\n\"",
                "0",
                "-1",
                "1e999999999",
                "1e-999999999",
                "99999999999999999999999999",
                "0.1",
                "true",
                "null",
                "[]",
                "[[]]",
                "[null]",
                "{}",
                "{\"" + SECRET + "\": {}}",
                "[\"${KEY}\"]",
                "\"99999999999999999999d\"",
                "\"NaN\"",
                "\"9999999999999GiB\"",
                "\"exponential(1s, x1e999999999)\"",
                "\"after: p99999999999\""
            })
    void everyKeyTakesEveryValueOrRefusesItWithItsPlace(String value) throws IOException {
        var mapper = new ObjectMapper();
        JsonNode to = mapper.readTree(value);
        int count = changes(mapper.readTree(FULL), to).size();
        read(FULL, true);
        read(FULL, false);
        for (int i = 0; i < count; i++) {
            JsonNode root = mapper.readTree(FULL);
            changes(root, to).get(i).run();
            String text = mapper.writeValueAsString(root).replace("\"" + SECRET + "\":", "\"x\":");
            readOrRefuse(text, true);
            readOrRefuse(text, false);
        }
    }

    @ParameterizedTest(name = "{index}")
    @ValueSource(strings = {"${KEY", "a${", "${KEY:-${KEY}}", "${KEY:-${}", "${NONE:-${KEY}}", "${file:${KEY}}"})
    void aVariableThatIsNotClosedOrHoldsAnotherIsRefused(String text) {
        assertThatThrownBy(() ->
                        read("endpoints: [{name: a, base-url: \"https://a.test\", api-key: \"" + text + "\"}]", false))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("c.yaml:1")
                .hasMessageContaining("${VARIABLE}");
    }

    @Test
    void aByteOrderMarkAndLineEndsOfAnyKindAreRead() {
        for (String end : List.of("\r\n", "\r", "\n")) {
            read("\uFEFF{" + end + "\"deadline\": \"2m\"" + end + "}", true);
            read("\uFEFFdeadline: 2m" + end + "timeout: 3s" + end, false);
        }
    }

    @Test
    void deepOnesAreRefused() {
        for (int depth : new int[] {60, 1_000, 100_000}) {
            readOrRefuse("{\"a\":".repeat(depth), true);
            readOrRefuse("[".repeat(depth), true);
            readOrRefuse("[".repeat(depth), false);
            readOrRefuse("a: ".repeat(depth), false);
            readOrRefuse("- ".repeat(depth), false);
        }
        readOrRefuse("a".repeat(5_000_000), false);
        readOrRefuse("\"" + "a".repeat(5_000_000), true);
        readOrRefuse("\u0000\u0001\u0002", true);
        readOrRefuse("\u0000\u0001\u0002", false);
    }

    @Test
    void endpointsOfOneNameAreRefusedWithTheirPlace() {
        assertThatThrownBy(() -> read(
                        "endpoints:\n- {name: a, base-url: \"https://a.test\"}\n- {name: a, base-url: \"https://b.test\"}",
                        false))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("c.yaml:3");
    }
}
