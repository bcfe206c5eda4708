package dev.holdfast.core;

import dev.holdfast.core.internal.text.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * How a delay is spread, so that callers who failed together do not come back together. U is uniform over [0, 1), d the
 * delay before jitter.
 *
 * @param kind which formula
 * @param amount the share of {@link Kind#PROPORTIONAL} (0 to 1) or the seconds of {@link Kind#ADDITIVE}; 0 for the others
 */
public record Jitter(Kind kind, double amount) {
    /** The formulas. */
    public enum Kind {
        /** d. */
        NONE,
        /** U · d. */
        FULL,
        /** d / 2 + U · d / 2. */
        EQUAL,
        /** d · (1 − r + 2 · r · U). */
        PROPORTIONAL,
        /** d + U · a. */
        ADDITIVE,
        /** base + U · (min(max, 3 · previous) − base), as the AWS Architecture Blog describes it. */
        DECORRELATED
    }

    /** Refuses amounts that the formula has no meaning for. */
    public Jitter {
        if (kind == Kind.PROPORTIONAL && !(amount >= 0 && amount <= 1)) {
            throw new IllegalArgumentException("jitter: " + amount + " (expected: 0 to 1)");
        }
        if (kind == Kind.ADDITIVE && !(amount >= 0 && amount <= 1e9)) {
            throw new IllegalArgumentException("jitter: +" + amount + "s (expected: >= 0)");
        }
    }

    /** {@return no jitter} */
    public static Jitter none() {
        return new Jitter(Kind.NONE, 0);
    }

    /** {@return full jitter: anything up to the delay} */
    public static Jitter full() {
        return new Jitter(Kind.FULL, 0);
    }

    /** {@return equal jitter: at least half of the delay} */
    public static Jitter equal() {
        return new Jitter(Kind.EQUAL, 0);
    }

    /**
     * {@return proportional jitter: the delay give or take a share of it}
     *
     * @param share the share, 0 to 1
     */
    public static Jitter proportional(double share) {
        return new Jitter(Kind.PROPORTIONAL, share);
    }

    /**
     * {@return additive jitter: the delay and up to a fixed time more}
     *
     * @param most the most that is added
     */
    public static Jitter additive(Duration most) {
        return new Jitter(Kind.ADDITIVE, most.toNanos() / 1e9);
    }

    /** {@return decorrelated jitter: between the base and three times the previous delay} */
    public static Jitter decorrelated() {
        return new Jitter(Kind.DECORRELATED, 0);
    }

    /** The delay in nanoseconds, before it is clamped. */
    double apply(double delayNanos, double baseNanos, double maxNanos, double previousNanos, RandomGenerator random) {
        return switch (kind) {
            case NONE -> delayNanos;
            case FULL -> delayNanos * random.nextDouble();
            case EQUAL -> delayNanos / 2 + delayNanos / 2 * random.nextDouble();
            case PROPORTIONAL -> delayNanos * (1 - amount + 2 * amount * random.nextDouble());
            case ADDITIVE -> delayNanos + amount * 1e9 * random.nextDouble();
            case DECORRELATED -> {
                double top = Math.min(maxNanos, 3 * Math.max(previousNanos, baseNanos));
                yield baseNanos + Math.max(0, top - baseNanos) * random.nextDouble();
            }
        };
    }

    /** {@return the text form: {@code "0.5"}, {@code "full"}, {@code "+1s"}} */
    @Override
    public String toString() {
        return switch (kind) {
            case PROPORTIONAL -> Double.toString(amount);
            case ADDITIVE -> "+" + Durations.format(Duration.ofNanos(Math.round(amount * 1e9)));
            default -> kind.name().toLowerCase(Locale.ROOT);
        };
    }

    static Jitter parse(String text) {
        if (text.startsWith("+")) {
            return additive(Durations.parse("jitter", text.substring(1)));
        }
        for (Kind kind : Kind.values()) {
            boolean named = kind != Kind.PROPORTIONAL && kind != Kind.ADDITIVE;
            if (named && kind.name().equalsIgnoreCase(text)) {
                return new Jitter(kind, 0);
            }
        }
        try {
            return proportional(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("jitter: \"" + text
                    + "\" (expected: none, full, equal, decorrelated, a share such as 0.5, or +1s)");
        }
    }
}
