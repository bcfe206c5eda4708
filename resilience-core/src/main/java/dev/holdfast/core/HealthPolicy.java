package dev.holdfast.core;

import java.time.Duration;

/**
 * When an endpoint, or a model on it, counts as degraded or unhealthy, and how it returns. The defaults: unhealthy after 3
 * failures in a row and back after 2 successes; latency as 0.7 of the old mean and 0.3 of the new sample; degraded from a
 * mean of 500 ms of its probes, or from half of its calls failing; left alone for 30 s before one call tries it again, and
 * twice as long each time that fails, up to 5 minutes; back at full weight 30 s after its return.
 *
 * @param failureThreshold how many failures in a row make it unhealthy, at least 1; the failed attempts of one call on one
 *     target count as one
 * @param recoveryThreshold how many successes in a row make it healthy again, at least 1
 * @param latencyWeight the part of the newest sample in the mean latency, above 0, at most 1: {@code mean = (1 - weight) * mean
 *     + weight * sample}; the first sample is the mean
 * @param timeoutCountsAs the latency of a probe that timed out, above 0
 * @param degradedLatency the mean latency of probes from which it is degraded, above 0
 * @param degradedErrorRate the share of failures among calls from which it is degraded, above 0, at most 1
 * @param halfLife after which time a call counts half in that share, above 0
 * @param ejection how long an unhealthy one is left alone before one call tries it again, above 0, at most 1 day
 * @param longestEjection the longest it is left alone, not shorter than {@code ejection}, at most 1 day
 * @param slowStart how long after its return until it has its full weight again; 0 for at once
 * @param unreachableAtOnce whether one failed connection is enough to make it unhealthy
 */
public record HealthPolicy(
        int failureThreshold,
        int recoveryThreshold,
        double latencyWeight,
        Duration timeoutCountsAs,
        Duration degradedLatency,
        double degradedErrorRate,
        Duration halfLife,
        Duration ejection,
        Duration longestEjection,
        Duration slowStart,
        boolean unreachableAtOnce) {
    private static final Duration DAY = Duration.ofDays(1);
    private static final HealthPolicy DEFAULTS = new HealthPolicy(
            3,
            2,
            0.3,
            Duration.ofSeconds(5),
            Duration.ofMillis(500),
            0.5,
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            false);

    /** Refuses values out of range. */
    public HealthPolicy {
        atLeastOne("failureThreshold", failureThreshold);
        atLeastOne("recoveryThreshold", recoveryThreshold);
        share("latencyWeight", latencyWeight);
        share("degradedErrorRate", degradedErrorRate);
        positive("timeoutCountsAs", timeoutCountsAs);
        positive("degradedLatency", degradedLatency);
        positive("halfLife", halfLife);
        positive("ejection", ejection);
        if (longestEjection.compareTo(ejection) < 0 || longestEjection.compareTo(DAY) > 0) {
            throw new IllegalArgumentException(
                    "longestEjection: " + longestEjection + " (expected: " + ejection + ", the ejection, to PT24H)");
        }
        if (slowStart.isNegative() || slowStart.compareTo(DAY) > 0) {
            throw new IllegalArgumentException("slowStart: " + slowStart + " (expected: 0 to PT24H)");
        }
    }

    private static void atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
        }
    }

    private static void share(String name, double value) {
        if (!(value > 0 && value <= 1)) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: above 0, at most 1)");
        }
    }

    private static void positive(String name, Duration value) {
        if (!value.isPositive() || value.compareTo(DAY) > 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: above 0, at most PT24H)");
        }
    }

    /** {@return the defaults} */
    public static HealthPolicy defaults() {
        return DEFAULTS;
    }

    /**
     * {@return this policy with other thresholds}
     *
     * @param failures how many failures in a row make unhealthy
     * @param successes how many successes in a row make healthy again
     */
    public HealthPolicy withThresholds(int failures, int successes) {
        return new HealthPolicy(
                failures,
                successes,
                latencyWeight,
                timeoutCountsAs,
                degradedLatency,
                degradedErrorRate,
                halfLife,
                ejection,
                longestEjection,
                slowStart,
                unreachableAtOnce);
    }

    /**
     * {@return this policy with other bounds of what is degraded}
     *
     * @param latency the mean latency of probes from which it is degraded
     * @param errorRate the share of failures from which it is degraded
     */
    public HealthPolicy withDegraded(Duration latency, double errorRate) {
        return new HealthPolicy(
                failureThreshold,
                recoveryThreshold,
                latencyWeight,
                timeoutCountsAs,
                latency,
                errorRate,
                halfLife,
                ejection,
                longestEjection,
                slowStart,
                unreachableAtOnce);
    }

    /**
     * {@return this policy with another ejection}
     *
     * @param first how long an unhealthy one is left alone before it is tried again
     * @param longest the longest it is left alone
     */
    public HealthPolicy withEjection(Duration first, Duration longest) {
        return new HealthPolicy(
                failureThreshold,
                recoveryThreshold,
                latencyWeight,
                timeoutCountsAs,
                degradedLatency,
                degradedErrorRate,
                halfLife,
                first,
                longest,
                slowStart,
                unreachableAtOnce);
    }

    /**
     * {@return this policy with another slow start}
     *
     * @param length how long after its return until it has its full weight again; 0 for at once
     */
    public HealthPolicy withSlowStart(Duration length) {
        return new HealthPolicy(
                failureThreshold,
                recoveryThreshold,
                latencyWeight,
                timeoutCountsAs,
                degradedLatency,
                degradedErrorRate,
                halfLife,
                ejection,
                longestEjection,
                length,
                unreachableAtOnce);
    }

    /**
     * {@return this policy, with one failed connection being enough or not}
     *
     * @param enough whether one failed connection makes unhealthy
     */
    public HealthPolicy withUnreachableAtOnce(boolean enough) {
        return new HealthPolicy(
                failureThreshold,
                recoveryThreshold,
                latencyWeight,
                timeoutCountsAs,
                degradedLatency,
                degradedErrorRate,
                halfLife,
                ejection,
                longestEjection,
                slowStart,
                enough);
    }
}
