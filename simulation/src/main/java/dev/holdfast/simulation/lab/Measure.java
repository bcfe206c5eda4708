package dev.holdfast.simulation.lab;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What is measured of a policy: the columns of a report. */
public enum Measure {
    /** The share of calls that were answered, in percent. */
    SUCCESS("success", "success %", Unit.PERCENT, Measures::successPct),
    /** The mean time of a call, from its arrival to its end. */
    MEAN("mean", "mean ms", Unit.TIME, Measures::meanMs),
    /** The time that half of the calls do not exceed. */
    P50("p50", "p50 ms", Unit.TIME, Measures::p50Ms),
    /** The time that 95 % of the calls do not exceed. */
    P95("p95", "p95 ms", Unit.TIME, Measures::p95Ms),
    /** The time that 99 % of the calls do not exceed. */
    P99("p99", "p99 ms", Unit.TIME, Measures::p99Ms),
    /** The longest time. */
    MAX("max", "max ms", Unit.TIME, Measures::maxMs),
    /** What a success costs beyond what it costs without retries under the same weather, in percent. */
    COST("cost", "cost %", Unit.PERCENT, Measures::costPct),
    /** Attempts for each call. */
    ATTEMPTS("attempts", "attempts", Unit.NUMBER, Measures::attempts);

    private final String word;
    private final String title;
    private final Unit unit;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final ToDoubleFunction<Measures> value;

    Measure(String word, String title, Unit unit, ToDoubleFunction<Measures> value) {
        this.word = word;
        this.title = title;
        this.unit = unit;
        this.value = value;
    }

    enum Unit {
        PERCENT,
        TIME,
        NUMBER
    }

    /** {@return its name in an {@link Objective}} */
    public String word() {
        return word;
    }

    /** {@return its name with its unit, for people} */
    public String title() {
        return title;
    }

    /**
     * {@return its value}
     *
     * @param measures of what
     */
    public double of(Measures measures) {
        return value.applyAsDouble(measures);
    }

    /**
     * {@return a value as a report shows it: whole milliseconds, hundredths otherwise; {@code n/a} where there is none}
     *
     * @param number the value
     */
    public String show(double number) {
        if (Double.isNaN(number)) {
            return "n/a";
        }
        return unit == Unit.TIME
                ? String.format(Locale.ROOT, "%.0f", number)
                : String.format(Locale.ROOT, "%.2f", number + 0.0);
    }

    /** As it is shown, so that differences nobody sees decide nothing. */
    double rounded(double number) {
        return unit == Unit.TIME ? Math.rint(number) : Math.rint(number * 100) / 100;
    }

    Unit unit() {
        return unit;
    }

    /** Whether less of it is better. */
    boolean isLessBetter() {
        return this != SUCCESS;
    }

    static Measure named(String word) {
        return Arrays.stream(values())
                .filter(each -> each.word.equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("'" + word + "': no measure (expected: one of " + words() + ")"));
    }

    static String words() {
        return Arrays.stream(values()).map(Measure::word).collect(Collectors.joining(", "));
    }
}
