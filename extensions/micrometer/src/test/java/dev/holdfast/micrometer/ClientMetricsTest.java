package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallException;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelStream;
import dev.holdfast.Price;
import dev.holdfast.Target;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client does is in the registry: real calls of a real client to a provider that fails by a script. */
class ClientMetricsTest {
    private static final Offset<Double> EXACT = Offset.offset(1e-12);

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final ClientMetrics metrics = ClientMetrics.of(registry);
    private FaultyProvider provider = FaultyProvider.start();

    @AfterEach
    void stop() {
        provider.close();
        registry.close();
    }

    private ClientBuilder client(FaultScript script) {
        provider.close();
        provider = FaultyProvider.start(script);
        return ResilientClient.builder()
                .endpoint(Endpoint.builder("up", provider.baseUrl()).build())
                .retry(RetryPolicy.standard().withBackoff(Backoff.fixed(Duration.ofMillis(1))))
                .closeGrace(Duration.ZERO)
                .listener(metrics);
    }

    private static ModelRequest chat(String model) {
        return ModelRequest.chat(model).user("one two three").build();
    }

    private double count(String name, String... tags) {
        return registry.find(name).tags(tags).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private long times(String name, String... tags) {
        return registry.find(name).tags(tags).timers().stream()
                .mapToLong(timer -> timer.count())
                .sum();
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    void callsAttemptsAndRetriesAreCounted() {
        FaultScript script = FaultScript.of(Reply.status(503)).thenAnswering(FaultScript.healthy()::reply);
        // A delay that has passed by the time the retry is decided on is none.
        try (ResilientClient client = client(script)
                .model(ModelSettings.of("m"))
                .retry(RetryPolicy.standard().withBackoff(Backoff.fixed(Duration.ofSeconds(2))))
                .build()) {
            metrics.watch(client);
            client.call(chat("m"));
        }
        assertThat(times("holdfast.calls", "model", "m", "outcome", "success", "kind", "none"))
                .isEqualTo(1);
        assertThat(times("holdfast.attempts", "endpoint", "up", "model", "m", "kind", "overloaded", "reason", "first"))
                .isEqualTo(1);
        assertThat(times("holdfast.attempts", "outcome", "success", "reason", "retry"))
                .isEqualTo(1);
        assertThat(count("holdfast.retries", "endpoint", "up", "model", "m")).isEqualTo(1);
        assertThat(times("holdfast.retry.delay", "suggested", "false")).isEqualTo(1);
    }

    @Test
    void theEndpointMetricsOfTheArticlesAreThere() {
        FaultScript script = FaultScript.of(Reply.status(503)).thenAnswering(FaultScript.healthy()::reply);
        try (ResilientClient client = client(script).build()) {
            metrics.watch(client);
            client.call(chat("m"));
            assertThat(gauge("ai.endpoint.health.status", "endpoint_name", "up"))
                    .isEqualTo(1);
        }
        assertThat(count("ai.endpoint.requests", "endpoint_name", "up", "status", "error"))
                .isEqualTo(1);
        assertThat(count("ai.endpoint.requests", "endpoint_name", "up", "status", "success"))
                .isEqualTo(1);
        assertThat(times("ai.endpoint.latency", "endpoint_name", "up")).isEqualTo(2);
    }

    @Test
    void tokensAndCostAreThoseOfTheLedger() {
        try (ResilientClient client = client(FaultScript.healthy())
                .model(ModelSettings.of("m"))
                .prices((model, at) -> Optional.of(Price.blended(new BigDecimal("8.00"))))
                .build()) {
            metrics.watch(client);
            var response = client.call(chat("m"));
            var usage = response.usage().orElseThrow();
            assertThat(count("holdfast.tokens", "type", "input", "basis", "reported"))
                    .isEqualTo(usage.input());
            assertThat(count("holdfast.tokens", "type", "output")).isEqualTo(usage.output());
            BigDecimal usd = response.cost().orElseThrow().usd();
            assertThat(count("holdfast.cost", "model", "m", "basis", "reported"))
                    .isCloseTo(usd.doubleValue(), EXACT)
                    .isPositive();
        }
    }

    @Test
    void anUnknownPriceIsCountedAndCostsNothing() {
        try (ResilientClient client = client(FaultScript.healthy())
                .model(ModelSettings.of("m"))
                .prices((model, at) -> Optional.empty())
                .build()) {
            metrics.watch(client);
            client.call(chat("m"));
        }
        assertThat(count("holdfast.unpriced", "model", "m")).isEqualTo(1);
        assertThat(registry.find("holdfast.cost").meters()).isEmpty();
    }

    @Test
    void fallbacksAndFailedCallsAreCountedByTheModelThatWasAskedFor() {
        FaultScript script = FaultScript.answering(
                request -> request.body().toUtf8().contains("\"first\"") ? Reply.status(503) : Reply.status(400));
        try (ResilientClient client = client(script)
                .model(ModelSettings.of("first").withFallbacks("second"))
                .model(ModelSettings.of("second"))
                .build()) {
            metrics.watch(client);
            try {
                client.call(chat("first"));
            } catch (CallException e) {
                assertThat(e.attempts()).hasSizeGreaterThan(1);
            }
        }
        assertThat(count("holdfast.fallbacks", "model", "first", "to", "second"))
                .isEqualTo(1);
        assertThat(times("holdfast.calls", "model", "first", "outcome", "error"))
                .isEqualTo(1);
    }

    @Test
    void aBreakerThatOpensIsSeenAndItsRejectionsAreCounted() {
        try (ResilientClient client = client(FaultScript.always(Reply.status(503)))
                .model(ModelSettings.of("m"))
                .retry(RetryPolicy.none())
                .breaker(BreakerPolicy.defaults().withFailureThreshold(1))
                .build()) {
            metrics.watch(client);
            assertThat(gauge("holdfast.breaker.state", "model", "m")).isZero();
            for (int i = 0; i < 2; i++) {
                try {
                    client.call(chat("m"));
                } catch (CallException expected) {
                    assertThat(expected.kind()).isNotNull();
                }
            }
            clock.add(Duration.ofSeconds(2));
            assertThat(gauge("holdfast.breaker.state", "model", "m")).isEqualTo(2);
            assertThat(gauge("holdfast.target.admits", "model", "m")).isZero();
            client.control().forceOpen(new Target("m", "up"), Duration.ofHours(1));
            clock.add(Duration.ofSeconds(2));
            assertThat(gauge("holdfast.breaker.state", "endpoint", "up", "model", "m"))
                    .isEqualTo(3);
        }
        assertThat(count("holdfast.breaker.changes", "to", "open")).isEqualTo(1);
        assertThat(count("holdfast.rejections", "model", "m", "kind", "circuit_open"))
                .isEqualTo(1);
    }

    @Test
    void aReportIsReadOnceASecondAtMost() {
        try (ResilientClient client =
                client(FaultScript.healthy()).model(ModelSettings.of("m")).build()) {
            metrics.watch(client);
            client.control().forceOpen(new Target("m", "up"), Duration.ofHours(1));
            assertThat(gauge("holdfast.breaker.state")).isZero();
            clock.add(Duration.ofMillis(1_001));
            assertThat(gauge("holdfast.breaker.state")).isEqualTo(3);
        }
    }

    @Test
    void whatAProviderSaysIsLeftIsShown() {
        FaultScript script = FaultScript.answering(request -> FaultScript.healthy()
                .reply(request)
                .withHeader("x-ratelimit-limit-requests", "100")
                .withHeader("x-ratelimit-remaining-requests", "93"));
        try (ResilientClient client =
                client(script).model(ModelSettings.of("m")).build()) {
            metrics.watch(client);
            assertThat(gauge("holdfast.limit.remaining", "dimension", "requests"))
                    .isNaN();
            client.call(chat("m"));
            clock.add(Duration.ofSeconds(2));
            assertThat(gauge("holdfast.limit.remaining", "dimension", "requests"))
                    .isEqualTo(93);
            assertThat(gauge("holdfast.limit.remaining", "dimension", "tokens")).isNaN();
        }
    }

    @Test
    void aStreamIsInFlightUntilItIsReadAndThenCounted() {
        try (ResilientClient client =
                client(FaultScript.healthy()).model(ModelSettings.of("m")).build()) {
            metrics.watch(client);
            try (ModelStream stream = client.stream(chat("m"))) {
                assertThat(gauge("holdfast.calls.active")).isEqualTo(1);
                assertThat(times("holdfast.calls")).isZero();
                stream.forEach(event -> {});
            }
            assertThat(gauge("holdfast.calls.active")).isZero();
        }
        assertThat(times("holdfast.calls", "model", "m", "outcome", "success")).isEqualTo(1);
    }

    @Test
    void modelsThatNobodyConfiguredAreOther() {
        try (ResilientClient client =
                client(FaultScript.healthy()).model(ModelSettings.of("m")).build()) {
            metrics.watch(client);
            for (int i = 0; i < 20; i++) {
                client.call(chat("made-up-" + i));
            }
        }
        assertThat(registry.getMeters())
                .flatExtracting(meter -> meter.getId().getTags())
                .extracting(Tag::getValue)
                .noneMatch(value -> value.contains("made-up"));
        assertThat(times("holdfast.calls", "model", "other")).isEqualTo(20);
    }

    @Test
    void namedModelsAndTagsOfTheUserStandInLabels() {
        ClientMetrics own =
                ClientMetrics.of(registry).withTags("client", "shop").withModels("n");
        try (ResilientClient client =
                client(FaultScript.healthy()).listener(own).build()) {
            client.call(chat("n"));
        }
        assertThat(times("holdfast.calls", "client", "shop", "model", "n")).isEqualTo(1);
    }

    @Test
    void anotherClientTakesTheOnesPlaceAndCloseLeavesNoGauge() {
        try (ResilientClient one = client(FaultScript.healthy())
                        .model(ModelSettings.of("m"))
                        .build();
                ResilientClient other = ResilientClient.builder()
                        .endpoint(Endpoint.builder("elsewhere", provider.baseUrl())
                                .build())
                        .model(ModelSettings.of("n"))
                        .build()) {
            metrics.watch(one);
            metrics.watch(other);
            assertThat(registry.find("holdfast.breaker.state").gauges())
                    .singleElement()
                    .satisfies(gauge ->
                            assertThat(gauge.getId().getTag("endpoint")).isEqualTo("elsewhere"));
            one.call(chat("m"));
            metrics.close();
            assertThat(registry.getMeters())
                    .filteredOn(meter -> meter.getId().getType() == Meter.Type.GAUGE)
                    .extracting(meter -> meter.getId().getName())
                    .allMatch(name -> name.endsWith(".histogram"));
            assertThat(times("holdfast.calls")).isEqualTo(1);
        }
    }
}
