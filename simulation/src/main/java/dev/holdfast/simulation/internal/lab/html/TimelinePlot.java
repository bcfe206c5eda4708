package dev.holdfast.simulation.internal.lab.html;

import dev.holdfast.BreakerState;
import dev.holdfast.simulation.internal.lab.ReportJson;
import dev.holdfast.simulation.internal.lab.html.Svg.Mark;
import dev.holdfast.simulation.lab.Timeline;
import dev.holdfast.simulation.lab.Timeline.Lane;
import dev.holdfast.simulation.lab.Timeline.Stretch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What happened around an outage: for each target its provider, its breaker and its attempts; below them the calls. */
final class TimelinePlot implements Plot {
    private static final int SIDE = 44;
    private static final int RIGHT = 14;
    private static final int LANE = 92;
    private static final int UP = 32;
    private static final int QUEUE = 96;
    private static final int TOP = 6;
    private static final int TABLE_STEPS = 5;

    private final Timeline timeline;
    private final int number;

    TimelinePlot(Timeline timeline, int number) {
        this.timeline = timeline;
        this.number = number;
    }

    @Override
    public String id() {
        return "timeline-" + number;
    }

    @Override
    public String title() {
        return timeline.what().substring(0, 1).toUpperCase(Locale.ROOT)
                + timeline.what().substring(1) + ": " + timeline.policy();
    }

    @Override
    public String description() {
        int failed = timeline.failedCalls().stream().mapToInt(Integer::intValue).sum();
        int queue =
                timeline.waiting().stream().mapToInt(Integer::intValue).max().orElse(0);
        return "From " + Scale.plain(seconds(timeline.from())) + " s to " + Scale.plain(seconds(timeline.to()))
                + " s of seed " + timeline.seed() + ". " + failed + " calls ended without an answer; at most " + queue
                + " waited for a place. Targets: "
                + timeline.lanes().stream().map(Lane::target).collect(Collectors.joining(", ")) + ".";
    }

    @Override
    public String caption() {
        return "Bars upwards: attempts that ended with an answer; downwards, hatched: without one. Grey: the provider is down. Strip:"
                + " the breaker, closed where it is a thin line. At the bottom the calls under way (line), those that wait for a place"
                + " (area), and those that failed (crosses). Seed " + timeline.seed() + ".";
    }

    @Override
    public String draw(String id, int width, String cssClass) {
        var svg = new Svg(id, width);
        String failed = svg.hatch("failed", "hatch-bad");
        String halfOpen = svg.hatch("half", "hatch-half");
        int bottom = TOP + LANE * timeline.lanes().size() + QUEUE;
        Scale x = Scale.within(
                seconds(timeline.from()),
                seconds(timeline.to()),
                SIDE,
                width - RIGHT,
                value -> Scale.plain(value) + " s");
        for (int i = 0; i < timeline.lanes().size(); i++) {
            down(svg, timeline.lanes().get(i), x, TOP + LANE * i);
        }
        Axes.below(svg, x, TOP, bottom);
        double most = most(Stream.of(timeline.lanes())
                .flatMap(List::stream)
                .flatMap(lane -> Stream.concat(lane.answered().stream(), lane.failed().stream())));
        for (int i = 0; i < timeline.lanes().size(); i++) {
            lane(svg, timeline.lanes().get(i), x, TOP + LANE * i, most, failed, halfOpen);
        }
        queue(svg, x, bottom - QUEUE);
        return svg.finish(bottom + 26, cssClass, title(), description());
    }

    private void down(Svg svg, Lane lane, Scale x, double top) {
        for (Stretch stretch : lane.down()) {
            double from = x.of(seconds(stretch.from()));
            double to = x.of(seconds(stretch.to()));
            svg.rect("down", from, top + 2, to - from, LANE - 6, "down from " + span(stretch));
            double word = Labels.width("down") / 2;
            double middle = (from + to) / 2;
            if (to - from > 2 * word + 4 && middle - word > Labels.width(lane.target()) + 12) {
                svg.text("down-text", middle, top + 14, "middle", "down");
            }
        }
    }

    private void lane(Svg svg, Lane lane, Scale x, double top, double most, String failed, String halfOpen) {
        svg.text("label", 4, top + 13, "start", Labels.fit(lane.target(), svg.width() - 8));
        double strip = top + 22;
        svg.line("closed", SIDE, strip + 4, svg.width() - RIGHT, strip + 4);
        for (Stretch stretch : lane.breaker()) {
            breaker(svg, stretch, x, strip, halfOpen);
        }
        double base = top + 34 + UP;
        double unit = UP / most;
        for (int i = 0; i < timeline.steps(); i++) {
            double left = x.of(seconds(timeline.from()) + i * seconds(timeline.step()));
            double w = Math.max(1, x.of(seconds(timeline.from()) + (i + 1) * seconds(timeline.step())) - left - 1);
            int answered = lane.answered().get(i);
            int without = lane.failed().get(i);
            if (answered > 0) {
                svg.rect("good", left, base - unit * answered, w, unit * answered, answered + " answered");
            }
            if (without > 0) {
                svg.filled(failed, left, base, w, Math.min(UP - 8, Math.max(2, unit * without)), without + " failed");
            }
        }
        svg.line("base", SIDE, base, svg.width() - RIGHT, base);
        svg.text("tick", SIDE - 6, base - UP + 8, "end", Scale.plain(most));
        svg.text("tick", SIDE - 6, base + 4, "end", "0");
    }

