package dev.holdfast.simulation.internal.weather;

/**
 * Random numbers that are a hash of what they are for: whoever asks again, in any order, gets the same. So all strategies meet
 * the same weather, and one more draw here changes none there. {@link StrictMath}: the same bits on every machine.
 */
public final class Draws {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final long seed;

    /** What a number is for; the id goes into the hash and stays. */
    public enum Purpose {
        ARRIVAL(1),
        OUTAGE_ORDER(2),
        OUTAGE_LENGTH(3),
        OUTAGE_START(4),
        REFUSED_BY_ALL(5),
        REFUSED_BY_MODEL(6),
        OUTAGE_LATENCY(7),
        LIMIT_LATENCY(8),
        ANSWER_RADIUS(9),
        ANSWER_ANGLE(10),
        CRASH_LATENCY(11),
        OUTAGE_SHARE(12),
        OUTAGE_DROP(13),
        UP_AND_DOWN(14),
        SLOW(15),
        FAULT(16),
        FAULT_LATENCY(17),
        LOAD_LATENCY(18),
        STREAMED(19);

        private final long id;

        Purpose(long id) {
            this.id = id;
        }
    }

    public Draws(long seed) {
        this.seed = mix(seed + GOLDEN);
    }

    /** A number in [0, 1). */
    public double uniform(Purpose purpose, int request, int attempt, int model) {
        long hash = mix(seed ^ mix(GOLDEN * purpose.id));
        hash = mix(hash + GOLDEN * (request + 1L));
        hash = mix(hash + GOLDEN * (attempt + 1L));
        hash = mix(hash + GOLDEN * (model + 1L));
        return (hash >>> 11) * 0x1.0p-53;
    }

    /** A standard normal number (Box and Muller). */
    public double normal(int request, int attempt, int model) {
        double radius = uniform(Purpose.ANSWER_RADIUS, request, attempt, model);
        double angle = uniform(Purpose.ANSWER_ANGLE, request, attempt, model);
        return StrictMath.sqrt(-2 * StrictMath.log(1 - radius)) * StrictMath.cos(2 * StrictMath.PI * angle);
    }

    /** The finalizer of SplitMix64: every bit of the input reaches every bit of the output. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
