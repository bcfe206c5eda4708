package dev.holdfast.micrometer.internal;

import dev.holdfast.BreakerState;
import dev.holdfast.EndpointHealth;
import dev.holdfast.HealthReport;
import dev.holdfast.HealthStatus;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Target;
import dev.holdfast.TargetHealth;
import dev.holdfast.core.ResilientClient;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What there is to see of one client. Its report is read once a second at most, however many gauges are read. */
public final class Gauges implements AutoCloseable {
    /** No gauges. */
    public static final Gauges NONE = new Gauges(Optional.empty());

    /** What a provider's headers may say is left. */
    private static final List<String> DIMENSIONS = List.of("requests", "tokens", "input-tokens", "output-tokens");

    private final Optional<MeterRegistry> registry;
    private final List<Meter> meters = new ArrayList<>();

    private Gauges(Optional<MeterRegistry> registry) {
        this.registry = registry;
    }

    /**
     * {@return the gauges of a client}
     *
     * @param client the client
     * @param registry where they are shown
     * @param common tags of every gauge
     * @param labels names that may be labels
     */
    public static Gauges of(ResilientClient client, MeterRegistry registry, Tags common, Labels labels) {
        var gauges = new Gauges(Optional.of(registry));
        var reports = new Reports(client, registry.config().clock());
        HealthReport first = reports.latest();
        for (EndpointHealth endpoint : first.endpoints()) {
            gauges.endpoint(reports, endpoint.endpoint(), common, registry);
        }
        first.models().stream()
                .filter(model -> labels.isNamed(model.model()))
                .flatMap(model -> model.targets().stream())
                .forEach(target ->
                        gauges.target(reports, target.target(), common.and(labels.target(target.target())), registry));
        gauges.client(client, common, registry);
        return gauges;
    }

    private void client(ResilientClient client, Tags tags, MeterRegistry to) {
        gauge(
                to,
                "holdfast.calls.active",
                "calls in flight",
                tags,
                () -> client.control().callsInFlight());
        gauge(
                to,
                "holdfast.control.orders",
                "orders that hold now",
                tags,
                () -> client.control().orders().size());
        meters.add(FunctionCounter.builder(
                        "holdfast.control.given", client, each -> each.control().ordersGiven())
                .description("orders that were given")
                .tags(tags)
                .register(to));
    }

    private void endpoint(Reports reports, String name, Tags common, MeterRegistry to) {
        Supplier<Number> health = () -> reports.endpoint(name, each -> number(each.status()));
        Tags tags = common.and("endpoint", name);
        gauge(to, "holdfast.endpoint.health", "1 healthy, 0.5 degraded, 0 unhealthy", tags, health);
        gauge(
                to,
                "holdfast.endpoint.failures",
                "failures in a row",
                tags,
                () -> reports.endpoint(name, EndpointHealth::failuresInRow));
        gauge(
                to,
                "holdfast.endpoint.active",
                "attempts in flight",
                tags,
                () -> reports.endpoint(name, EndpointHealth::inFlight));
        gauge(
                to,
                "ai.endpoint.health.status",
                "1 healthy, 0 degraded or unhealthy",
                common.and("endpoint_name", name),
                () -> reports.endpoint(name, each -> each.status() == HealthStatus.HEALTHY ? 1 : 0));
    }

    private void target(Reports reports, Target target, Tags tags, MeterRegistry to) {
        gauge(
                to,
                "holdfast.breaker.state",
                "0 closed, 1 half-open, 2 open, 3 forced open, 4 disabled, 5 metrics only; none without a breaker",
                tags,
                () -> reports.target(
                        target, each -> each.breaker().map(Gauges::number).orElse(Double.NaN)));
        gauge(
                to,
                "holdfast.target.admits",
                "1 where an attempt would be let through now, else 0",
                tags,
                () -> reports.target(target, each -> each.isCallable() ? 1 : 0));
        gauge(
                to,
                "holdfast.target.health",
                "1 healthy, 0.5 degraded, 0 unhealthy",
                tags,
                () -> reports.target(target, each -> number(each.status())));
        gauge(
                to,
                "holdfast.target.active",
                "attempts in flight",
                tags,
                () -> reports.target(target, TargetHealth::inFlight));
        for (String dimension : DIMENSIONS) {
            gauge(
                    to,
                    "holdfast.limit.remaining",
                    "what is left of a limit, by the provider's word; none where it did not say",
                    tags.and("dimension", dimension),
                    () -> reports.target(target, each -> remaining(each.limits(), dimension)));
        }
    }

    private static double remaining(Optional<RateLimitSnapshot> limits, String dimension) {
        RateLimitSnapshot.Dimension said =
                limits.map(snapshot -> snapshot.dimensions().get(dimension)).orElse(null);
        return said == null || said.remaining().isEmpty()
                ? Double.NaN
                : said.remaining().getAsLong();
    }

    private static double number(BreakerState state) {
        return switch (state) {
            case CLOSED -> 0;
            case HALF_OPEN -> 1;
            case OPEN -> 2;
            case FORCED_OPEN -> 3;
            case DISABLED -> 4;
            case METRICS_ONLY -> 5;
        };
    }

    private static double number(HealthStatus status) {
        return switch (status) {
            case HEALTHY -> 1;
            case DEGRADED -> 0.5;
            case UNHEALTHY -> 0;
        };
    }

    private void gauge(MeterRegistry to, String name, String description, Tags tags, Supplier<Number> value) {
        meters.add(
                Gauge.builder(name, value).description(description).tags(tags).register(to));
    }

    /** Takes them from the registry. */
    @Override
    public void close() {
        registry.ifPresent(from -> meters.forEach(from::remove));
    }

    /** A value of a report; no number where the report has no such thing any more. */
    static <T> double valueOf(Optional<T> found, ToDoubleFunction<T> value) {
        return found.map(value::applyAsDouble).orElse(Double.NaN);
    }
}
