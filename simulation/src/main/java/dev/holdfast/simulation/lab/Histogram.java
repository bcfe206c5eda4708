package dev.holdfast.simulation.lab;

import java.util.Arrays;

/**
 * How many calls took how long, in bins that grow by a fortieth of a decade (6 %): from 1 ms, with all that is shorter in the first,
 * to 10,000 s, with all that is longer in the last. Immutable.
 */
public final class Histogram {
    /** How many bins a decade has. */
    public static final int BINS_PER_DECADE = 40;

    private static final int DECADES = 7;
    private static final int BINS = BINS_PER_DECADE * DECADES;

    private final long[] counts;

    private Histogram(long[] counts) {
        this.counts = counts;
    }

    static Histogram of(long[] nanos) {
        var counts = new long[BINS];
        for (long each : nanos) {
            counts[bin(each)]++;
        }
        return new Histogram(counts);
    }

    static Histogram empty() {
        return new Histogram(new long[BINS]);
    }

    /** The first bin that ends at a time or later. */
    private static int bin(long nanos) {
        if (nanos <= 1_000_000) {
            return 0;
        }
        int guess = (int) StrictMath.ceil(BINS_PER_DECADE * StrictMath.log10(nanos / 1e6)) - 1;
        return Math.clamp(guess, 0, BINS - 1);
    }

    Histogram plus(Histogram other) {
        long[] sum = counts.clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] += other.counts[i];
        }
        return new Histogram(sum);
    }

    /** {@return how many bins there are} */
    public int bins() {
        return counts.length;
    }

    /**
     * {@return the end of a bin, in milliseconds; what took exactly that long is in it}
     *
     * @param bin which, from 0
     */
    public double endMs(int bin) {
        return StrictMath.pow(10, (bin + 1) / (double) BINS_PER_DECADE);
    }

    /**
     * {@return how many calls are in a bin}
     *
     * @param bin which, from 0
     */
    public long count(int bin) {
        return counts[bin];
    }

    /** {@return how many calls there are} */
    public long total() {
        return Arrays.stream(counts).sum();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Histogram that && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return "Histogram[" + total() + " calls]";
    }
}
