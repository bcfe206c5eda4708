package dev.holdfast;

import java.time.Instant;
import java.util.Optional;

/**
 * How a model on an endpoint does.
 *
 * @param target the model on the endpoint
 * @param status its standing; that of the endpoint where that is worse
 * @param breaker the state of its breaker; empty where it has none
 * @param admits whether breaker and orders by hand would let an attempt through now; an open breaker does once its time is over
 * @param coolsDownUntil until when one of its accounts rests because the provider said so or refused; empty where none does
 * @param misconfigured whether the provider refused the key or does not know the model, and no answer came since
 * @param errorRate the share of its attempts that failed lately, 0 to 1
 * @param inFlight how many attempts are on their way to it
 * @param latency how long its answers took, from sending to the last byte
 * @param firstEvent how long its streams took to begin
 * @param limits what the provider last said of its limits; empty where it said nothing
 */
public record TargetHealth(
        Target target,
        HealthStatus status,
        Optional<BreakerState> breaker,
        boolean admits,
        Optional<Instant> coolsDownUntil,
        boolean misconfigured,
        double errorRate,
        int inFlight,
        LatencySummary latency,
        LatencySummary firstEvent,
        Optional<RateLimitSnapshot> limits) {
    /** {@return whether a call could be sent there now, whatever came of it} */
    public boolean isCallable() {
        return admits && coolsDownUntil.isEmpty();
    }

    /** {@return whether a call could be sent there now, and may be expected to be answered} */
    public boolean isAvailable() {
        return isCallable() && status != HealthStatus.UNHEALTHY && !misconfigured;
    }

    /** {@return whether it is available, and nothing speaks against it} */
    public boolean isWell() {
        return isAvailable() && status == HealthStatus.HEALTHY;
    }

    @Override
    public String toString() {
        return target.endpoint() + ": " + word(status)
                + breaker.filter(state -> state != BreakerState.CLOSED)
                        .map(state -> ", breaker " + state.name().toLowerCase(java.util.Locale.ROOT))
                        .orElse("")
                + (admits ? "" : ", rejects")
                + coolsDownUntil.map(until -> ", cools down until " + until).orElse("")
                + (misconfigured ? ", misconfigured" : "")
                + ", errors " + percent(errorRate) + ", " + inFlight + " in flight, " + latency
                + (firstEvent.samples() == 0 ? "" : "; streams begin " + firstEvent);
    }

    static String word(HealthStatus status) {
        return status.name().toLowerCase(java.util.Locale.ROOT);
    }

    static String percent(double share) {
        return Math.round(share * 1000) / 10.0 + " %";
    }
}
