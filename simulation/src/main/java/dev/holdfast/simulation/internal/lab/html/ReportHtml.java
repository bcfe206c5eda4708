package dev.holdfast.simulation.internal.lab.html;

import dev.holdfast.simulation.internal.lab.ReportText;
import dev.holdfast.simulation.lab.Experiment;
import dev.holdfast.simulation.lab.Measure;
import dev.holdfast.simulation.lab.Report;
import dev.holdfast.simulation.lab.Report.Row;
import dev.holdfast.simulation.lab.Sweep.Axis;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A report as one page, which needs no other file and no network. */
public final class ReportHtml {
    private static final String LEGEND =
            "Times are from a call's arrival to its end. Cost is of one success, beyond that of one"
                    + " without retries under the same weather.";

    private final Report report;
    private final Labels labels;

    private ReportHtml(Report report) {
        this.report = report;
        this.labels = new Labels(report);
    }

    /** The page. */
    public static String of(Report report) {
        return new ReportHtml(report).page();
    }

    /** The distribution of times as a drawing of its own. */
    public static String picture(Report report) {
        String drawing = new RidgePlot(report, new Labels(report)).draw("lab", Plot.WIDE, "alone");
        int end = drawing.indexOf("<title");
        return drawing.substring(0, end) + "<style>" + resource("plots.css") + "</style>"
                + "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>" + drawing.substring(end) + "\n";
    }

    private String page() {
        String name = "Policy lab: " + report.experiment().profile().name();
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\""
                + " content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\"><title>"
                + Html.text(name) + "</title><style>" + resource("plots.css") + resource("page.css")
                + "</style></head>\n<body><main>\n<h1>" + Html.text(name) + "</h1>\n" + lead() + body()
                + "\n</main><script>" + resource("page.js") + "</script></body></html>\n";
    }

    private String body() {
        if (report.rows().isEmpty()) {
            return "<p>Stopped before the first run was over.</p>";
        }
        return section("policies", "What came of it", table())
                + section("plots", "Plots", plots().stream().map(Plot::figure).collect(Collectors.joining("\n")));
    }

    private static String section(String id, String title, String content) {
        return "<section aria-labelledby=\"h-" + id + "\"><h2 id=\"h-" + id + "\">" + title + "</h2>\n" + content
                + "</section>\n";
    }

    private List<Plot> plots() {
        var plots = new ArrayList<Plot>();
        plots.add(new TradeOffPlot(report, labels));
        plots.add(new RidgePlot(report, labels));
        for (Axis axis : report.experiment().sweep().axes()) {
            if (axis.values().size() > 1) {
                plots.add(new SweepPlot(report, labels, axis));
            }
        }
        if (plots.size() == 2) {
            plots.add(new DotPlot(report, labels));
        }
        for (int i = 0; i < report.timelines().size(); i++) {
            plots.add(new TimelinePlot(report.timelines().get(i), i + 1));
        }
        return plots;
    }

    private String lead() {
        Experiment experiment = report.experiment();
        String seeds = report.seedsDone() <= 1
                ? "seed " + experiment.firstSeed()
                : "seeds " + experiment.firstSeed() + " to " + (experiment.firstSeed() + report.seedsDone() - 1);
        String stopped = report.isStopped() ? "<p class=\"note\">Stopped before it was done.</p>" : "";
        String verdict = report.rows().isEmpty() ? "" : ReportText.verdict(report);
        return "<p class=\"lead\">" + Html.text(capital(verdict)) + "</p>" + stopped + "<p class=\"facts\">"
                + Html.text(String.format(Locale.ROOT, "%,d calls in each run, %s. ", experiment.requests(), seeds))
                + Html.text(capital(experiment.profile().about())) + "</p>\n";
    }

    private static String capital(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private String table() {
        var out = new StringBuilder("<p class=\"note\">Choose a policy to see it alone in the plots. " + LEGEND
                + "</p><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"What came of each policy\"><table"
                + " id=\"variants\"><thead><tr><th scope=\"col\">policy</th>");
        for (Measure measure : Measure.values()) {
            out.append("<th scope=\"col\">").append(measure.title()).append("</th>");
        }
        out.append("</tr></thead><tbody>");
        for (int i = 0; i < report.rows().size(); i++) {
            row(out, report.rows().get(i), i);
        }
        return out.append("</tbody></table></div>\n").toString();
    }

    private void row(StringBuilder out, Row row, int variant) {
        out.append("<tr class=\"v")
                .append(row.best() ? " best" : "")
                .append("\" data-v=\"")
                .append(variant);
        out.append("\"><th scope=\"row\"><button type=\"button\" aria-pressed=\"false\"><i class=\"c")
                .append(variant % 8)
                .append("\" aria-hidden=\"true\"></i>")
                .append(Html.text(labels.of(row)))
                .append("</button>");
        badge(out, row.best(), row.meets() ? "best" : "nearest");
        badge(out, row.pareto(), "not beaten");
        badge(out, !row.meets(), "misses the objective");
        out.append("</th>");
        for (Measure measure : Measure.values()) {
            out.append("<td>").append(measure.show(measure.of(row.mean())));
            if (row.seeds() > 1) {
                out.append("<small>±")
                        .append(measure.show(measure.of(row.deviation())))
                        .append("</small>");
            }
            out.append("</td>");
        }
        out.append("</tr>");
    }

    private static void badge(StringBuilder out, boolean shown, String text) {
        if (shown) {
            out.append(" <span class=\"badge\">").append(text).append("</span>");
        }
    }

    private static String resource(String name) {
        try (InputStream in = ReportHtml.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
