package dev.holdfast.simulation.internal.lab.html;

import dev.holdfast.simulation.internal.lab.html.Svg.Mark;
import dev.holdfast.simulation.lab.Histogram;
import dev.holdfast.simulation.lab.Measure;
import dev.holdfast.simulation.lab.Report;
import dev.holdfast.simulation.lab.Report.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How long calls take: a ridge for each variant over the logarithm of time. */
final class RidgePlot implements Plot {
    private static final int MOST = 14;
    private static final int ROW = 58;
    private static final int RIDGE = 36;
    private static final int TOP = 8;
    private static final int SIDE = 22;
    private static final double[] WITHIN = {500, 1_000, 2_000, 5_000, 10_000, 30_000};

    private final Report report;
    private final Labels labels;
    private final List<Integer> chosen;

    RidgePlot(Report report, Labels labels) {
        this.report = report;
        this.labels = labels;
        this.chosen = Labels.chosen(report.rows(), MOST);
    }

    @Override
    public String id() {
        return "latency";
    }

    @Override
    public String title() {
        return "How long calls take";
    }

    @Override
    public String description() {
        Row best = report.best().orElse(report.rows().getFirst());
        return "The distribution of times from a call's arrival to its end, one ridge for each of " + chosen.size()
                + " policies, on a logarithmic scale. " + best.title() + ": half of the calls take at most "
                + Scale.time(Math.rint(best.mean().p50Ms())) + ", 99 % at most "
                + Scale.time(Math.rint(best.mean().p99Ms())) + ".";
    }

    @Override
    public String caption() {
        String left = chosen.size() < report.rows().size()
                ? " Shown are " + chosen.size() + " of " + report.rows().size()
                        + ": the best, those that are not beaten, and the first of the others."
                : "";
        return "From a call's arrival to its end, waits included. A ridge's height is the root of the share of calls, so that rare"
                + " long calls can be seen. Line: median. Diamond: 99th percentile. Ring: the longest." + left;
    }

    @Override
    public String draw(String id, int width, String cssClass) {
        var svg = new Svg(id, width);
        int bottom = TOP + ROW * chosen.size();
        Scale scale = Scale.times(shortest(), longest(), SIDE, width - SIDE);
        Axes.below(svg, scale, TOP, bottom);
        double peak = peak();
        for (int i = 0; i < chosen.size(); i++) {
            int variant = chosen.get(i);
            ridge(svg, report.rows().get(variant), variant, TOP + ROW * (i + 1), scale, peak);
        }
        return svg.finish(bottom + 26, cssClass, title(), description());
    }

    private void ridge(Svg svg, Row row, int variant, double base, Scale scale, double peak) {
        String colour = "c" + variant % 8;
        svg.open(variant);
        svg.text(row.best() ? "label strong" : "label", 4, base - RIDGE - 6, "start", label(row, svg.width() - 8));
        List<double[]> points = points(row.histogram(), base, scale, peak);
        String curve = Svg.through(points);
        double[] first = points.getFirst();
        double[] last = points.getLast();
        svg.path(
                "area " + colour,
                curve + "L" + Svg.number(last[0]) + " " + Svg.number(base) + "L" + Svg.number(first[0]) + " "
                        + Svg.number(base) + "z");
        svg.path("curve " + colour, curve);
        svg.line("base", SIDE, base, svg.width() - SIDE, base);
        double median = scale.of(row.mean().p50Ms());
        svg.line("median", median, base - RIDGE, median, base);
        svg.mark(
                "mark solid " + colour,
                Mark.DIAMOND,
                scale.of(row.mean().p99Ms()),
                base - 4,
                4,
                "99th percentile " + Measure.P99.show(row.mean().p99Ms()) + " ms");
        svg.mark(
                "mark hollow " + colour,
                Mark.CIRCLE,
                scale.of(row.mean().maxMs()),
                base - 4,
                3.5,
                "longest " + Measure.MAX.show(row.mean().maxMs()) + " ms");
        svg.close();
    }

