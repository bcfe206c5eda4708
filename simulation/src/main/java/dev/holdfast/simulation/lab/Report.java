package dev.holdfast.simulation.lab;

import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.simulation.internal.lab.ReportCsv;
import dev.holdfast.simulation.internal.lab.ReportJson;
import dev.holdfast.simulation.internal.lab.ReportText;
import dev.holdfast.simulation.internal.lab.html.ReportHtml;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What an experiment gave: the same experiment gives the same report, to the byte. Immutable.
 *
 * @param experiment what was to be run
 * @param seedsDone how many of the seeds were run for all; fewer than asked for where it was stopped
 * @param rows one for each variant that was run, in their order; none where it was stopped before
 * @param timelines what happened around an outage, under one policy each; none where it was stopped or the experiment wants none
 */
public record Report(Experiment experiment, int seedsDone, List<Row> rows, List<Timeline> timelines) {
    /** Copies the lists. */
    public Report {
        rows = List.copyOf(rows);
        timelines = List.copyOf(timelines);
    }

    /**
     * What a variant gave.
     *
     * @param variant the variant
     * @param seeds over how many seeds
     * @param mean the means over the seeds
     * @param deviation the standard deviations over the seeds
     * @param histogram how many calls took how long, over all seeds
     * @param pareto whether no other is at least as good in success, time and cost, and better in one of them
     * @param meets whether it meets the bounds of the objective
     * @param best whether it is the one that the objective names: of those that meet it, or the nearest of those that do not
     */
    public record Row(
            Variant variant,
            int seeds,
            Measures mean,
            Measures deviation,
            Histogram histogram,
            boolean pareto,
            boolean meets,
            boolean best) {
        static Row of(Variant variant, List<Outcome> outcomes, List<Outcome> baselines) {
            List<Measures> runs = IntStream.range(0, outcomes.size())
                    .mapToObj(i -> outcomes.get(i).measures(baselines.get(i)))
                    .toList();
            Histogram histogram = outcomes.stream().map(Outcome::histogram).reduce(Histogram.empty(), Histogram::plus);
            return new Row(
                    variant,
                    runs.size(),
                    Measures.mean(runs),
                    Measures.deviation(runs),
                    histogram,
                    false,
                    false,
                    false);
        }

        /** {@return what it is called, and what was set} */
        public String title() {
            return variant.title();
        }

        private Row marked(boolean unbeaten, boolean met, boolean wanted) {
            return new Row(variant, seeds, mean, deviation, histogram, unbeaten, met, wanted);
        }
    }

    /** The rows with their marks. */
    @SuppressWarnings("ReferenceEquality") // this row, not one like it
    static List<Row> marked(List<Row> rows, Objective objective) {
        Measure time = objective.latency();
        List<Boolean> front =
                Pareto.front(rows.stream().map(row -> scores(row.mean(), time)).toList());
        Optional<Row> best = rows.stream().min(Comparator.comparing(Row::mean, objective.order()));
        var marked = new ArrayList<Row>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            boolean wanted = best.filter(each -> each == row).isPresent();
            marked.add(row.marked(front.get(i), objective.isMetBy(row.mean()), wanted));
        }
        return marked;
    }

    private static double[] scores(Measures measures, Measure time) {
        return new double[] {
            -Measure.SUCCESS.rounded(measures.successPct()),
            time.rounded(time.of(measures)),
            Measure.COST.rounded(measures.costPct())
        };
    }

    /** {@return the row that the objective names; empty where nothing was run} */
    public Optional<Row> best() {
        return rows.stream().filter(Row::best).findFirst();
    }

    /** {@return whether a row meets the bounds of the objective} */
    public boolean isMet() {
        return rows.stream().anyMatch(Row::meets);
    }

    /** {@return whether it was stopped before it was done} */
    public boolean isStopped() {
        return seedsDone < experiment.seeds();
    }

    /** {@return the report for people who read a terminal} */
    public String text() {
        return ReportText.of(this);
    }

    /** {@return the rows as comma-separated values (RFC 4180), one line each, lines ended by a line feed} */
    public String csv() {
        return ReportCsv.of(this);
    }

    /** {@return the report as a document} */
    public JsonObject json() {
        return ReportJson.of(this);
    }

    /** {@return how long calls take, as a drawing of its own (SVG); a report of at least one row} */
    public String picture() {
        return ReportHtml.picture(this);
    }

    /** {@return the report as one page of HTML that needs nothing else} */
    public String html() {
        return ReportHtml.of(this);
    }
}
