package dev.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How an endpoint does as a whole.
 *
 * @param endpoint its name
 * @param status its standing
 * @param latency the mean latency of its calls; empty before the first
 * @param probeLatency the mean latency of its probes; empty before the first
 * @param failuresInRow how often it failed in a row
 * @param inFlight how many attempts are on their way to it
 * @param lastProbe when it was probed last; empty if it never was
 */
public record EndpointHealth(
        String endpoint,
        HealthStatus status,
        Optional<Duration> latency,
        Optional<Duration> probeLatency,
        int failuresInRow,
        int inFlight,
        Optional<Instant> lastProbe) {
    @Override
    public String toString() {
        return endpoint + ": " + TargetHealth.word(status)
                + latency.map(mean -> ", calls take " + mean.toMillis() + " ms").orElse("")
                + probeLatency
                        .map(mean -> ", probes take " + mean.toMillis() + " ms")
                        .orElse("")
                + (failuresInRow == 0 ? "" : ", " + failuresInRow + " failures in a row") + ", " + inFlight
                + " in flight";
    }
}
