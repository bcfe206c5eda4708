package dev.holdfast.core;

import java.time.Duration;
import java.util.Optional;

/**
 * Opens a breaker by the share of calls that fail, or that take too long, among the last calls.
 *
 * <pre>{@code
 * BreakerPolicy policy = BreakerPolicy.defaults()
 *         .withWindow(BreakerWindow.ofCalls(100).withMinimumCalls(20).withFailureRate(0.5));
 * }</pre>
 *
 * <p>It opens after the report that makes {@code failures / calls >= failureRate}, or {@code slow / calls >= rate}, and
 * never while the window holds fewer than {@code minimumCalls}. Each state begins with an empty window.
 *
 * @param span which calls are looked at
 * @param minimumCalls how many calls the window has to hold, at least 1 and no more than it can hold
 * @param failureRate the share of failures that opens it, above 0, at most 1
 * @param slowCalls which calls are slow, and how many are too many; empty if speed does not matter, and then no clock is
 *     read for it
 */
public record BreakerWindow(Span span, int minimumCalls, double failureRate, Optional<SlowCalls> slowCalls) {
    private static final int MOST_CALLS = 100_000;
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final int MINIMUM = 10;

    /** Refuses values out of range. */
    public BreakerWindow {
        if (minimumCalls < 1) {
            throw new IllegalArgumentException("minimumCalls: " + minimumCalls + " (expected: >= 1)");
        }
        if (span instanceof LastCalls(int calls) && minimumCalls > calls) {
            throw new IllegalArgumentException("minimumCalls: " + minimumCalls + " (expected: at most the window's "
                    + calls + ", else it never opens)");
        }
        share("failureRate", failureRate);
    }

    /** Which calls a window looks at. */
    public sealed interface Span {}

    /**
     * The last so many calls.
     *
     * @param calls how many, 1 to 100,000
     */
    public record LastCalls(int calls) implements Span {
        /** Refuses values out of range. */
        public LastCalls {
            if (calls < 1 || calls > MOST_CALLS) {
                throw new IllegalArgumentException("calls: " + calls + " (expected: 1 to " + MOST_CALLS + ")");
            }
        }
    }

    /**
     * The calls that ended within the last while, counted in ten slices: a call leaves when it is between nine tenths of the
     * length and the whole of it old.
     *
     * @param length how long, 10 ms to 7 days
     */
    public record LastTime(Duration length) implements Span {
        /** Refuses values out of range. */
        public LastTime {
            if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        "length: " + length + " (expected: " + SHORTEST + " to " + LONGEST + ")");
            }
        }
    }

    /**
     * Which calls are slow, and how many are too many. A call that fails late is both slow and failed. A probe that is slow
     * opens the breaker again.
     *
     * @param rate the share of slow calls that opens it, above 0, at most 1
     * @param longerThan a call that takes longer than this is slow; of a stream only the time to its first event counts
     */
    public record SlowCalls(double rate, Duration longerThan) {
        /** Refuses values out of range. */
        public SlowCalls {
            share("slowCallRate", rate);
            if (longerThan.isNegative() || longerThan.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("longerThan: " + longerThan + " (expected: 0 to " + LONGEST + ")");
            }
        }
    }

    /**
     * {@return the last so many calls; opens when half of them failed, not before there were 10, or as many as the window
     * holds if that is less}
     *
     * @param calls how many, 1 to 100,000
     */
    public static BreakerWindow ofCalls(int calls) {
        return new BreakerWindow(new LastCalls(calls), Math.min(calls, MINIMUM), 0.5, Optional.empty());
    }

    /**
     * {@return the calls that ended within the last while; opens when half of them failed, not before there were 10}
     *
     * @param length how long, 10 ms to 7 days
     */
    public static BreakerWindow ofTime(Duration length) {
        return new BreakerWindow(new LastTime(length), MINIMUM, 0.5, Optional.empty());
    }

    /**
     * {@return this window with another minimum}
     *
     * @param calls how many calls it has to hold before it opens
     */
    public BreakerWindow withMinimumCalls(int calls) {
        return new BreakerWindow(span, calls, failureRate, slowCalls);
    }

    /**
     * {@return this window with another failure rate}
     *
     * @param share the share of failures that opens it, above 0, at most 1
     */
    public BreakerWindow withFailureRate(double share) {
        return new BreakerWindow(span, minimumCalls, share, slowCalls);
    }

    /**
     * {@return this window, which slow calls open too}
     *
     * @param share the share of slow calls that opens it, above 0, at most 1
     * @param longerThan a call that takes longer than this is slow
     */
    public BreakerWindow withSlowCalls(double share, Duration longerThan) {
        return new BreakerWindow(span, minimumCalls, failureRate, Optional.of(new SlowCalls(share, longerThan)));
    }

    private static void share(String name, double value) {
        if (!(value > 0 && value <= 1)) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: above 0, at most 1)");
        }
    }
}
