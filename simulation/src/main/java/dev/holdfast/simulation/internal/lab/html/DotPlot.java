package dev.holdfast.simulation.internal.lab.html;

import dev.holdfast.simulation.internal.lab.html.Svg.Mark;
import dev.holdfast.simulation.lab.Measure;
import dev.holdfast.simulation.lab.Report;
import dev.holdfast.simulation.lab.Report.Row;
import java.util.ArrayList;
import java.util.List;

/** Success, time and cost of policies that differ by their name: a line for each, a dot for each measure. */
final class DotPlot implements Plot {
    private static final int ROW = 30;
    private static final int NARROW_ROW = 40;
    private static final int TOP = 24;
    private static final int BELOW = 58;
    private static final int LABELS = 190;
    private static final int GAP = 48;

    private final Report report;
    private final Labels labels;
    private final List<Measure> measures;

    DotPlot(Report report, Labels labels) {
        this.report = report;
        this.labels = labels;
        this.measures = List.of(Measure.SUCCESS, report.experiment().objective().latency(), Measure.COST);
    }

    @Override
    public String id() {
        return "measures";
    }

    @Override
    public String title() {
        return "Success, time and cost";
    }

    @Override
    public String description() {
        return "For each of " + report.rows().size() + " policies its success, its "
                + measures.get(1).word() + " and its cost, each on a scale of its own.";
    }

    @Override
    public String caption() {
        return (report.rows().getFirst().seeds() > 1 ? "Bars: one standard deviation over the seeds. " : "")
                + "Cost: of one success, beyond that of one without retries under the same weather. Failures are on a"
                + " logarithmic scale.";
    }

    @Override
    public String draw(String id, int width, String cssClass) {
        var svg = new Svg(id, width);
        int height = width > 500 ? wide(svg) : narrow(svg);
        return svg.finish(height, cssClass, title(), description());
    }

    private int wide(Svg svg) {
        int bottom = TOP + ROW * report.rows().size();
        double each = (svg.width() - LABELS - GAP * (measures.size() - 1) - 24.0) / measures.size();
        for (int i = 0; i < report.rows().size(); i++) {
            Row row = report.rows().get(i);
            String text = Labels.fit(labels.of(row), LABELS - 24);
            svg.open(i)
                    .text(row.best() ? "label strong" : "label", 4, TOP + ROW * i + 19, "start", text)
                    .close();
        }
        for (int i = 0; i < measures.size(); i++) {
            double left = LABELS + i * (each + GAP);
            panel(svg, measures.get(i), left, left + each, TOP, bottom, ROW);
        }
        return bottom + 26;
    }

    private int narrow(Svg svg) {
        int top = TOP;
        for (Measure measure : measures) {
            int bottom = top + NARROW_ROW * report.rows().size();
            panel(svg, measure, 20, svg.width() - 28.0, top, bottom, NARROW_ROW);
            for (int i = 0; i < report.rows().size(); i++) {
                Row row = report.rows().get(i);
                String text = Labels.fit(labels.of(row), svg.width() - 12.0);
                svg.open(i)
                        .text(row.best() ? "label strong" : "label", 4, top + NARROW_ROW * i + 14.0, "start", text)
                        .close();
            }
            top = bottom + BELOW;
        }
        return top - BELOW + 26;
    }

    private void panel(Svg svg, Measure measure, double left, double right, double top, double bottom, int step) {
        Scale scale = MeasureScale.of(measure, report.rows(), left, right);
        svg.text("axis", left, top - 10, "start", measure.title());
        Axes.below(svg, scale, top, bottom);
        for (int i = 0; i < report.rows().size(); i++) {
            Row row = report.rows().get(i);
            double value = measure.of(row.mean());
            double y = top + step * (i + 1) - step * (step == ROW ? 0.5 : 0.3);
            if (Double.isNaN(value)) {
                svg.text("tick", left, y + 4, "start", "n/a");
                continue;
            }
            svg.open(i);
            svg.line("lane", left, y, right, y);
            double spread = measure.of(row.deviation());
            if (spread > 0) {
                double high = measure == Measure.SUCCESS ? Math.min(100, value + spread) : value + spread;
                svg.line("spread", scale.of(value - spread), y, scale.of(high), y);
            }
            svg.mark(
                    "mark " + (row.pareto() ? "solid" : "hollow") + " c" + i % 8,
                    Mark.CIRCLE,
                    scale.of(value),
                    y,
                    5,
                    row.title() + ": " + measure.show(value));
            svg.close();
        }
    }

    @Override
    public List<String> header() {
        var header = new ArrayList<String>();
        header.add("policy");
        measures.forEach(measure -> header.add(measure.title()));
        return header;
    }

    @Override
    public List<List<String>> rows() {
        return report.rows().stream()
                .map(row -> {
                    var cells = new ArrayList<String>();
                    cells.add(labels.of(row));
                    measures.forEach(measure -> cells.add(measure.show(measure.of(row.mean()))));
                    return List.copyOf(cells);
                })
                .toList();
    }
}
