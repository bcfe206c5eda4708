package dev.holdfast.core.internal.call;

import dev.holdfast.Endpoint;
import dev.holdfast.EndpointHealth;
import dev.holdfast.HealthReport;
import dev.holdfast.HealthStatus;
import dev.holdfast.LatencySummary;
import dev.holdfast.ModelHealth;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Target;
import dev.holdfast.TargetHealth;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.internal.health.Health;
import dev.holdfast.core.internal.health.HealthView;
import dev.holdfast.core.internal.health.Sign;
import dev.holdfast.core.internal.latency.LatencyHistogram;
import dev.holdfast.core.internal.latency.RecentShare;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Puts together what the parts of a client know of how it does. Reads only, and waits for nothing. */
final class HealthReporter {
    private static final double HALF = 0.5;
    private static final double MOST = 0.95;
    private static final double NEARLY_ALL = 0.99;

    private final Services services;
    private final Breakers breakers;
    private final Health health;
    private final Optional<EndpointProbes> probes;

    HealthReporter(Services services, Breakers breakers, Health health, Optional<EndpointProbes> probes) {
        this.services = services;
        this.breakers = breakers;
        this.health = health;
        this.probes = probes;
    }

    HealthReport report() {
        Instant now = services.setup().timekeeper().now();
        var facts = new Facts(
                now,
                services.latencies().whole(),
                services.latencies().begun(),
                services.rateLimits().byTarget());
        var models = new ArrayList<ModelHealth>();
        targets().forEach((model, targets) -> models.add(model(model, targets, facts)));
        List<EndpointHealth> endpoints =
                services.setup().endpoints().stream().map(this::endpoint).toList();
        return new HealthReport(now, overall(models), models, endpoints);
    }

    /** What is looked up once for all targets. */
    private record Facts(
            Instant now,
            Map<Target, LatencyHistogram> whole,
            Map<Target, LatencyHistogram> begun,
            Map<Target, RateLimitSnapshot> limits) {}

    /** The targets of each model that is configured or was called. */
    private Map<String, Collection<Target>> targets() {
        var byModel = new TreeMap<String, Collection<Target>>();
        Set<String> called = health.models();
        services.setup()
                .models()
                .keySet()
                .forEach(model -> byModel.put(model, services.routes().targetsOf(model)));
        called.forEach(model -> byModel.computeIfAbsent(model, services.routes()::targetsOf));
        return byModel;
    }

    private ModelHealth model(String model, Collection<Target> targets, Facts facts) {
        List<TargetHealth> all =
                targets.stream().map(target -> target(target, facts)).toList();
        RecentShare.Reading fallbacks = services.fallbacks().of(model);
        return new ModelHealth(model, status(all), fallbacks.all(), fallbacks.share(), all);
    }

    private static HealthStatus status(List<TargetHealth> targets) {
        if (targets.stream().allMatch(TargetHealth::isWell)) {
            return HealthStatus.HEALTHY;
        }
        return targets.stream().anyMatch(TargetHealth::isAvailable) ? HealthStatus.DEGRADED : HealthStatus.UNHEALTHY;
    }

    private static HealthStatus overall(List<ModelHealth> models) {
        if (models.stream().allMatch(model -> model.status() == HealthStatus.HEALTHY)) {
            return HealthStatus.HEALTHY;
        }
        return models.stream().allMatch(model -> model.status() == HealthStatus.UNHEALTHY)
                ? HealthStatus.UNHEALTHY
                : HealthStatus.DEGRADED;
    }

    private TargetHealth target(Target target, Facts facts) {
        HealthView view = health.of(target);
        boolean refused = view.mark().filter(mark -> mark == Sign.REFUSED).isPresent()
                || services.misconfigured().contains(target);
        return new TargetHealth(
                target,
                view.status(),
                breakers.of(target).map(CircuitBreaker::state),
                services.admission().wouldAdmit(target),
                services.routes()
                        .keysOf(target)
                        .flatMap(keys -> services.admission().restOf(keys))
                        .map(facts.now()::plus),
                refused,
                view.errorRate(),
                view.inFlight(),
                summary(facts.whole().get(target)),
                summary(facts.begun().get(target)),
                Optional.ofNullable(facts.limits().get(target)));
    }

    private static LatencySummary summary(@Nullable LatencyHistogram histogram) {
        if (histogram == null) {
            return LatencySummary.NONE;
        }
        LatencyHistogram.Reading reading = histogram.read();
        return new LatencySummary(
                reading.samples(), reading.quantile(HALF), reading.quantile(MOST), reading.quantile(NEARLY_ALL));
    }

    private EndpointHealth endpoint(Endpoint endpoint) {
        HealthView view = health.ofEndpoint(endpoint.name());
        return new EndpointHealth(
                endpoint.name(),
                view.status(),
                view.latency(),
                view.probeLatency(),
                view.failuresInRow(),
                view.inFlight(),
                probes.flatMap(each -> each.lastAsked(endpoint.name())));
    }
}
