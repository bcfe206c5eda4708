package dev.holdfast.simulation.internal.weather;

import dev.holdfast.simulation.internal.weather.Draws.Purpose;

/** When one model is down: one outage in each of equal segments of the time, planned beforehand. Times in seconds. */
public final class Outages {
    private static final double MEAN_LENGTH = 3.52;
    private static final double LENGTH_SPREAD = 0.08;
    private static final double[] NONE = {};

    private final double[] starts;
    private final double[] ends;

    private Outages(double[] starts, double[] ends) {
        this.starts = starts;
        this.ends = ends;
    }

    /**
     * Plans them.
     *
     * @param from the earliest start of an outage, as a share of what its segment leaves free
     * @param width how far the start varies, as a share of that
     */
    public static Outages plan(Draws draws, int model, int count, double span, double from, double width) {
        if (count == 0) {
            return new Outages(NONE, NONE);
        }
        int[] order = permutation(draws, model, count);
        double[] starts = new double[count];
        double[] ends = new double[count];
        double segment = span / count;
        for (int i = 0; i < count; i++) {
            double quantile = (order[i] + draws.uniform(Purpose.OUTAGE_LENGTH, i, 0, model)) / count;
            double length = StrictMath.min(segment, MEAN_LENGTH * (1 + LENGTH_SPREAD * (2 * quantile - 1)));
            double place = from + width * draws.uniform(Purpose.OUTAGE_START, i, 0, model);
            starts[i] = i * segment + place * (segment - length);
            ends[i] = starts[i] + length;
        }
        return new Outages(starts, ends);
    }

    /** Whether the model is down. */
    public boolean at(double time) {
        int i = lastStartNotAfter(time);
        return i >= 0 && time < ends[i];
    }

    /** When the next outage after a time begins; infinity if there is none. */
    public double nextStart(double time) {
        int i = lastStartNotAfter(time) + 1;
        return i < starts.length ? starts[i] : Double.POSITIVE_INFINITY;
    }

    private int lastStartNotAfter(double time) {
        int low = 0;
        int high = starts.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (starts[middle] <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    private static int[] permutation(Draws draws, int model, int count) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int j = (int) (draws.uniform(Purpose.OUTAGE_ORDER, i, 0, model) * (i + 1));
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }
}
