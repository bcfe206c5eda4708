package dev.holdfast.core;

import java.time.Duration;

/**
 * How many may do something at the same time, and who may wait for it.
 *
 * @param concurrency how many, from 1 to 1,000,000
 * @param maxQueued how many may wait, not negative; about so many where several come at once
 * @param maxWait how long one may wait for a place; zero to be refused rather than wait
 */
public record BulkheadPolicy(int concurrency, int maxQueued, Duration maxWait) {
    private static final int MOST = 1_000_000;

    /** Refuses values out of range. */
    public BulkheadPolicy {
        if (concurrency < 1 || concurrency > MOST) {
            throw new IllegalArgumentException("concurrency: " + concurrency + " (expected: 1 to " + MOST + ")");
        }
        if (maxQueued < 0) {
            throw new IllegalArgumentException("maxQueued: " + maxQueued + " (expected: >= 0)");
        }
        if (maxWait.isNegative() || maxWait.compareTo(Patience.LONGEST) > 0) {
            throw new IllegalArgumentException("maxWait: " + maxWait + " (expected: 0 to " + Patience.LONGEST + ")");
        }
    }

    /**
     * {@return so many at a time; any number may wait, up to 30 s}
     *
     * @param concurrency how many
     */
    public static BulkheadPolicy of(int concurrency) {
        return new BulkheadPolicy(concurrency, Integer.MAX_VALUE, Duration.ofSeconds(30));
    }

    /**
     * {@return this policy with another number of places}
     *
     * @param places how many
     */
    public BulkheadPolicy withConcurrency(int places) {
        return new BulkheadPolicy(places, maxQueued, maxWait);
    }

    /**
     * {@return this policy with another bound on the queue}
     *
     * @param waiters how many may wait
     */
    public BulkheadPolicy withMaxQueued(int waiters) {
        return new BulkheadPolicy(concurrency, waiters, maxWait);
    }

    /**
     * {@return this policy with another patience}
     *
     * @param wait how long one may wait for a place
     */
    public BulkheadPolicy withMaxWait(Duration wait) {
        return new BulkheadPolicy(concurrency, maxQueued, wait);
    }
}
