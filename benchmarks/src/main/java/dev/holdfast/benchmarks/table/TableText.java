package dev.holdfast.benchmarks.table;

import dev.holdfast.benchmarks.table.StrategyTable.Plan;
import dev.holdfast.benchmarks.table.StrategyTable.Row;
import dev.holdfast.simulation.Arrivals.ArrivalProcess;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The table for people: the rows, then what they say of the published figures. */
public final class TableText {
    private static final String FIGURES = "%-20s %10s %9s %9s %9s %10s %10s %9s%n";
    private static final String CELL = "%-20s %-10s %10s %10s %9s %11s  %s%n";
    private static final String PAIRED = "  %-18s %16s %16s %16s %16s %16s%n";
    private static final String ORDER = "  %-10s %-42s %s%n";
    private static final int SEEDS_FOR_ORDER = 10;

    private static final String PLACES = """

        mean to max: from the arrival of a call to its end, the wait for one of %d places included.
        """;
    private static final String COMMON = """
        cost: of one success, beyond "none" under the same weather.
        "defaults" is a client as it comes, on one model; "adaptive" is Policies.adaptive() on the route of smart-routing.
        """;
    private static final String PUBLISHED = """
        The profile is a calibrated explanation of the published table, not a measurement of any provider. Two published
        cells contradict the others, and it does not reach them: the mean of fixed and the maximum of exponential-jitter.
        """;
    private static final String TRACE = """
        Arrivals and lengths are the trace's: a quarter of the time to answer is the same for all, the rest grows with the
        generated tokens; in the mean it is that of the profile. Every answer costs the same. There are no published figures for it.
        """;
    private static final String REGIONS = """
        The published strategies know the first region; "defaults" and "adaptive" know all.
        """;

    private TableText() {}

    /** The whole table with its heading and notes. */
    public static String of(StrategyTable table) {
        Plan plan = table.plan();
        var out = new StringBuilder(heading(table));
        if (table.rows().isEmpty()) {
            return out.append("stopped before the first run was over\n").toString();
        }
        boolean twice = !table.limiterRows().isEmpty();
        out.append(twice ? "places kept by the program, around each call\n" : "");
        rows(out, table.rows());
        if (twice) {
            out.append("\n"
                    + "places kept by the client's limiter, around each attempt: a call that waits gives its place"
                    + " back\n");
            rows(out, table.limiterRows());
        }
        if (plan.isPublished()) {
            verdicts(out, table.rows());
            order(out, table);
        }
        paired(out, table);
        return out.append(notes(plan)).toString();
    }

    private static String heading(StrategyTable table) {
        Plan plan = table.plan();
        int seeds = Math.max(1, table.seedsDone());
        long last = plan.firstSeed() + seeds - 1;
        String which = seeds == 1
                ? "seed " + plan.firstSeed()
                : "mean over seeds " + plan.firstSeed() + " to " + last + ", ± one standard deviation";
        String stopped =
                table.isStopped() ? format("stopped: %d of %d seeds are done%n", table.seedsDone(), plan.seeds()) : "";
        return stopped
                + format(
                        "%,d %s for each strategy, profile %s, %s%n%n",
                        plan.requests(),
                        plan.requests() == 1 ? "call" : "calls",
                        plan.profile().name(),
                        which);
    }

    private static void rows(StringBuilder out, List<Row> rows) {
        out.append(
                format(FIGURES, "strategy", "mean ms", "p50 ms", "p95 ms", "p99 ms", "max ms", "success %", "cost %"));
        for (Row row : rows) {
            out.append(figures(row.strategy().title(), "", row.mean()));
            if (row.runs().size() > 1) {
                out.append(figures("", "±", row.deviation()));
            }
        }
    }

    private static void verdicts(StringBuilder out, List<Row> rows) {
        List<Verdict> verdicts = Verdict.of(rows);
        long held = verdicts.stream().filter(Verdict::holds).count();
        out.append(format("%ncell by cell: %d of %d published cells hold%n", held, verdicts.size()));
        out.append(format(CELL, "strategy", "cell", "published", "measured", "spread", "deviation", "verdict"));
        verdicts.forEach(each -> out.append(format(
                CELL,
                each.strategy().title(),
                each.column().title(),
                value(each.column(), each.published()),
                value(each.column(), each.measured()),
                "±" + value(each.column(), each.spread()),
                deviation(each),
                each.words())));
    }

    private static String value(Column column, double value) {
        return column.isRelative() ? ms(value) : hundredths(value);
    }

    private static String deviation(Verdict verdict) {
        return Double.isNaN(verdict.deviation())
                ? "n/a"
                : format(verdict.column().isRelative() ? "%+.1f %%" : "%+.2f", verdict.deviation());
    }

    private static void order(StringBuilder out, StrategyTable table) {
        if (table.seedsDone() < SEEDS_FOR_ORDER) {
            return;
        }
        out.append("\norder: in how many seeds each relation held; asked for where the reference figures are apart\n");
        Map<Strategy, List<Cells>> runs = table.rows().stream().collect(Collectors.toMap(Row::strategy, Row::runs));
        OrderCheck.of(runs).forEach(each -> out.append(order(each)));
    }

    /** One relation in words. */
    public static String order(OrderCheck.Relation each) {
        String sign = each.column() == Column.SUCCESS && each.lower() == Strategy.EXPONENTIAL ? " <= " : " < ";
        String asked = each.required() ? (each.holds() ? "holds" : "DOES NOT HOLD") : "not asked for";
        return format(
                ORDER,
                each.column().title(),
                each.lower().title() + sign + each.upper().title(),
                each.held() + " of " + each.seeds() + ", " + asked);
    }

    private static void paired(StringBuilder out, StrategyTable table) {
        List<Paired> differences = table.row(Strategy.ADAPTIVE)
                .map(row -> Paired.of(row, table.rows()))
                .orElse(List.of());
        if (differences.isEmpty()) {
            return;
        }
        out.append("\nadaptive less each other row, the same seeds: mean of the differences ± its standard error\n");
        out.append(format(PAIRED, "", "mean ms", "p99 ms", "max ms", "success %", "cost %"));
        differences.forEach(each -> out.append(format(
                PAIRED,
                each.than().title(),
                difference("%+.0f ±%.0f", each.mean().meanMs(), each.error().meanMs()),
                difference("%+.0f ±%.0f", each.mean().p99Ms(), each.error().p99Ms()),
                difference("%+.0f ±%.0f", each.mean().maxMs(), each.error().maxMs()),
                difference("%+.3f ±%.3f", each.mean().successPct(), each.error().successPct()),
                difference("%+.2f ±%.2f", each.mean().costPct(), each.error().costPct()))));
    }

    private static String difference(String pattern, double mean, double error) {
        return Double.isNaN(mean) ? "n/a" : format(pattern, mean, error);
    }

    private static String notes(Plan plan) {
        var profile = plan.profile();
        String places = profile.places().isPresent()
                ? format(PLACES, profile.places().getAsInt())
                : "\nmean to max: from the arrival of a call to its end.\n";
        boolean traced = profile.arrivals().process() == ArrivalProcess.TRACE;
        return places
                + COMMON
                + (plan.isPublished() ? PUBLISHED : "")
                + (traced ? TRACE : "")
                + (profile.regions().isEmpty() ? "" : REGIONS);
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

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is not worth a dependency
    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
