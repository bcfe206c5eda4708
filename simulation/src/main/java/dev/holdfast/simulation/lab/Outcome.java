package dev.holdfast.simulation.lab;

import java.util.Arrays;

/**
 * What one run of a policy under the weather of one seed gave. Immutable.
 *
 * @param calls how many calls were made
 * @param successes how many were answered
 * @param attempts how many attempts the client reports
 * @param sends how many attempts the provider saw
 * @param costPerSuccess what a success cost, in answers of the first model; not a number if there was none
 * @param times the times of the calls, less the cost and attempts
 * @param histogram how many calls took how long
 */
public record Outcome(
        int calls, int successes, int attempts, int sends, double costPerSuccess, Times times, Histogram histogram) {

    /**
     * Times from a call's arrival to its end, in milliseconds.
     *
     * @param mean the mean
     * @param p50 what half of the calls do not exceed
     * @param p95 what 95 % of the calls do not exceed
     * @param p99 what 99 % of the calls do not exceed
     * @param max the longest
     */
    public record Times(double mean, double p50, double p95, double p99, double max) {}

    /**
     * {@return the outcome of calls}
     *
     * @param nanos how long each took, from its arrival to its end; sorted by this method
     * @param successes how many were answered
     * @param attempts how many attempts the client reports
     * @param sends how many attempts the provider saw
     * @param billed what they were billed, in answers of the first model
     */
    public static Outcome of(long[] nanos, int successes, int attempts, int sends, double billed) {
        Arrays.sort(nanos);
        long sum = Arrays.stream(nanos).sum();
        var times = new Times(
                sum / 1e6 / nanos.length,
                percentileMs(nanos, 0.50),
                percentileMs(nanos, 0.95),
                percentileMs(nanos, 0.99),
                percentileMs(nanos, 1));
        return new Outcome(
                nanos.length,
                successes,
                attempts,
                sends,
                CallCosts.perSuccess(billed, sum / 1e9, successes),
                times,
                Histogram.of(nanos));
    }

    /**
     * {@return what was measured, with the cost beside that of another run}
     *
     * @param baseline the run without retries under the same weather
     */
    public Measures measures(Outcome baseline) {
        return new Measures(
                times.mean(),
                times.p50(),
                times.p95(),
                times.p99(),
                times.max(),
                100.0 * successes / calls,
                100 * (costPerSuccess / baseline.costPerSuccess - 1),
                (double) attempts / calls);
    }

    /** The smallest time that this share of the calls does not exceed. */
    private static double percentileMs(long[] sortedNanos, double share) {
        int rank = (int) StrictMath.ceil(share * sortedNanos.length);
        return sortedNanos[Math.max(1, rank) - 1] / 1e6;
    }
}
