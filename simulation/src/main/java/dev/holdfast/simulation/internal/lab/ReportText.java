package dev.holdfast.simulation.internal.lab;

import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Experiment;
import dev.holdfast.simulation.lab.Measure;
import dev.holdfast.simulation.lab.Report;
import dev.holdfast.simulation.lab.Report.Row;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A report for people who read a terminal. */
public final class ReportText {
    private static final int LEAST_WIDTH = 10;

    private ReportText() {}

    /** The text. */
    public static String of(Report report) {
        var out = new StringBuilder(heading(report));
        if (report.rows().isEmpty()) {
            return out.append("stopped before the first run was over\n").toString();
        }
        int width = report.rows().stream()
                        .mapToInt(row -> row.title().length())
                        .max()
                        .orElse(0)
                + 4;
        out.append(line(width, "policy", Measure::title)).append('\n');
        for (Row row : report.rows()) {
            String mark = (row.best() ? "> " : "  ") + (row.pareto() ? "* " : "  ");
            out.append(line(width, mark + row.title(), measure -> measure.show(measure.of(row.mean()))))
                    .append(row.meets() ? "" : "  misses the objective")
                    .append('\n');
            if (row.seeds() > 1) {
                out.append(line(width, "", measure -> "±" + measure.show(measure.of(row.deviation()))))
                        .append('\n');
            }
        }
        return out.append(notes(report)).toString();
    }

    private static String heading(Report report) {
        Experiment experiment = report.experiment();
        Profile profile = experiment.profile();
        long last = experiment.firstSeed() + Math.max(1, report.seedsDone()) - 1;
        String seeds = last == experiment.firstSeed()
                ? "seed " + last
                : "mean over seeds " + experiment.firstSeed() + " to " + last + ", ± one standard deviation";
        return stopped(report)
                + String.format(
                        Locale.ROOT,
                        "%,d %s for each policy, profile %s, %s%n%n",
                        experiment.requests(),
                        experiment.requests() == 1 ? "call" : "calls",
                        profile.name(),
                        seeds);
    }

    private static String stopped(Report report) {
        if (!report.isStopped()) {
            return "";
        }
        int variants = report.experiment().variants().size();
        return report.seedsDone() == 0
                ? "stopped: " + report.rows().size() + " of " + variants + " policies were run\n"
                : "stopped: " + report.seedsDone() + " of "
                        + report.experiment().seeds() + " seeds are done\n";
    }

    private static String line(int width, String title, Function<Measure, String> cell) {
        return title
                + " ".repeat(width - title.length())
                + Arrays.stream(Measure.values())
                        .map(measure -> " "
                                        .repeat(Math.max(
                                                0,
                                                LEAST_WIDTH
                                                        - cell.apply(measure).length()))
                                + cell.apply(measure))
                        .collect(Collectors.joining(" "));
    }

    private static String notes(Report report) {
        String verdict = verdict(report);
        return "\n* not beaten: no other is at least as good in success, "
                + report.experiment().objective().latency().word() + " and cost, and better in one\n> " + verdict
                + "\n";
    }

    /** Which is best, in words. */
    public static String verdict(Report report) {
        String objective = report.experiment().objective().toString();
        String best = report.best().map(Row::title).orElse("");
        return report.isMet()
                ? "best by " + objective + ": " + best
                : "nothing meets " + objective + ": nearest is " + best;
    }
}
