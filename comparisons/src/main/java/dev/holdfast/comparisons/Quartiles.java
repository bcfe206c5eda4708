package dev.holdfast.comparisons;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The middle of some values, how far they lie apart, and how well the middle is known.
 *
 * @param lower the lower quartile
 * @param median the middle
 * @param upper the upper quartile
 * @param from where the interval begins that holds the middle of all values there could be with 95 % confidence
 * @param to where it ends
 */
record Quartiles(double lower, double median, double upper, double from, double to) {
    /** Of a normal distribution: 95 % lie within so many standard deviations. */
    private static final double SPREAD = 1.96;

    static Quartiles of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Quartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75), bound(sorted, -1), bound(sorted, 1));
    }

    /** Of each value's ratio to the one it is measured by. */
    static Quartiles ofRatios(double[] values, double[] measures) {
        return of(IntStream.range(0, values.length)
                .mapToDouble(i -> values[i] / measures[i])
                .toArray());
    }

    private static double at(double[] sorted, double share) {
        return sorted[(int) Math.round((sorted.length - 1) * share)];
    }

    /**
     * By ranks, whatever the distribution: how many of n values lie below the middle is binomial (n, 1/2), with n/2 on average and a
     * standard deviation of half the square root of n.
     */
    private static double bound(double[] sorted, int sign) {
        double rank = (sorted.length - 1) / 2.0 + sign * SPREAD * Math.sqrt(sorted.length) / 2;
        long whole = Math.round(sign < 0 ? Math.floor(rank) : Math.ceil(rank));
        return sorted[(int) Math.clamp(whole, 0L, sorted.length - 1L)];
    }

    /** What the interval says of the question whether the middle is at most this. */
    String atMost(double most) {
        return to <= most ? "yes" : from > most ? "no" : "not decided";
    }

    /** What the interval says of the question whether the middle is at least this. */
    String atLeast(double least) {
        return from >= least ? "yes" : to < least ? "no" : "not decided";
    }

    @Override
    public String toString() {
        return Double.isFinite(from) && Double.isFinite(to)
                ? String.format(Locale.ROOT, "%.3f [%.3f, %.3f]", median, from, to)
                : "too short to tell";
    }
}
