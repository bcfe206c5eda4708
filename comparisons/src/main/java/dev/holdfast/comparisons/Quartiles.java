package dev.holdfast.comparisons;

import java.util.Arrays;

/** The middle of some values, and how far they lie apart. */
record Quartiles(double lower, double median, double upper) {
    static Quartiles of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Quartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
    }

    private static double at(double[] sorted, double share) {
        return sorted[(int) Math.round((sorted.length - 1) * share)];
    }

    @Override
    public String toString() {
        return String.format("%.3f (%.3f to %.3f)", median, lower, upper);
    }
}
