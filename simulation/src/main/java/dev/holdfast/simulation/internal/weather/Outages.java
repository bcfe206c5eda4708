package dev.holdfast.simulation.internal.weather;

import dev.holdfast.simulation.OutageProfile;
import dev.holdfast.simulation.OutageProfile.Alternating;
import dev.holdfast.simulation.OutageProfile.Planned;
import dev.holdfast.simulation.internal.weather.Draws.Purpose;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** When one model, or one region, is down. Times in seconds. */
public final class Outages {
    private static final int IDS_OF_A_MODEL = 100;
    private static final int FIRST_REGION = 1_000_000;

    private final OutageProfile profile;
    private final Draws draws;
    private final int id;
    private double[] starts = {};
    private double[] ends = {};
    private int count;

    /** Until when the windows are known; infinity where they are planned. */
    private double knownUntil = Double.POSITIVE_INFINITY;

    private Outages(OutageProfile profile, Draws draws, int id) {
        this.profile = profile;
        this.draws = draws;
        this.id = id;
    }

    /** What the draws of a region's outages are told apart by. */
    public static int idOfRegion(int region) {
        return FIRST_REGION + region;
    }

    /**
     * All outages of a model or a region.
     *
     * @param id what their draws are told apart by
     * @param span how long the run is
     */
    public static List<Outages> of(List<OutageProfile> profiles, Draws draws, int id, double span) {
        var all = new ArrayList<Outages>();
        for (OutageProfile profile : profiles) {
            var outages = new Outages(profile, draws, id + IDS_OF_A_MODEL * all.size());
            switch (profile.timing()) {
                case Planned planned -> outages.plan(planned, span);
                case Alternating alternating -> outages.begin(alternating);
            }
            all.add(outages);
        }
        return List.copyOf(all);
    }

    public OutageProfile profile() {
        return profile;
    }

    int id() {
        return id;
    }

    /** Which share of the attempts at a time fails: all that the profile says within an outage, less and less after it. */
    double severity(double time) {
        int i = lastStartNotAfter(time);
        if (i < 0) {
            return 0;
        }
        if (time < ends[i]) {
            return profile.share();
        }
        double recovery = profile.recovery().toNanos() / 1e9;
        return recovery > 0 ? profile.share() * StrictMath.exp((ends[i] - time) / recovery) : 0;
    }

    /** Whether a time is within an outage. */
    boolean at(double time) {
        int i = lastStartNotAfter(time);
        return i >= 0 && time < ends[i];
    }

    /** When the next outage after a time begins; infinity if there is none. */
    double nextStart(double time) {
        int i = lastStartNotAfter(time) + 1;
        return i < count ? starts[i] : Double.POSITIVE_INFINITY;
    }

    /** Those that begin before a time, each as its start and its end. */
    public List<double[]> before(double time) {
        var windows = new ArrayList<double[]>();
        int last = lastStartNotAfter(time);
        for (int i = 0; i <= last; i++) {
            windows.add(new double[] {starts[i], ends[i]});
        }
        return windows;
    }

    private int lastStartNotAfter(double time) {
        growBeyond(time);
        int low = 0;
        int high = count;
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

    private void add(double start, double end) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, Math.max(8, 2 * count));
            ends = Arrays.copyOf(ends, starts.length);
        }
        starts[count] = start;
        ends[count++] = end;
    }

    // --- planned ----------------------------------------------------------------------------------------------------

    private void plan(Planned planned, double span) {
        int windows = (int) StrictMath.max(
                planned.least(), StrictMath.round(span / (planned.every().toNanos() / 1e9)));
        if (windows == 0) {
            return;
        }
        int[] order = permutation(windows);
        double segment = span / windows;
        double mean = planned.length().toNanos() / 1e9;
        for (int i = 0; i < windows; i++) {
            double quantile = (order[i] + draws.uniform(Purpose.OUTAGE_LENGTH, i, 0, id)) / windows;
            double length = StrictMath.min(segment, mean * (1 + planned.spread() * (2 * quantile - 1)));
            double place = planned.from() + planned.width() * draws.uniform(Purpose.OUTAGE_START, i, 0, id);
            double start = i * segment + place * (segment - length);
            add(start, start + length);
        }
    }

    private int[] permutation(int size) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            int j = (int) (draws.uniform(Purpose.OUTAGE_ORDER, i, 0, id) * (i + 1));
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    // --- up and down in turns ---------------------------------------------------------------------------------------

    /** As if it had gone on for ever: the first state by its share of the time, and what is left of it as long as all of it. */
    private void begin(Alternating alternating) {
        double up = alternating.up().toNanos() / 1e9;
        double down = alternating.down().toNanos() / 1e9;
        knownUntil = 0;
        if (draws.uniform(Purpose.UP_AND_DOWN, 0, 0, id) < down / (up + down)) {
            double end = exponential(down, 1);
            add(0, end);
            knownUntil = end;
        }
    }

    /** At least one outage is known that begins after the time. */
    private void growBeyond(double time) {
        if (profile.timing() instanceof Alternating alternating) {
            while (count == 0 || starts[count - 1] <= time) {
                double start = knownUntil + exponential(alternating.up().toNanos() / 1e9, 2 * count + 2);
                double end = start + exponential(alternating.down().toNanos() / 1e9, 2 * count + 3);
                add(start, end);
                knownUntil = end;
            }
        }
    }

    private double exponential(double mean, int number) {
        return -mean * StrictMath.log(1 - draws.uniform(Purpose.UP_AND_DOWN, number, 0, id));
    }
}
