package dev.holdfast.core.internal.choice;

import dev.holdfast.core.internal.health.HealthView;
import java.time.Duration;

/**
 * An endpoint that could serve a model, and how the model does there now.
 *
 * @param name the endpoint's name
 * @param weight its share where load is balanced
 * @param health how the model does there
 * @param available whether it would let an attempt through: no open breaker, no cooldown, not taken out by hand
 */
public record Contender(String name, int weight, HealthView health, boolean available) {
    private static final double HALF_LIFE_NANOS = Duration.ofSeconds(30).toNanos();
    /** Fewer calls than this say little of errors. */
    private static final double FEW = 5;

    private static final double LEAST_SUCCESS = 0.05;

    /** Its weight, less while it has just returned. */
    double effectiveWeight() {
        return weight * health.share();
    }

    boolean isMeasured() {
        return health.latency().isPresent();
    }

    /**
     * What a call there costs in time: {@code latency * (1 + inFlight / weight) / (1 - errorRate)}. A latency that was
     * measured long ago counts half every 30 s, so that a slow endpoint is looked at again.
     *
     * @param unmeasuredNanos the latency to assume where none was measured
     */
    double cost(double unmeasuredNanos) {
        return service(unmeasuredNanos) * crowding();
    }

    /** What a call there costs in time while no other is under way: {@code latency / (1 - errorRate)}. */
    double service(double unmeasuredNanos) {
        double trust = Math.min(1, health.calls() / FEW);
        double success = Math.max(LEAST_SUCCESS, 1 - health.errorRate() * trust);
        return (isMeasured() ? freshLatencyNanos() : unmeasuredNanos) / success;
    }

    double crowding() {
        return 1 + health.inFlight() / effectiveWeight();
    }

    double freshLatencyNanos() {
        double halves = health.idle().toNanos() / HALF_LIFE_NANOS;
        double nanos = health.latency().map(Duration::toNanos).orElse(0L);
        return Math.max(1, nanos * StrictMath.pow(0.5, halves));
    }
}
