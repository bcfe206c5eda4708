package dev.holdfast.simulation.internal.lab.html;

import dev.holdfast.simulation.internal.lab.html.Svg.Mark;
import dev.holdfast.simulation.lab.Measure;
import dev.holdfast.simulation.lab.Report;
import dev.holdfast.simulation.lab.Report.Row;
import dev.holdfast.simulation.lab.Sweep.Axis;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Success, time and cost over the values of one setting: a line for each combination of everything else. */
final class SweepPlot implements Plot {
    private static final int LEFT = 74;
    private static final int RIGHT = 24;
    private static final int TOP = 26;
    private static final int PANEL = 150;
    private static final int GAP = 42;
    private static final int LEGEND = 18;
    private static final int MOST_LINES = 8;

    private final Report report;
    private final Labels labels;
    private final Axis axis;
    private final List<Measure> measures;
    private final Map<String, List<Integer>> lines = new LinkedHashMap<>();

    SweepPlot(Report report, Labels labels, Axis axis) {
        this.report = report;
        this.labels = labels;
        this.axis = axis;
        this.measures = List.of(Measure.SUCCESS, report.experiment().objective().latency(), Measure.COST);
        for (int i = 0; i < report.rows().size(); i++) {
            lines.computeIfAbsent(lineOf(report.rows().get(i)), key -> new ArrayList<>())
                    .add(i);
        }
    }

    private String lineOf(Row row) {
        var parts = new ArrayList<String>();
        if (report.experiment().policies().size() > 1) {
            parts.add(row.variant().base());
        }
        row.variant().settings().forEach((key, value) -> {
            if (!key.equals(axis.key())) {
                parts.add(labels.shortKey(key) + "=" + value);
            }
        });
        return parts.isEmpty() ? row.variant().base() : String.join(" ", parts);
    }

    @Override
    public String id() {
        return "over-" + axis.key().replaceAll("[^A-Za-z0-9]+", "-");
    }

    @Override
    public String title() {
        return "Over " + axis.key();
    }

    @Override
    public String description() {
        return "Success, " + measures.get(1).word() + " and cost, one above the other, for " + axis.key() + " of "
                + String.join("; ", axis.values()) + ", with " + lines.size()
                + (lines.size() == 1 ? " line." : " lines.");
    }

    @Override
    public String caption() {
        return "Filled: not beaten. Ringed: the best by the objective. Failures are on a logarithmic scale."
                + (lines.size() > MOST_LINES
                        ? " The first " + MOST_LINES + " lines have colours; the others are grey."
                        : "")
                + (report.rows().getFirst().seeds() > 1 ? " Bars: one standard deviation over the seeds." : "");
    }

    @Override
    public String draw(String id, int width, String cssClass) {
        var svg = new Svg(id, width);
        double top = TOP;
        for (Measure measure : measures) {
            panel(svg, measure, top);
            top += PANEL + GAP;
        }
        double bottom = legend(svg, top - GAP + 22);
        return svg.finish((int) bottom, cssClass, title(), description());
    }

    private void panel(Svg svg, Measure measure, double top) {
        double bottom = top + PANEL;
        Scale y = MeasureScale.of(measure, report.rows(), bottom - 8, top + 8);
        svg.text("axis", 4, top - 10, "start", measure.title());
        Axes.beside(svg, y, LEFT, svg.width() - RIGHT);
        double space = (svg.width() - LEFT - RIGHT) / (double) axis.values().size();
        for (int i = 0; i < axis.values().size(); i++) {
            svg.text(
                    "tick",
                    x(svg, i),
                    bottom + 16,
                    "middle",
                    Labels.fit(axis.values().get(i), space - 4));
        }
        int number = 0;
        for (List<Integer> line : lines.values()) {
            line(svg, line, measure, y, number++);
        }
    }

    private double x(Svg svg, int value) {
        double space = (svg.width() - LEFT - RIGHT) / (double) axis.values().size();
        return LEFT + space * (value + 0.5);
    }

    private void line(Svg svg, List<Integer> line, Measure measure, Scale y, int number) {
        String style = style(number);
        var points = new ArrayList<double[]>();
        for (int variant : line) {
            Row row = report.rows().get(variant);
            double value = measure.of(row.mean());
            if (!Double.isNaN(value)) {
                points.add(new double[] {x(svg, valueOf(row)), y.of(value)});
            }
        }
        if (points.size() > 1) {
            svg.path("line " + style, Svg.through(points));
        }
        for (int variant : line) {
            point(svg, variant, measure, y, number);
        }
    }

    private void point(Svg svg, int variant, Measure measure, Scale y, int number) {
        Row row = report.rows().get(variant);
        double value = measure.of(row.mean());
        double x = x(svg, valueOf(row));
        if (Double.isNaN(value)) {
            return;
        }
        svg.open(variant);
        double spread = measure.of(row.deviation());
        if (spread > 0) {
            double high = measure == Measure.SUCCESS ? Math.min(100, value + spread) : value + spread;
            svg.line("spread", x, y.of(value - spread), x, y.of(high));
        }
        if (row.best()) {
            svg.mark("ring", Mark.CIRCLE, x, y.of(value), 9, "");
        }
        String mark = "mark " + (row.pareto() ? "solid " : "hollow ") + style(number);
        svg.mark(mark, Mark.of(number % 5), x, y.of(value), 4.5, row.title() + ": " + measure.show(value));
        svg.close();
    }

    private static String style(int number) {
        return number < MOST_LINES ? "c" + number + " d" + number % 4 : "grey";
    }

    private int valueOf(Row row) {
        return Math.max(0, axis.values().indexOf(row.variant().settings().getOrDefault(axis.key(), "")));
    }

    /** Samples and names of the lines, in as many columns as there is space for. */
    private double legend(Svg svg, double top) {
        if (lines.size() < 2) {
            return top + 8;
        }
        List<String> names = lines.keySet().stream().limit(MOST_LINES).toList();
        double widest = names.stream().mapToDouble(Labels::width).max().orElse(0) + 60;
        int columns = Math.max(1, (int) ((svg.width() - 8) / widest));
        double space = (svg.width() - 8.0) / columns;
        for (int i = 0; i < names.size(); i++) {
            double left = 4 + space * (i % columns);
            double y = top + 14 + LEGEND * (i / columns);
            svg.line("line " + style(i), left, y, left + 28, y);
            svg.mark("mark solid " + style(i), Mark.of(i % 5), left + 14, y, 4, "");
            svg.text("label", left + 36, y + 4, "start", Labels.fit(names.get(i), space - 40));
        }
        return top + 14 + LEGEND * ((names.size() + columns - 1) / columns);
    }

    @Override
    public List<String> header() {
        var header = new ArrayList<String>();
        header.add("policy");
        header.add(axis.key());
        measures.forEach(measure -> header.add(measure.title()));
        return header;
    }

    @Override
    public List<List<String>> rows() {
        var rows = new ArrayList<List<String>>();
        lines.forEach((name, variants) -> variants.forEach(variant -> {
            Row row = report.rows().get(variant);
            var cells = new ArrayList<String>();
            cells.add(name);
            cells.add(row.variant().settings().getOrDefault(axis.key(), ""));
            measures.forEach(measure -> cells.add(measure.show(measure.of(row.mean()))));
            rows.add(cells);
        }));
        return rows;
    }
}
