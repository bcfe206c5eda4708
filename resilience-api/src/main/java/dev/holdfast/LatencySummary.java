package dev.holdfast;

import java.time.Duration;

/**
 * How long something took in the last minutes. Read from buckets: a value is up to 6.25 % above what was measured.
 *
 * @param samples how many were measured
 * @param median what half of them did not pass; zero where there are none
 * @param ninetyFifth what 95 of 100 did not pass; zero where there are none
 * @param ninetyNinth what 99 of 100 did not pass; zero where there are none
 */
public record LatencySummary(long samples, Duration median, Duration ninetyFifth, Duration ninetyNinth) {
    /** Nothing was measured. */
    public static final LatencySummary NONE = new LatencySummary(0, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /** {@return {@code "p50 12 ms, p95 40 ms, p99 41 ms of 200"}, or {@code "no samples"}} */
    @Override
    public String toString() {
        return samples == 0
                ? "no samples"
                : "p50 " + median.toMillis() + " ms, p95 " + ninetyFifth.toMillis() + " ms, p99 "
                        + ninetyNinth.toMillis() + " ms of " + samples;
    }
}
