package dev.holdfast.benchmarks.table;

import java.util.Arrays;

/** What one run measured. */
final class RunResult {
    private final long[] sortedNanos;
    private final int successes;
    private final int attempts;
    private final int sends;
    private final double billed;

    RunResult(long[] sortedNanos, int successes, int attempts, int sends, double billed) {
        this.sortedNanos = sortedNanos;
        this.successes = successes;
        this.attempts = attempts;
        this.sends = sends;
        this.billed = billed;
    }

    /** The attempts that the client reports. */
    int attempts() {
        return attempts;
    }

    /** The attempts that the provider saw. */
    int sends() {
        return sends;
    }

    double costPerSuccess() {
        return Costs.perSuccess(billed, Arrays.stream(sortedNanos).sum() / 1e9, successes);
    }

    /** The row's cells; cost relative to that of the baseline under the same weather. */
    Cells cells(RunResult baseline) {
        return new Cells(
                Arrays.stream(sortedNanos).sum() / 1e6 / sortedNanos.length,
                percentileMs(0.50),
                percentileMs(0.95),
                percentileMs(0.99),
                percentileMs(1),
                100.0 * successes / sortedNanos.length,
                100 * (costPerSuccess() / baseline.costPerSuccess() - 1));
    }

    /** The smallest latency that this share of the calls does not exceed. */
    private double percentileMs(double share) {
        int rank = (int) StrictMath.ceil(share * sortedNanos.length);
        return sortedNanos[Math.max(1, rank) - 1] / 1e6;
    }
}
