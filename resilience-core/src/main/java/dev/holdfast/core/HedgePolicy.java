package dev.holdfast.core;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * When a second attempt is sent beside one that takes long, on another target. Whichever answers first is the answer; the other is
 * ended at once.
 *
 * <p>Every policy has a text form that {@link #parse} reads and {@link #toString} writes:
 * {@code after: p95, floor: 50ms, samples: 20, budget: 0.05, reserve: 10}.
 *
 * @param delay how long an attempt may take until it is hedged; empty where {@code percentile} says
 * @param percentile which of the target's latest latencies it may take, above 0 and below 100: 95 hedges the slowest twentieth;
 *     empty where {@code delay} says
 * @param floor the least delay, whatever the percentile says
 * @param minSamples how many latencies of the last minutes it takes for a percentile; nothing is hedged on fewer. At least 1
 * @param budget how many hedges each first attempt on a target earns, 0 to 1: 0.05 allows one in twenty
 * @param reserve how many hedges are allowed beyond that, refilled over a minute; 0 to 1,000,000. With 0, one can be saved up
 */
public record HedgePolicy(
        Optional<Duration> delay,
        OptionalDouble percentile,
        Duration floor,
        int minSamples,
        double budget,
        int reserve) {
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Refuses values out of range, and anything but one of delay and percentile. */
    public HedgePolicy {
        if (delay.isPresent() == percentile.isPresent()) {
            throw new IllegalArgumentException("after: neither or both (expected: a delay or a percentile)");
        }
        delay.ifPresent(length -> inRange("after", length));
        inRange("floor", floor);
        percentile.ifPresent(value -> {
            if (!(value > 0 && value < 100)) {
                throw new IllegalArgumentException("after: p" + value + " (expected: above p0, below p100)");
            }
        });
        if (minSamples < 1) {
            throw new IllegalArgumentException("samples: " + minSamples + " (expected: >= 1)");
        }
        if (!(budget >= 0 && budget <= 1)) {
            throw new IllegalArgumentException("budget: " + budget + " (expected: 0 to 1)");
        }
        if (reserve < 0 || reserve > 1_000_000) {
            throw new IllegalArgumentException("reserve: " + reserve + " (expected: 0 to 1000000)");
        }
    }

    private static void inRange(String name, Duration length) {
        if (length.isNegative() || length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + ": " + length + " (expected: 0 to " + LONGEST + ")");
        }
    }

    /** {@return hedges what is slower than 95 of 100, after 50 ms at the least, on 20 samples, one in twenty attempts and 10} */
    public static HedgePolicy defaults() {
        return afterPercentile(95);
    }

    /**
     * {@return hedges after a fixed delay; otherwise as {@link #defaults()}, without a floor}
     *
     * @param delay how long an attempt may take
     */
    public static HedgePolicy after(Duration delay) {
        return new HedgePolicy(Optional.of(delay), OptionalDouble.empty(), Duration.ZERO, 20, 0.05, 10);
    }

    /**
     * {@return hedges after a live percentile of the target's latency; otherwise as {@link #defaults()}}
     *
     * @param percentile which, above 0, below 100
     */
    public static HedgePolicy afterPercentile(double percentile) {
        return new HedgePolicy(Optional.empty(), OptionalDouble.of(percentile), Duration.ofMillis(50), 20, 0.05, 10);
    }

    /**
     * {@return this policy with another floor}
     *
     * @param least the least delay
     */
    public HedgePolicy withFloor(Duration least) {
        return new HedgePolicy(delay, percentile, least, minSamples, budget, reserve);
    }

    /**
     * {@return this policy with another number of samples}
     *
     * @param least how many latencies it takes for a percentile
     */
    public HedgePolicy withMinSamples(int least) {
        return new HedgePolicy(delay, percentile, floor, least, budget, reserve);
    }

    /**
     * {@return this policy with another budget}
     *
     * @param ratio how many hedges each first attempt earns
     * @param beyond how many hedges are allowed beyond that
     */
    public HedgePolicy withBudget(double ratio, int beyond) {
        return new HedgePolicy(delay, percentile, floor, minSamples, ratio, beyond);
    }

    /**
     * Reads the text form. What it leaves out is as in {@link #defaults()}; {@code after} must be there.
     *
     * @param text such as {@code after: p95, budget: 0.05}
     * @return the policy
     * @throws IllegalArgumentException if it is none; the message says what is expected
     */
    public static HedgePolicy parse(String text) {
        return HedgePolicyText.parse(text);
    }

    /** {@return the text form} */
    @Override
    public String toString() {
        return HedgePolicyText.of(this);
    }
}