    private static void breaker(Svg svg, Stretch stretch, Scale x, double strip, String halfOpen) {
        double from = x.of(seconds(stretch.from()));
        double to = Math.max(from + 1, x.of(seconds(stretch.to())));
        String title = ReportJson.state(stretch) + " from " + span(stretch);
        if (stretch.state() == BreakerState.HALF_OPEN) {
            svg.filled(halfOpen, from, strip - 1, to - from, 10, title);
        } else {
            svg.rect("open", from, strip - 1, to - from, 10, title);
            if (to - from > Labels.width("open") + 4) {
                svg.text("open-text", (from + to) / 2, strip + 8, "middle", "open");
            }
        }
    }

    private void queue(Svg svg, Scale x, double top) {
        double base = top + QUEUE - 8;
        double most = most(Stream.concat(timeline.inFlight().stream(), timeline.waiting().stream()));
        double unit = (QUEUE - 34) / most;
        svg.text("label", 4, top + 13, "start", "calls under way, waiting, failed");
        svg.text("tick", SIDE - 6, base - unit * most + 8, "end", Scale.plain(most));
        svg.text("tick", SIDE - 6, base + 4, "end", "0");
        String area = steps(timeline.waiting(), x, base, unit);
        double left = x.of(seconds(timeline.from()));
        double right = x.of(seconds(timeline.to()));
        svg.path(
                "waiting",
                area + "L" + Svg.number(right) + " " + Svg.number(base) + "L" + Svg.number(left) + " "
                        + Svg.number(base) + "z");
        svg.path("flight", steps(timeline.inFlight(), x, base, unit));
        svg.line("base", SIDE, base, svg.width() - RIGHT, base);
        for (int i = 0; i < timeline.steps(); i++) {
            int failed = timeline.failedCalls().get(i);
            if (failed > 0) {
                double at = x.of(seconds(timeline.from()) + (i + 0.5) * seconds(timeline.step()));
                svg.mark("cross", Mark.CROSS, at, base - unit * most - 6, 3, failed + " calls failed");
            }
        }
    }

    private String steps(List<Integer> levels, Scale x, double base, double unit) {
        var points = new ArrayList<double[]>();
        for (int i = 0; i < levels.size(); i++) {
            double left = x.of(seconds(timeline.from()) + i * seconds(timeline.step()));
            double right = x.of(seconds(timeline.from()) + (i + 1) * seconds(timeline.step()));
            points.add(new double[] {left, base - unit * levels.get(i)});
            points.add(new double[] {right, base - unit * levels.get(i)});
        }
        return Svg.through(points);
    }

    /** The highest count, as a round number. */
    private static double most(Stream<Integer> counts) {
        int highest = counts.mapToInt(Integer::intValue).max().orElse(0);
        return Scale.roundEnd(highest);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static String span(Stretch stretch) {
        return Scale.plain(Math.rint(seconds(stretch.from()) * 100) / 100) + " s to "
                + Scale.plain(Math.rint(seconds(stretch.to()) * 100) / 100) + " s";
    }

    @Override
    public List<String> header() {
        var header = new ArrayList<String>();
        header.add("from s");
        for (Lane lane : timeline.lanes()) {
            header.add(lane.target() + " breaker");
            header.add(lane.target() + " answered");
            header.add(lane.target() + " failed");
        }
        header.addAll(List.of("under way", "waiting", "failed calls"));
        return header;
    }

    @Override
    public List<List<String>> rows() {
        var rows = new ArrayList<List<String>>();
        for (int i = 0; i < timeline.steps(); i += TABLE_STEPS) {
            int from = i;
            int to = Math.min(timeline.steps(), i + TABLE_STEPS);
            Duration begin = timeline.from().plus(timeline.step().multipliedBy(from));
            Duration end = timeline.from().plus(timeline.step().multipliedBy(to));
            var cells = new ArrayList<String>();
            cells.add(Scale.plain(Math.rint(seconds(begin) * 100) / 100));
            for (Lane lane : timeline.lanes()) {
                cells.add(states(lane, begin, end));
                cells.add(String.valueOf(sum(lane.answered(), from, to)));
                cells.add(String.valueOf(sum(lane.failed(), from, to)));
            }
            cells.add(String.valueOf(max(timeline.inFlight(), from, to)));
            cells.add(String.valueOf(max(timeline.waiting(), from, to)));
            cells.add(String.valueOf(sum(timeline.failedCalls(), from, to)));
            rows.add(cells);
        }
        return rows;
    }

    private static String states(Lane lane, Duration begin, Duration end) {
        String states = lane.breaker().stream()
                .filter(each -> each.from().compareTo(end) < 0 && each.to().compareTo(begin) > 0)
                .map(ReportJson::state)
                .distinct()
                .collect(Collectors.joining(", "));
        return states.isEmpty() ? "closed" : states;
    }

    private static int sum(List<Integer> counts, int from, int to) {
        return IntStream.range(from, to).map(counts::get).sum();
    }

    private static int max(List<Integer> counts, int from, int to) {
        return IntStream.range(from, to).map(counts::get).max().orElse(0);
    }
}
