package dev.holdfast.simulation.internal.lab.html;

import dev.holdfast.simulation.internal.lab.html.Svg.Mark;
import dev.holdfast.simulation.lab.Measure;
import dev.holdfast.simulation.lab.Report;
import dev.holdfast.simulation.lab.Report.Row;
import java.util.ArrayList;
import java.util.List;

/** What success costs in time: a point for each variant. */
final class TradeOffPlot implements Plot {
    private static final int TOP = 26;
    private static final int LEFT = 74;
    private static final int RIGHT = 16;

    private final Report report;
    private final Labels labels;
    private final Measure time;

    TradeOffPlot(Report report, Labels labels) {
        this.report = report;
        this.labels = labels;
        this.time = report.experiment().objective().latency();
    }

    /** A rectangle that a label or a mark takes. */
    private record Box(double left, double top, double right, double bottom) {
        boolean meets(Box other) {
            return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
        }
    }

    @Override
    public String id() {
        return "trade-off";
    }

    @Override
    public String title() {
        return "Success against " + time.word();
    }

    @Override
    public String description() {
        long front = report.rows().stream().filter(Row::pareto).count();
        return "Each policy by its " + time.title() + ", to the right, and its share of answered calls, upwards. "
                + front + " of " + report.rows().size() + " are not beaten.";
    }

    @Override
    public String caption() {
        return "Upwards and to the left is better. Filled: not beaten in success, " + time.word()
                + " and cost together. Ringed: the best by the objective. Failures are on a logarithmic scale.";
    }

    @Override
    public String draw(String id, int width, String cssClass) {
        var svg = new Svg(id, width);
        int bottom = TOP + (width > 500 ? 330 : 260);
        Scale x = MeasureScale.of(time, report.rows(), LEFT + 12, width - RIGHT - 30);
        Scale y = Scale.successes(least(Measure.SUCCESS), most(Measure.SUCCESS), bottom - 12, TOP + 12);
        Axes.below(svg, x, TOP, bottom);
        Axes.beside(svg, y, LEFT, width - RIGHT);
        svg.text("axis", 4, 14, "start", "answered calls");
        svg.text("axis", width - RIGHT, bottom + 34, "end", time.word() + " of a call's time");
        var taken = new ArrayList<Box>();
        for (Row row : report.rows()) {
            double px = x.of(time.of(row.mean()));
            double py = y.of(row.mean().successPct());
            taken.add(new Box(px - 7, py - 7, px + 7, py + 7));
        }
        // What counts lies on top.
        for (int rank = 2; rank >= 0; rank--) {
            for (int variant = 0; variant < report.rows().size(); variant++) {
                if (Labels.rank(report.rows().get(variant)) == rank) {
                    point(svg, variant, x, y);
                }
            }
        }
        for (int rank = 0; rank < 3; rank++) {
            label(svg, rank, x, y, taken, new Box(LEFT, TOP, width - 2, bottom));
        }
        return svg.finish(bottom + 42, cssClass, title(), description());
    }

    private void point(Svg svg, int variant, Scale x, Scale y) {
        Row row = report.rows().get(variant);
        double px = x.of(time.of(row.mean()));
        double py = y.of(row.mean().successPct());
        String title = row.title() + ": " + time.show(time.of(row.mean())) + " ms, "
                + Measure.SUCCESS.show(row.mean().successPct()) + " %, cost "
                + Measure.COST.show(row.mean().costPct())
                + " %";
        String colour = " c" + variant % 8;
        svg.open(variant);
        if (row.best()) {
            svg.mark("ring", Mark.CIRCLE, px, py, 10, "");
        }
        Mark mark = Mark.of(policyNumber(row));
        svg.mark("mark " + (row.pareto() ? "solid" : "hollow") + colour, mark, px, py, 5, title);
        svg.close();
    }

    private int policyNumber(Row row) {
        for (int i = 0; i < report.experiment().policies().size(); i++) {
            if (report.experiment()
                    .policies()
                    .get(i)
                    .title()
                    .equals(row.variant().base())) {
                // The last mark has no inside.
                return i % (Mark.values().length - 1);
            }
        }
        return 0;
    }

    /** The best is labelled first, and who finds no free place has none. */
    private void label(Svg svg, int rank, Scale x, Scale y, List<Box> taken, Box inside) {
        for (int variant = 0; variant < report.rows().size(); variant++) {
            Row row = report.rows().get(variant);
            if (Labels.rank(row) != rank) {
                continue;
            }
            String text = Labels.fit(labels.of(row), (inside.right() - inside.left()) * 0.75);
            double px = x.of(time.of(row.mean()));
            double py = y.of(row.mean().successPct());
            for (Box place : places(px, py, Labels.width(text) * (row.best() ? 1.08 : 1), row.best() ? 13 : 9)) {
                boolean isInside = place.left() >= inside.left() + 2
                        && place.right() <= inside.right()
                        && place.top() >= inside.top()
                        && place.bottom() <= inside.bottom();
                if (isInside && taken.stream().noneMatch(place::meets)) {
                    taken.add(place);
                    svg.open(variant);
                    svg.text(
                            row.best() ? "label strong" : "label", place.left() + 2, place.bottom() - 4, "start", text);
                    svg.close();
                    break;
                }
            }
        }
    }

    private static List<Box> places(double x, double y, double width, double beside) {
        double w = width + 4;
        var places = new ArrayList<Box>();
        for (double down : new double[] {-8, 8, -24, 24, -40, 40}) {
            places.add(new Box(x + beside, y + down - 8, x + beside + w, y + down + 8));
            places.add(new Box(x - beside - w, y + down - 8, x - beside, y + down + 8));
            if (Math.abs(down) > 16) {
                places.add(new Box(x - w / 2, y + down - 8, x + w / 2, y + down + 8));
            }
        }
        return places;
    }

    private double least(Measure measure) {
        return report.rows().stream()
                .mapToDouble(row -> measure.of(row.mean()))
                .min()
                .orElse(0);
    }

    private double most(Measure measure) {
        return report.rows().stream()
                .mapToDouble(row -> measure.of(row.mean()))
                .max()
                .orElse(1);
    }

    @Override
    public List<String> header() {
        return List.of("policy", "success %", time.title(), "cost %", "not beaten");
    }

    @Override
    public List<List<String>> rows() {
        return report.rows().stream()
                .map(row -> List.of(
                        labels.of(row),
                        Measure.SUCCESS.show(row.mean().successPct()),
                        time.show(time.of(row.mean())),
                        Measure.COST.show(row.mean().costPct()),
                        row.pareto() ? "yes" : "no"))
                .toList();
    }
}
