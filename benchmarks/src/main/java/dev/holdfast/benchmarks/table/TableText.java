package dev.holdfast.benchmarks.table;

import dev.holdfast.benchmarks.table.Strategy.Published;
import dev.holdfast.benchmarks.table.StrategyTable.Plan;
import dev.holdfast.benchmarks.table.StrategyTable.Row;
import java.util.Locale;

/** The table for people: each row with the published figures and the difference below it. */
public final class TableText {
    private static final String HEADINGS = "%-20s %10s %8s %8s %8s %10s %10s %8s%n";
    private static final String FIGURES = "%-20s %10s %8s %8s %8s %10s %10s %8s%n";
    private static final String NOTES = """

            mean to max: from the arrival of a call to its end, the wait for one of 20 places included.
            cost: of one success, beyond "none" under the same weather.
            The profile is a calibrated explanation of the published table, not a measurement of any provider. Two published
            cells contradict the others, and it does not reach them: the mean of fixed and the maximum of exponential-jitter.
            "defaults" is a client as it comes, on one model: breaker, budget, cooldowns and deadline on.
            """;
    private static final String TRACE_NOTES = """

            mean to max: from the arrival of a call to its end, the wait for one of 20 places included.
            cost: of one success, beyond "none" under the same weather; every answer costs the same.
            Arrivals and lengths are the trace's: a quarter of the time to answer is the same for all, the rest grows with the
            generated tokens; in the mean it is that of the published profile, 0.89 s. There are no published figures for it.
            """;

    private TableText() {}

    /** The whole table with its heading and notes. */
    public static String of(StrategyTable table) {
        var out = new StringBuilder();
        Plan plan = table.plan();
        out.append(format(
                "%,d %s for each strategy, profile %s, %s%n%n",
                plan.requests(), plan.requests() == 1 ? "call" : "calls", plan.profile(), seeds(plan)));
        out.append(
                format(HEADINGS, "strategy", "mean ms", "p50 ms", "p95 ms", "p99 ms", "max ms", "success %", "cost %"));
        table.rows().forEach(row -> append(out, plan, row));
        return out.append(plan.trace().isPresent() ? TRACE_NOTES : NOTES).toString();
    }

    private static String seeds(Plan plan) {
        long last = plan.firstSeed() + plan.seeds() - 1;
        return plan.seeds() == 1
                ? "seed " + plan.firstSeed()
                : "mean over seeds " + plan.firstSeed() + " to " + last + ", ± one standard deviation";
    }

    private static void append(StringBuilder out, Plan plan, Row row) {
        out.append(figures(row.strategy().title(), "", row.mean()));
        if (plan.seeds() > 1) {
            out.append(figures("", "±", row.deviation()));
        }
        if (plan.trace().isEmpty()) {
            row.strategy().published().ifPresent(published -> append(out, published, row.mean()));
        }
    }

    private static void append(StringBuilder out, Published published, Cells mean) {
        out.append(format(
                FIGURES,
                "  published",
                ms(published.meanMs()),
                "",
                "",
                "",
                ms(published.maxMs()),
                format("%.1f", published.successPct()),
                format("%.1f", published.costPct())));
        out.append(format(
                FIGURES,
                "  difference",
                percent(mean.meanMs(), published.meanMs()),
                "",
                "",
                "",
                percent(mean.maxMs(), published.maxMs()),
                points(mean.successPct() - published.successPct()),
                points(mean.costPct() - published.costPct())));
    }

    private static String figures(String title, String sign, Cells cells) {
        return format(
                FIGURES,
                title,
                sign + ms(cells.meanMs()),
                sign + ms(cells.p50Ms()),
                sign + ms(cells.p95Ms()),
                sign + ms(cells.p99Ms()),
                sign + ms(cells.maxMs()),
                sign + hundredths(cells.successPct()),
                sign + hundredths(cells.costPct()));
    }

    private static String ms(double value) {
        return format("%.0f", value);
    }

    private static String hundredths(double value) {
        return Double.isNaN(value) ? "n/a" : format("%.2f", value + 0.0);
    }

    private static String percent(double here, double published) {
        return format("%+.1f %%", 100 * (here / published - 1));
    }

    private static String points(double difference) {
        return Double.isNaN(difference) ? "n/a" : format("%+.2f", difference);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is not worth a dependency
    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
