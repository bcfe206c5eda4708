package dev.holdfast.core.internal.health;

import java.time.Duration;
import java.util.Optional;

/**
 * An exponentially weighted mean of latencies: {@code (1 - weight) * old + weight * new}; the first sample is the mean.
 *
 * @param nanos the mean; without meaning before the first sample
 * @param samples how many there were, at most {@link Integer#MAX_VALUE}
 * @param atNanos when the last of them came
 */
record Mean(double nanos, int samples, long atNanos) {
    static final Mean NONE = new Mean(0, 0, 0);

    Mean plus(long tookNanos, double weight, long nowNanos) {
        double sample = Math.max(0, tookNanos);
        double mean = samples == 0 ? sample : (1 - weight) * nanos + weight * sample;
        return new Mean(mean, samples == Integer.MAX_VALUE ? samples : samples + 1, nowNanos);
    }

    Optional<Duration> value() {
        return samples == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(Math.round(nanos)));
    }
}
