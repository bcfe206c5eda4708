package dev.holdfast.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.HttpVersion;
import dev.holdfast.Price;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.BreakerWindow;
import dev.holdfast.core.EndpointOrder;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.KindPolicy;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ProbePolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.core.RetryPolicy;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientSettingsTest {
    private static final Variables VARIABLES = new Variables() {
        @Override
        public Optional<String> environment(String name) {
            return Optional.ofNullable(Map.of("OPENAI_API_KEY", "sk-test").get(name));
        }

        @Override
        public String file(String path) throws IOException {
            throw new IOException(path);
        }
    };

    private static ClientSettings yaml(String text) {
        return ClientSettings.of(Configuration.ofYaml("c.yaml", text, VARIABLES).root(ClientSettings.SCHEMA));
    }

    private static Section root(String text) {
        return Configuration.ofYaml("c.yaml", text, VARIABLES).root(ClientSettings.SCHEMA);
    }

    private static Section retry(String text) {
        return Configuration.ofYaml("c.yaml", text, VARIABLES)
                .root(ClientSettings.SCHEMA)
                .require(RetryKeys.RETRY);
    }

    private static BreakerPolicy breaker(String text) {
        return BreakerKeys.read(Configuration.ofYaml("c.yaml", "breaker: " + text, VARIABLES)
                .root(ClientSettings.SCHEMA)
                .require(BreakerKeys.BREAKER));
    }

    @Test
    void anEndpointHasAllThatTheBuilderHas() {
        Endpoint endpoint = yaml("""
            endpoints:
              - name: primary
                base-url: https://api.example.com/v1
                api-keys: ["${OPENAI_API_KEY}", second]
                dialect: openai
                headers: {X-Team: blue}
                weight: 3
                region: eu
                vendor: example
                retention: none
                honours-idempotency-key: true
                http-version: 2
            """).endpoints().getFirst();
        assertThat(endpoint.name()).isEqualTo("primary");
        assertThat(endpoint.baseUrl()).hasToString("https://api.example.com/v1");
        assertThat(endpoint.credentials()).hasSize(2);
        assertThat(endpoint.credentials().getFirst().secret().reveal()).isEqualTo("sk-test");
        assertThat(endpoint.headers().first("x-team")).contains("blue");
        assertThat(endpoint.weight()).isEqualTo(3);
        assertThat(endpoint.region()).contains("eu");
        assertThat(endpoint.vendor()).contains("example");
        assertThat(endpoint.retention()).contains("none");
        assertThat(endpoint.honoursIdempotencyKey()).isTrue();
        assertThat(endpoint.httpVersion()).isEqualTo(HttpVersion.HTTP_2);
    }

    @Test
    void aModelHasAllThatItsSettingsHave() {
        ClientSettings settings = yaml("""
            endpoints: [{name: primary, base-url: "https://api.example.com/v1"}]
            models:
              gpt-4.1:
                endpoints: [primary]
                upstream-name: gpt-4.1-2025-04-14
                timeout: 30s
                price: {input: 2.00, cached-input: 0.50, output: 8.00}
                limits: {rpm: 500, tpm: 1000000, concurrency: 64}
                breaker: {consecutive-failures: 5, open-for: 60s, half-open-probes: 3, successes-to-close: 3}
                context-window: 1047576
                max-output: 32768
                renamed-parameters: {max_tokens: max_completion_tokens}
                dropped-parameters: [temperature]
                max-attempts: 3
                failover: {strategy: load-balanced, affinity: true}
                fallbacks: [other]
                family: gpt
              other: {endpoints: [primary], breaker: gemini-2.5-flash, limits: deepseek-v3.2}
            """);
        ModelSettings model = settings.models().getFirst();
        assertThat(model)
                .isEqualTo(ModelSettings.of("gpt-4.1")
                        .withEndpoints("primary")
                        .withUpstreamName("gpt-4.1-2025-04-14")
                        .withTimeout(Duration.ofSeconds(30))
                        .withLimits(LimitPolicy.perMinute(500, 1_000_000).withConcurrency(64))
                        .withBreaker(BreakerPolicy.defaults()
                                .withFailureThreshold(5)
                                .withOpenTime(Duration.ofSeconds(60))
                                .withProbes(3, 3))
                        .withContextWindow(1_047_576)
                        .withMaxOutput(32_768)
                        .withRenamed("max_tokens", "max_completion_tokens")
                        .withDropped("temperature")
                        .withMaxAttempts(3)
                        .withEndpointPolicy(EndpointPolicy.loadBalanced().withAffinity(true))
                        .withFallbacks("other")
                        .withFamily("gpt"));
        assertThat(settings.models().getLast().breaker())
                .contains(BreakerPolicy.presets().get("gemini-2.5-flash"));
        assertThat(settings.models().getLast().limits())
                .contains(LimitPolicy.presets().get("deepseek-v3.2"));
        assertThat(settings.prices())
                .isEqualTo(Map.of(
                        "gpt-4.1",
                        Price.split(new BigDecimal("2.00"), new BigDecimal("0.50"), new BigDecimal("8.00"))));
    }

    @Test
    void theChoiceOfEndpointsAndTheirHealthSayWhatThePoliciesSay() {
        Section root = root("""
            failover: {order: fastest}
            health: {failures: 5, recoveries: 1, degraded-above: 2s, degraded-error-rate: 0.25, ejection: 10m,
                     slow-start: 0s, unreachable-at-once: true}
            """);
        assertThat(FailoverKeys.read(root.get(FailoverKeys.FAILOVER).orElseThrow()))
                .isEqualTo(EndpointPolicy.failover().withOrder(EndpointOrder.FASTEST));
        assertThat(HealthKeys.read(root.get(HealthKeys.HEALTH).orElseThrow()))
                .isEqualTo(HealthPolicy.defaults()
                        .withThresholds(5, 1)
                        .withDegraded(Duration.ofSeconds(2), 0.25)
                        .withEjection(Duration.ofMinutes(10), Duration.ofMinutes(10))
                        .withSlowStart(Duration.ZERO)
                        .withUnreachableAtOnce(true));
        Section shorthand = root("failover: primary-only\nhealth: {longest-ejection: 5s}");
        assertThat(FailoverKeys.read(shorthand.get(FailoverKeys.FAILOVER).orElseThrow()))
                .isEqualTo(EndpointPolicy.primaryOnly());
        assertThat(HealthKeys.read(shorthand.get(HealthKeys.HEALTH).orElseThrow()))
                .isEqualTo(HealthPolicy.defaults().withEjection(Duration.ofSeconds(5), Duration.ofSeconds(5)));
    }

    @Test
    void retrySaysWhatThePolicySays() {
        assertThat(RetryKeys.read(retry("""
            retry:
              max-attempts: 5
              max-attempts-per-call: 9
              backoff: "exponential(1s, x2, max 60s, jitter 0.5)"
              budget: {ratio: 0.1, reserve: 7}
              max-suggested-delay: 30s
              fallback-if-wait-over: 3s
              min-interval: 100ms
              fallback-on: [content_policy]
              cooldowns: false
              wait-when-open: true
              only-if-idempotent: true
              by-failure: {timeout: never, rate_limited: "2 attempts backoff fixed(1s)"}
            """)))
                .isEqualTo(RetryPolicy.standard()
                        .withMaxAttempts(5)
                        .withMaxAttemptsPerCall(9)
                        .withBackoff(Backoff.parse("exponential(1s, x2, max 60s, jitter 0.5)"))
                        .withBudget(new RetryBudgetPolicy(0.1, 7))
                        .withMaxSuggestedDelay(Duration.ofSeconds(30))
                        .withFallbackIfWaitOver(Duration.ofSeconds(3))
                        .withMinInterval(Duration.ofMillis(100))
                        .withFallbackOn(FailureKind.CONTENT_POLICY)
                        .withoutCooldowns()
                        .withWaitWhenOpen(true)
                        .withOnlyIfIdempotent(true)
                        .withKind(FailureKind.TIMEOUT, KindPolicy.never())
                        .withKind(
                                FailureKind.RATE_LIMITED,
                                KindPolicy.attempts(2).withBackoff(Backoff.parse("fixed(1s)"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"interactive", "batch", "adaptive", "none", "layered", "backoff-30"})
    void aPresetStandsForTheSection(String name) {
        assertThat(RetryKeys.read(retry("retry: " + name)))
                .isEqualTo(RetryPolicy.presets().get(name));
        assertThat(RetryKeys.read(retry("retry: {preset: " + name + ", max-attempts: 7}")))
                .isEqualTo(RetryPolicy.presets().get(name).withMaxAttempts(7));
    }

    @Test
    void theTextFormOfAPolicyStandsForTheSection() {
        String text = RetryPolicy.interactive().toString();
        assertThat(RetryKeys.read(retry("retry: \"" + text + "\""))).isEqualTo(RetryPolicy.interactive());
    }

    @Test
    void aBreakerHasAWindow() {
        assertThat(breaker("{last-calls: 100, minimum-calls: 20, failure-rate: 0.4, slow-rate: 0.8, slow-over: 5s}"))
                .isEqualTo(BreakerPolicy.defaults()
                        .withWindow(BreakerWindow.ofCalls(100)
                                .withMinimumCalls(20)
                                .withFailureRate(0.4)
                                .withSlowCalls(0.8, Duration.ofSeconds(5))));
        assertThat(breaker("{open-for: 10m, max-open-for: 20m, open-factor: 2}"))
                .isEqualTo(BreakerPolicy.defaults()
                        .withGrowth(1, Duration.ofMinutes(20))
                        .withOpenTime(Duration.ofMinutes(10))
                        .withGrowth(2, Duration.ofMinutes(20)));
        assertThat(breaker("off")).isEqualTo(BreakerPolicy.off());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{slow-rate: 0.5} | breaker.slow-rate: without a window (expected: last-calls or last-time beside it)",
                "{last-calls: 9, slow-rate: 0.5} | breaker.slow-rate: alone (expected: slow-rate and slow-over"
                        + " together)",
                "{last-calls: 9, last-time: 9s} | breaker.last-time: beside last-calls (expected: one of the two)",
                "{open-for: 9s, max-open-for: 3s} | breaker.max-open-for: shorter than open-for (expected: at least"
                        + " that)",
                "{failure-rate: 1.5, last-calls: 9} | breaker.failure-rate: 1.5 (expected: a number, 0 to 1)",
            })
    void aBreakerThatCannotBeIsRefused(String text, String message) {
        assertThatThrownBy(() -> breaker(text))
                .isInstanceOf(ConfigException.class)
                .hasMessage("c.yaml:1: " + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{endpoints: [elsewhere]} | c.yaml:3: models.m.endpoints: elsewhere is not configured (expected: one"
                        + " of primary)",
                "{fallbacks: [mm]} | c.yaml:3: models.m.fallbacks: mm is not configured (expected: perhaps m; one of"
                        + " m)",
                "{limits: {rpm: 1, instances: 5}} | c.yaml:3: models.m.limits.instances: rpm: 1 (expected: 5 to"
                        + " 1000000000000)",
                "{price: {input: 1}} | c.yaml:3: models.m.price: without output (expected: a decimal that is not"
                        + " negative, as in 2.50)",
                "{timeout: 0s} | c.yaml:3: models.m.timeout: timeout of model: PT0S (expected: > 0)",
            })
    void aModelThatCannotBeIsRefusedWithItsLine(String model, String message) {
        assertThatThrownBy(() -> yaml(
                        "endpoints: [{name: primary, base-url: \"https://e.example/v1\"}]\nmodels:\n  m: " + model))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }

    @Test
    void aKeyOverPlainHttpIsRefusedWithItsLine() {
        assertThatThrownBy(() -> yaml("endpoints:\n- name: a\n  base-url: http://e.example/v1\n  api-key: abcdef\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("c.yaml:3: endpoints[0].base-url: ")
                .hasMessageContaining("plain http")
                .hasMessageNotContaining("abcdef");
    }

    @Test
    void endpointsHaveNamesOfTheirOwn() {
        assertThatThrownBy(() -> yaml("endpoints:\n"
                        + "- {name: a, base-url: \"https://e/v1\"}\n"
                        + "- {name: a, base-url: \"https://f/v1\"}\n"))
                .hasMessage("c.yaml:3: endpoints[1]: a second endpoint a (expected: another name)");
    }

    @Test
    void theDeadlineIsThatOfThePolicy() {
        assertThatThrownBy(() -> yaml("deadline: 0s\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("c.yaml:1: deadline: ");
        assertThatThrownBy(() -> yaml("max-in-flight: 0\n")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> yaml("stream: {idle: 0s}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("c.yaml:1: stream.idle: ");
    }

    @Test
    void hedgesAndProbesAreThoseOfTheirPolicies() {
        String chain = yaml("""
            endpoints: [{name: one, base-url: "https://one.example/v1"}]
            hedge: "after: p99, budget: 0.02"
            """)
                .applyTo(ResilientClient.builder().discovery(false).transport(call -> {
                    throw new AssertionError("nothing is sent");
                }))
                .build()
                .toString();
        assertThat(chain).contains("hedge(" + HedgePolicy.afterPercentile(99).withBudget(0.02, 10) + ")");
        assertThatThrownBy(() -> yaml("hedge: sometimes\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("c.yaml:1: hedge");

        assertThat(probes("{interval: 30s, timeout: 5s, jitter: 0.1, path: /models}"))
                .contains(ProbePolicy.defaults());
        assertThat(probes("{completion: gpt-4.1-mini, interval: 1m}"))
                .contains(ProbePolicy.defaults().withCompletion("gpt-4.1-mini").withInterval(Duration.ofMinutes(1)));
        assertThat(probes("{failures: 3}")).isEmpty();
        assertThatThrownBy(() -> yaml("health: {interval: 30s, path: models}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("path");
    }

    @Test
    void aProbeWithoutAnIntervalIsRefused() {
        assertThatThrownBy(() -> yaml("health: {failures: 3, path: /models}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("c.yaml:1: health.path: without interval (expected: interval beside it)");
    }

    private static Optional<ProbePolicy> probes(String text) {
        return HealthKeys.readProbes(Configuration.ofYaml("c.yaml", "health: " + text, VARIABLES)
                .root(ClientSettings.SCHEMA)
                .require(HealthKeys.HEALTH));
    }

    /** What the schema tells of absent keys has to be what holds. */
    @Test
    void theUsualValuesOfTheSchemaAreThoseOfThePolicies() {
        assertThat(RetryKeys.read(retry("""
            retry: {preset: standard, max-attempts: 4, max-attempts-per-call: 8,
              backoff: "exponential(1s, x2, max 60s, jitter 0.5)", budget: {ratio: 0.2, reserve: 100},
              max-suggested-delay: 60s, fallback-if-wait-over: 5s, min-interval: 0s, cooldowns: true,
              wait-when-open: false, only-if-idempotent: false}
            """))).isEqualTo(RetryPolicy.standard());
        assertThat(RetryPolicy.standard().deadline()).contains(Duration.ofMinutes(2));
        assertThat(breaker("{count-429: false, initial-state: closed}")).isEqualTo(BreakerPolicy.defaults());
        ModelSettings model =
                yaml("models: {m: {limits: {max-wait: 30s, pacing: false, learning: follow, calibration: true,"
                                + " instances: 1, margin: 0s}}}")
                        .models()
                        .getFirst();
        assertThat(model.limits()).contains(LimitPolicy.defaults());
    }
}
