package dev.holdfast.core;

import dev.holdfast.core.internal.text.Durations;
import dev.holdfast.spi.BackoffStrategy;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The backoff strategies: a shape, a cap and a jitter. The delay before the n-th retry is
 *
 * <ul>
 *   <li>immediate: 0
 *   <li>fixed: base
 *   <li>linear: base · n
 *   <li>exponential: base · factor<sup>n − 1</sup>
 * </ul>
 *
 * <p>capped at {@code max}, then spread by the jitter, then clamped to [{@code floor}, {@code max}]: jitter never passes the
 * cap. Arithmetic saturates. Every strategy has a text form that {@link #parse} reads and {@link #toString} writes:
 * {@code exponential(1s, x2, max 60s, jitter 0.5)}.
 *
 * @param shape which formula
 * @param base the first delay; more than zero unless immediate
 * @param factor what the delay grows by; at least 1, and 1 unless exponential
 * @param max the longest delay, at least {@code base}
 * @param floor the shortest delay, at most {@code max}
 * @param jitter how the delay is spread
 */
public record Backoff(Shape shape, Duration base, double factor, Duration max, Duration floor, Jitter jitter)
        implements BackoffStrategy {
    /** The formulas. */
    public enum Shape {
        /** No delay. */
        IMMEDIATE,
        /** Always the same. */
        FIXED,
        /** Grows by the base. */
        LINEAR,
        /** Grows by a factor. */
        EXPONENTIAL
    }

    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final Duration DEFAULT_MAX = Duration.ofSeconds(60);
    private static final Pattern FORM = Pattern.compile("([a-z]+)\\(([^()]*)\\)");

    /** Refuses settings that contradict each other. */
    public Backoff {
        check(!base.isNegative() && (shape == Shape.IMMEDIATE || base.isPositive()), "base", base, "> 0");
        check(factor >= 1 && factor <= 1e6, "factor", factor, "1 to 1000000");
        check(
                max.compareTo(base) >= 0 && max.compareTo(LONGEST) <= 0,
                "max",
                max,
                ">= base, which is " + base + ", at most " + LONGEST);
        check(factor == 1 || shape == Shape.EXPONENTIAL, "factor", factor, "1 unless exponential");
        boolean plain = floor.isZero() && jitter.kind() == Jitter.Kind.NONE;
        check(shape != Shape.IMMEDIATE || plain, "immediate", jitter, "neither floor nor jitter");
        check(!floor.isNegative() && floor.compareTo(max) <= 0, "floor", floor, "0 to max, which is " + max);
    }

    /** {@return no delay at all} */
    public static Backoff immediate() {
        return new Backoff(Shape.IMMEDIATE, Duration.ZERO, 1, DEFAULT_MAX, Duration.ZERO, Jitter.none());
    }

    /**
     * {@return always the same delay, without jitter}
     *
     * @param delay the delay
     */
    public static Backoff fixed(Duration delay) {
        return new Backoff(Shape.FIXED, delay, 1, longer(delay, DEFAULT_MAX), Duration.ZERO, Jitter.none());
    }

    /**
     * {@return a delay that grows by the base, up to 60 s, without jitter}
     *
     * @param base the first delay
     */
    public static Backoff linear(Duration base) {
        return new Backoff(Shape.LINEAR, base, 1, longer(base, DEFAULT_MAX), Duration.ZERO, Jitter.none());
    }

    /**
     * {@return a delay that doubles, up to 60 s, without jitter}
     *
     * @param base the first delay
     */
    public static Backoff exponential(Duration base) {
        return new Backoff(Shape.EXPONENTIAL, base, 2, longer(base, DEFAULT_MAX), Duration.ZERO, Jitter.none());
    }

    /**
     * {@return this strategy with another factor}
     *
     * @param other what the delay grows by, at least 1
     */
    public Backoff withFactor(double other) {
        return new Backoff(shape, base, other, max, floor, jitter);
    }

    /**
     * {@return this strategy with another cap}
     *
     * @param other the longest delay
     */
    public Backoff withMax(Duration other) {
        return new Backoff(shape, base, factor, other, floor, jitter);
    }

    /**
     * {@return this strategy with a shortest delay}
     *
     * @param other the shortest delay
     */
    public Backoff withFloor(Duration other) {
        return new Backoff(shape, base, factor, max, other, jitter);
    }

    /**
     * {@return this strategy with another jitter}
     *
     * @param other how the delay is spread
     */
    public Backoff withJitter(Jitter other) {
        return new Backoff(shape, base, factor, max, floor, other);
    }

    @Override
    public Duration delay(BackoffRequest request) {
        double spread = jitter.apply(
                plainNanos(request.retry()), nanos(base), nanos(max), nanos(request.previous()), request.random());
        return Duration.ofNanos(Math.clamp((long) spread, floor.toNanos(), max.toNanos()));
    }

    /**
     * {@return the delay before jitter}
     *
     * @param retry which retry, from 1
     */
    public Duration plainDelay(int retry) {
        return Duration.ofNanos(Math.min((long) plainNanos(retry), max.toNanos()));
    }

    private double plainNanos(int retry) {
        double baseNanos = nanos(base);
        double grown =
                switch (shape) {
                    case IMMEDIATE -> 0;
                    case FIXED -> baseNanos;
                    case LINEAR -> baseNanos * retry;
                    case EXPONENTIAL -> baseNanos * StrictMath.pow(factor, retry - 1);
                };
        return Math.min(grown, nanos(max));
    }

    private static double nanos(Duration duration) {
        return (double) duration.toNanos();
    }

    /**
     * {@return the strategy that the text names}
     *
     * @param text {@code immediate()}, {@code fixed(1s)}, {@code linear(1s, max 30s)} or
     *     {@code exponential(1s, x2, max 60s, floor 100ms, jitter 0.5)}; all but the first delay may be left out
     * @throws IllegalArgumentException if it is none; the message says what was expected
     */
    public static Backoff parse(String text) {
        Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        check(form.matches(), "backoff", '"' + text + '"', "a form such as exponential(1s, x2, max 60s, jitter 0.5)");
        String[] parts = form.group(2).isBlank() ? new String[0] : form.group(2).split(",", -1);
        Backoff parsed = named(form.group(1), parts.length > 0 ? parts[0].strip() : "");
        for (int i = parsed.shape == Shape.IMMEDIATE ? 0 : 1; i < parts.length; i++) {
            parsed = parsed.with(parts[i].strip());
        }
        return parsed;
    }

    private static Backoff named(String shape, String first) {
        return switch (shape) {
            case "immediate" -> immediate();
            case "fixed" -> fixed(Durations.parse("fixed", first));
            case "linear" -> linear(Durations.parse("linear", first));
            case "exponential" -> exponential(Durations.parse("exponential", first));
            default ->
                throw new IllegalArgumentException(
                        "backoff: \"" + shape + "\" (expected: immediate, fixed, linear or exponential)");
        };
    }

    private Backoff with(String part) {
        String[] words = part.split("\\s+", 2);
        String value = words.length > 1 ? words[1] : "";
        if (part.startsWith("x")) {
            return withFactor(factorOf(part.substring(1)));
        }
        return switch (words[0]) {
            case "max" -> withMax(Durations.parse("max", value));
            case "floor" -> withFloor(Durations.parse("floor", value));
            case "jitter" -> withJitter(Jitter.parse(value));
            default ->
                throw new IllegalArgumentException(
                        "backoff: \"" + part + "\" (expected: x2, max 60s, floor 100ms or jitter 0.5)");
        };
    }

    private double factorOf(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("factor: \"" + text + "\" (expected: a number, as in x2)");
        }
    }

    @Override
    public String toString() {
        if (shape == Shape.IMMEDIATE) {
            return "immediate()";
        }
        var text = new StringBuilder(shape.name().toLowerCase(Locale.ROOT))
                .append('(')
                .append(Durations.format(base));
        if (shape == Shape.EXPONENTIAL) {
            text.append(", x").append(factor == Math.rint(factor) ? Long.toString((long) factor) : factor);
        }
        text.append(", max ").append(Durations.format(max));
        if (floor.isPositive()) {
            text.append(", floor ").append(Durations.format(floor));
        }
        if (jitter.kind() != Jitter.Kind.NONE) {
            text.append(", jitter ").append(jitter);
        }
        return text.append(')').toString();
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static void check(boolean holds, String name, Object value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
        }
    }
}