    private String label(Row row, double space) {
        String mark = row.best() ? (row.meets() ? " (best)" : " (nearest)") : row.pareto() ? " (not beaten)" : "";
        String name = Labels.fit(labels.of(row), space - Labels.width(mark));
        return name + mark;
    }

    /** The middle of each bin, smoothed by its neighbours. */
    private static List<double[]> points(Histogram histogram, double base, Scale scale, double peak) {
        var points = new ArrayList<double[]>();
        int first = firstBin(histogram);
        int last = lastBin(histogram);
        for (int bin = Math.max(0, first - 1); bin <= Math.min(histogram.bins() - 1, last + 1); bin++) {
            double height = Math.sqrt(smooth(histogram, bin) / peak);
            points.add(new double[] {scale.of(middle(histogram, bin)), base - RIDGE * height});
        }
        return points;
    }

    private static double middle(Histogram histogram, int bin) {
        return histogram.endMs(bin) / StrictMath.pow(10, 0.5 / Histogram.BINS_PER_DECADE);
    }

    private static double smooth(Histogram histogram, int bin) {
        double before = bin > 0 ? histogram.count(bin - 1) : 0;
        double after = bin + 1 < histogram.bins() ? histogram.count(bin + 1) : 0;
        return (before + 2.0 * histogram.count(bin) + after) / 4 / Math.max(1, histogram.total());
    }

    private double peak() {
        double peak = 1e-9;
        for (int variant : chosen) {
            Histogram histogram = report.rows().get(variant).histogram();
            for (int bin = 0; bin < histogram.bins(); bin++) {
                peak = Math.max(peak, smooth(histogram, bin));
            }
        }
        return peak;
    }

    private static int firstBin(Histogram histogram) {
        int bin = 0;
        while (bin < histogram.bins() - 1 && histogram.count(bin) == 0) {
            bin++;
        }
        return bin;
    }

    private static int lastBin(Histogram histogram) {
        int bin = histogram.bins() - 1;
        while (bin > 0 && histogram.count(bin) == 0) {
            bin--;
        }
        return bin;
    }

    private double shortest() {
        return chosen.stream()
                .map(variant -> report.rows().get(variant).histogram())
                .mapToDouble(histogram -> middle(histogram, Math.max(0, firstBin(histogram) - 1)))
                .min()
                .orElse(1);
    }

    private double longest() {
        return chosen.stream()
                .map(variant -> report.rows().get(variant).histogram())
                .mapToDouble(histogram -> histogram.endMs(Math.min(histogram.bins() - 1, lastBin(histogram) + 1)))
                .max()
                .orElse(10);
    }

    @Override
    public List<String> header() {
        var header = new ArrayList<String>(List.of("policy", "p50 ms", "p95 ms", "p99 ms", "max ms"));
        for (double within : WITHIN) {
            header.add("within " + Scale.time(within));
        }
        return header;
    }

    @Override
    public List<List<String>> rows() {
        return report.rows().stream().map(this::row).toList();
    }

    private List<String> row(Row row) {
        var cells = new ArrayList<String>();
        cells.add(labels.of(row));
        for (Measure measure : List.of(Measure.P50, Measure.P95, Measure.P99, Measure.MAX)) {
            cells.add(measure.show(measure.of(row.mean())));
        }
        for (double within : WITHIN) {
            cells.add(String.format(Locale.ROOT, "%.2f %%", 100 * share(row.histogram(), within)));
        }
        return cells;
    }

    private static double share(Histogram histogram, double ms) {
        long calls = 0;
        for (int bin = 0; bin < histogram.bins() && histogram.endMs(bin) <= ms * 1.003; bin++) {
            calls += histogram.count(bin);
        }
        return (double) calls / Math.max(1, histogram.total());
    }
}
