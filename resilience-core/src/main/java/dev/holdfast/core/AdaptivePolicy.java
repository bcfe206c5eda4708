package dev.holdfast.core;

import java.time.Duration;
import java.util.Optional;

/**
 * How many attempts may be in flight, found out from how they end. The limit stays within {@code min} and {@code max}, does not
 * grow while less than half of it is in use, and never rises by a failure.
 *
 * @param algorithm the rule by which it grows and shrinks
 * @param initial where it begins, from {@code min} to {@code max}
 * @param min the lowest it goes, at least 1
 * @param max the highest it goes, at most 100,000
 * @param decrease what a drop multiplies it by, from 0.1 to 0.99
 * @param tolerance how many times the usual latency is still no reason to shrink ({@code GRADIENT}), from 1 to 10
 * @param slow an attempt that takes longer counts as dropped; empty for none
 */
public record AdaptivePolicy(
        Algorithm algorithm,
        int initial,
        int min,
        int max,
        double decrease,
        double tolerance,
        Optional<Duration> slow) {
    private static final int MOST = 100_000;

    /** A rule by which the limit grows and shrinks. */
    public enum Algorithm {
        /** Adds one for each limit's worth of good ends, multiplies down on a drop; latency plays no part. */
        AIMD,
        /** Follows the ratio of the usual latency to the latest one; multiplies down on a drop. */
        GRADIENT
    }

    /** Refuses values out of range. */
    public AdaptivePolicy {
        inRange("min", min, 1, MOST);
        inRange("max", max, min, MOST);
        inRange("initial", initial, min, max);
        inRange("decrease", decrease, 0.1, 0.99);
        inRange("tolerance", tolerance, 1, 10);
        slow.ifPresent(limit -> {
            if (!limit.isPositive() || limit.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException("slow: " + limit + " (expected: > 0, at most PT24H)");
            }
        });
    }

    /** {@return AIMD from 20 within 1 and 200; a drop takes a tenth off} */
    public static AdaptivePolicy aimd() {
        return new AdaptivePolicy(Algorithm.AIMD, 20, 1, 200, 0.9, 1.5, Optional.empty());
    }

    /** {@return by latency from 20 within 1 and 200; one and a half times the usual is tolerated, a drop takes a tenth off} */
    public static AdaptivePolicy gradient() {
        return new AdaptivePolicy(Algorithm.GRADIENT, 20, 1, 200, 0.9, 1.5, Optional.empty());
    }

    /**
     * {@return this policy within other bounds}
     *
     * @param from where the limit begins
     * @param lowest the lowest it goes
     * @param highest the highest it goes
     */
    public AdaptivePolicy withLimits(int from, int lowest, int highest) {
        return new AdaptivePolicy(algorithm, from, lowest, highest, decrease, tolerance, slow);
    }

    /**
     * {@return this policy with another reaction to a drop}
     *
     * @param factor what a drop multiplies the limit by
     */
    public AdaptivePolicy withDecrease(double factor) {
        return new AdaptivePolicy(algorithm, initial, min, max, factor, tolerance, slow);
    }

    /**
     * {@return this policy with another tolerance of latency}
     *
     * @param times how many times the usual latency is still no reason to shrink
     */
    public AdaptivePolicy withTolerance(double times) {
        return new AdaptivePolicy(algorithm, initial, min, max, decrease, times, slow);
    }

    /**
     * {@return this policy with a latency that counts as a drop}
     *
     * @param limit what takes longer counts as dropped
     */
    public AdaptivePolicy withSlow(Duration limit) {
        return new AdaptivePolicy(algorithm, initial, min, max, decrease, tolerance, Optional.of(limit));
    }

    private static void inRange(String name, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }

    private static void inRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }
}
