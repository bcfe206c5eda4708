package dev.holdfast.simulation.internal.lab;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.simulation.lab.Experiment;
import dev.holdfast.simulation.lab.Histogram;
import dev.holdfast.simulation.lab.Measures;
import dev.holdfast.simulation.lab.Report;
import dev.holdfast.simulation.lab.Report.Row;
import dev.holdfast.simulation.lab.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** A report as a document. */
public final class ReportJson {
    private ReportJson() {}

    /** The document. */
    public static JsonObject of(Report report) {
        Experiment experiment = report.experiment();
        return JsonObject.of("profile", new JsonString(experiment.profile().name()))
                .with("requests", JsonValue.of(experiment.requests()))
                .with("firstSeed", JsonValue.of(experiment.firstSeed()))
                .with("seeds", JsonValue.of(experiment.seeds()))
                .with("seedsDone", JsonValue.of(report.seedsDone()))
                .with("objective", new JsonString(experiment.objective().toString()))
                .with("met", JsonValue.of(report.isMet()))
                .with(
                        "best",
                        report.best()
                                .<JsonValue>map(row -> new JsonString(row.title()))
                                .orElse(JsonNull.NULL))
                .with(
                        "sweep",
                        array(
                                experiment.sweep().axes(),
                                axis -> JsonObject.of("key", new JsonString(axis.key()))
                                        .with("values", array(axis.values(), JsonString::new))))
                .with("variants", array(report.rows(), ReportJson::row))
                .with("timelines", array(report.timelines(), ReportJson::timeline));
    }

    private static JsonObject row(Row row) {
        JsonObject named = JsonObject.of("title", new JsonString(row.title()))
                .with("policy", new JsonString(row.variant().base()))
                .with("settings", settings(row.variant().settings()))
                .with("seeds", JsonValue.of(row.seeds()));
        return measures(named, row.mean())
                .with("stdev", measures(JsonObject.empty(), row.deviation()))
                .with("pareto", JsonValue.of(row.pareto()))
                .with("meets", JsonValue.of(row.meets()))
                .with("best", JsonValue.of(row.best()))
                .with("histogram", histogram(row.histogram()));
    }

    private static JsonObject settings(Map<String, String> settings) {
        JsonObject.Builder all = JsonObject.builder();
        settings.forEach((key, value) -> all.with(key, new JsonString(value)));
        return all.build();
    }

    private static JsonObject measures(JsonObject to, Measures measures) {
        return to.with("successPct", Decimals.json(measures.successPct()))
                .with("meanMs", Decimals.json(measures.meanMs()))
                .with("p50Ms", Decimals.json(measures.p50Ms()))
                .with("p95Ms", Decimals.json(measures.p95Ms()))
                .with("p99Ms", Decimals.json(measures.p99Ms()))
                .with("maxMs", Decimals.json(measures.maxMs()))
                .with("costPct", Decimals.json(measures.costPct()))
                .with("attempts", Decimals.json(measures.attempts()));
    }

    /** Only bins that have calls. */
    private static JsonArray histogram(Histogram histogram) {
        var bins = new java.util.ArrayList<JsonValue>();
        for (int i = 0; i < histogram.bins(); i++) {
            if (histogram.count(i) > 0) {
                bins.add(JsonObject.of("toMs", Decimals.json(histogram.endMs(i)))
                        .with("calls", JsonValue.of(histogram.count(i))));
            }
        }
        return new JsonArray(bins);
    }

    private static JsonObject timeline(Timeline timeline) {
        return JsonObject.of("policy", new JsonString(timeline.policy()))
                .with("seed", JsonValue.of(timeline.seed()))
                .with("what", new JsonString(timeline.what()))
                .with("fromMs", ms(timeline.from()))
                .with("stepMs", ms(timeline.step()))
                .with("lanes", array(timeline.lanes(), ReportJson::lane))
                .with("inFlight", counts(timeline.inFlight()))
                .with("waiting", counts(timeline.waiting()))
                .with("failedCalls", counts(timeline.failedCalls()));
    }

    private static JsonObject lane(Timeline.Lane lane) {
        return JsonObject.of("target", new JsonString(lane.target()))
                .with(
                        "down",
                        array(
                                lane.down(),
                                stretch -> JsonObject.of("fromMs", ms(stretch.from()))
                                        .with("toMs", ms(stretch.to()))))
                .with(
                        "breaker",
                        array(
                                lane.breaker(),
                                stretch -> JsonObject.of("fromMs", ms(stretch.from()))
                                        .with("toMs", ms(stretch.to()))
                                        .with("state", new JsonString(state(stretch)))))
                .with("answered", counts(lane.answered()))
                .with("failed", counts(lane.failed()));
    }

    /** The state as configurations write it. */
    public static String state(Timeline.Stretch stretch) {
        return stretch.state().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static JsonValue ms(Duration duration) {
        return Decimals.json(duration.toNanos() / 1e6);
    }

    private static JsonArray counts(List<Integer> counts) {
        return array(counts, JsonValue::of);
    }

    private static <T> JsonArray array(List<T> values, Function<T, JsonValue> element) {
        return new JsonArray(values.stream().map(element).toList());
    }
}
