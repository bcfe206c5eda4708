package dev.holdfast.simulation.lab;

import dev.holdfast.simulation.lab.Measure.Unit;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a policy is wanted to do: bounds that have to hold, then what is to be as small or as large as can be, the first goal first.
 *
 * <p>As a text: {@code success>=99.9, p99<=2s, min cost}. Measures are those of {@link Measure}; percents may have a {@code %},
 * times are in {@code ms} unless they say {@code s}.
 *
 * @param bounds what has to hold
 * @param goals what decides among those for which it does
 */
public record Objective(List<Bound> bounds, List<Goal> goals) {
    private static final Pattern BOUND =
            Pattern.compile("([a-z0-9]{1,16}) *(>=|<=|≥|≤) *(-?[0-9]{1,12}(?:\\.[0-9]{1,9})?) *([a-z%]{0,8})");
    private static final Pattern GOAL = Pattern.compile("(min|max) +([a-z0-9]{1,16})");
    private static final String FORM = "a form such as success>=99.9, p99<=2s, min cost";

    /** Copies the lists. */
    public Objective {
        bounds = List.copyOf(bounds);
        goals = List.copyOf(goals);
        if (bounds.isEmpty() && goals.isEmpty()) {
            throw new IllegalArgumentException("nothing (expected: " + FORM + ")");
        }
    }

    /**
     * What has to hold.
     *
     * @param measure of what
     * @param atLeast whether it is the least; otherwise the most
     * @param value the bound; milliseconds for times
     */
    public record Bound(Measure measure, boolean atLeast, double value) {
        /** Refuses what is no number. */
        public Bound {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException(measure.word() + ": " + value + " (expected: a number)");
            }
        }

        boolean holds(Measures measures) {
            double measured = measure.rounded(measure.of(measures));
            return atLeast ? measured >= value : measured <= value;
        }

        /** By what share of the bound it is missed; of success, by what share of the failures that it allows. */
        double missedBy(Measures measures) {
            if (holds(measures)) {
                return 0;
            }
            double measured = measure.of(measures);
            double distance = Math.abs(measured - value);
            double scale = measure == Measure.SUCCESS ? Math.max(0.01, 100 - value) : Math.max(0.01, Math.abs(value));
            return Double.isNaN(measured) ? Double.POSITIVE_INFINITY : distance / scale;
        }

        @Override
        public String toString() {
            String number = BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
            return measure.word() + (atLeast ? ">=" : "<=") + number + (measure.unit() == Unit.TIME ? "ms" : "");
        }
    }

    /**
     * What is to be as small or as large as can be.
     *
     * @param measure of what
     * @param least whether as small as can be
     */
    public record Goal(Measure measure, boolean least) {
        private double sortedBy(Measures measures) {
            double value = measure.rounded(measure.of(measures));
            if (Double.isNaN(value)) {
                return Double.POSITIVE_INFINITY;
            }
            return least ? value : -value;
        }

        @Override
        public String toString() {
            return (least ? "min " : "max ") + measure.word();
        }
    }

    /** {@return what is wanted where nobody says: {@code max success, min p99}} */
    public static Objective usual() {
        return new Objective(List.of(), List.of(new Goal(Measure.SUCCESS, false), new Goal(Measure.P99, true)));
    }

    /**
     * {@return what a text says}
     *
     * @param text as {@link #toString()} writes it
     * @throws IllegalArgumentException if it has another form or names what is not measured; the message says what was expected
     */
    public static Objective parse(String text) {
        var bounds = new ArrayList<Bound>();
        var goals = new ArrayList<Goal>();
        for (String part : text.strip().split(",", -1)) {
            String term = part.strip();
            Matcher goal = GOAL.matcher(term);
            Matcher bound = BOUND.matcher(term);
            if (goal.matches()) {
                goals.add(new Goal(Measure.named(goal.group(2)), goal.group(1).equals("min")));
            } else if (bound.matches()) {
                bounds.add(bound(bound));
            } else {
                throw new IllegalArgumentException("'" + term + "': neither a bound nor a goal (expected: " + FORM
                        + "; measures: " + Measure.words() + ")");
            }
        }
        return new Objective(bounds, goals);
    }

    private static Bound bound(Matcher matched) {
        Measure measure = Measure.named(matched.group(1));
        boolean atLeast = matched.group(2).equals(">=") || matched.group(2).equals("≥");
        BigDecimal number = new BigDecimal(matched.group(3));
        BigDecimal value = number.multiply(factor(measure, matched.group(4)));
        if (measure == Measure.SUCCESS && (value.signum() < 0 || value.compareTo(BigDecimal.valueOf(100)) > 0)) {
            throw new IllegalArgumentException("success" + matched.group(2) + number.toPlainString()
                    + ": never or always so (expected: a percentage from 0 to 100)");
        }
        return new Bound(measure, atLeast, value.doubleValue());
    }

    private static BigDecimal factor(Measure measure, String unit) {
        List<String> units =
                switch (measure.unit()) {
                    case TIME -> List.of("", "ms", "s");
                    case PERCENT -> List.of("", "%");
                    case NUMBER -> List.of("");
                };
        if (!units.contains(unit)) {
            throw new IllegalArgumentException(measure.word() + ": unit '" + unit + "' (expected: "
                    + units.stream().map(each -> each.isEmpty() ? "none" : each).collect(Collectors.joining(", "))
                    + ")");
        }
        return unit.equals("s") ? BigDecimal.valueOf(1_000) : BigDecimal.ONE;
    }

    /**
     * {@return whether all bounds hold}
     *
     * @param measures for what was measured
     */
    public boolean isMetBy(Measures measures) {
        return bounds.stream().allMatch(bound -> bound.holds(measures));
    }

    /** By what share of it the bound that is missed most is missed; 0 if all hold. */
    double missedBy(Measures measures) {
        return bounds.stream()
                .mapToDouble(bound -> bound.missedBy(measures))
                .max()
                .orElse(0);
    }

    /** What meets the bounds first, the nearest of what does not; then by the goals. */
    Comparator<Measures> order() {
        Comparator<Measures> order = Comparator.comparingDouble(this::missedBy);
        for (Goal goal : goals) {
            order = order.thenComparingDouble(goal::sortedBy);
        }
        return order;
    }

    /** {@return the time of which it speaks first, which also stands in the Pareto set; p99 where it speaks of none} */
    public Measure latency() {
        return Stream.concat(goals.stream().map(Goal::measure), bounds.stream().map(Bound::measure))
                .filter(measure -> measure.unit() == Unit.TIME)
                .findFirst()
                .orElse(Measure.P99);
    }

    /** {@return the text that {@link #parse} reads} */
    @Override
    public String toString() {
        return Stream.concat(bounds.stream(), goals.stream())
                .map(Object::toString)
                .collect(Collectors.joining(", "));
    }
}
