package dev.holdfast.simulation.lab;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Chance for each call by itself: what a call draws depends on the seed and on its number, not on who drew before. Threads that make
 * no call share a chance of their own. Safe for use by many threads.
 */
public final class CallRandom implements RandomGenerator {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final long seed;
    private final SplittableRandom shared;

    @SuppressWarnings("ThreadLocalUsage") // each experiment has its own chance
    private final ThreadLocal<@Nullable SplittableRandom> own = new ThreadLocal<>();

    /**
     * Chance of a seed.
     *
     * @param seed the seed
     */
    public CallRandom(long seed) {
        this.seed = seed;
        this.shared = new SplittableRandom(seed);
    }

    /**
     * From here on this thread makes the call of that number.
     *
     * @param call its number, from 0
     */
    public void begin(int call) {
        own.set(new SplittableRandom(seed ^ GOLDEN * (call + 1L)));
    }

    /** From here on this thread makes no call. */
    public void end() {
        own.remove();
    }

    @Override
    public long nextLong() {
        SplittableRandom mine = own.get();
        if (mine != null) {
            return mine.nextLong();
        }
        synchronized (shared) {
            return shared.nextLong();
        }
    }
}
