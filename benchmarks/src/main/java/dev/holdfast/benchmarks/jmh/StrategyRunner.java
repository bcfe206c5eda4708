package dev.holdfast.benchmarks.jmh;

import dev.holdfast.benchmarks.table.Cells;
import dev.holdfast.benchmarks.table.Column;
import dev.holdfast.benchmarks.table.OrderCheck;
import dev.holdfast.benchmarks.table.OrderCheck.Relation;
import dev.holdfast.benchmarks.table.Strategy;
import dev.holdfast.benchmarks.table.StrategyTable.Progress;
import dev.holdfast.benchmarks.table.TableText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs {@link StrategyBenchmark}, divides its counters and checks the order of the strategies.
 *
 * @param requests how many calls in each run
 * @param firstSeed the first seed
 * @param seeds how many from there, an iteration each
 */
public record StrategyRunner(int requests, long firstSeed, int seeds) {
    private static final String FIGURES = "%-20s %10s %10s %10s %10s %16s%n";

    /** The counters of one iteration. */
    record Counts(double calls, double successes, double latencyMicros, double maxMicros, double costMillionths) {
        double costPerSuccess() {
            return successes == 0 ? Double.NaN : costMillionths / successes;
        }

        /** The row of the iteration's seed. */
        Cells cells(Counts baseline) {
            return new Cells(
                    latencyMicros / calls / 1e3,
                    Double.NaN,
                    Double.NaN,
                    Double.NaN,
                    maxMicros / 1e3,
                    100 * successes / calls,
                    100 * (costPerSuccess() / baseline.costPerSuccess() - 1));
        }
    }

    /** What came of it, for people, and whether the order is as claimed. */
    public record Report(String text, boolean holds) {}

    /**
     * Runs it.
     *
     * @throws RunnerException if JMH cannot
     */
    public Report run(Progress progress) throws RunnerException {
        Map<Strategy, List<Counts>> counts = new EnumMap<>(Strategy.class);
        Map<Strategy, Double> millis = new EnumMap<>(Strategy.class);
        List<Strategy> strategies = Strategy.publishedOnes();
        for (Strategy strategy : strategies) {
            for (RunResult result : new Runner(options(strategy)).run()) {
                counts.put(strategy, counts(result));
                millis.put(strategy, result.getPrimaryResult().getScore());
            }
            progress.done(counts.size(), strategies.size());
        }
        return report(cells(counts), millis);
    }

    private Options options(Strategy strategy) {
        return new OptionsBuilder()
                .include("^" + StrategyBenchmark.class.getName().replace(".", "\\.") + "\\.run$")
                .param("strategy", strategy.name())
                .param("requests", String.valueOf(requests))
                .param("firstSeed", String.valueOf(firstSeed))
                .measurementIterations(seeds)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
    }

    private static List<Counts> counts(RunResult result) {
        var counts = new ArrayList<Counts>();
        result.getBenchmarkResults().forEach(fork -> fork.getIterationResults().forEach(each -> counts.add(of(each))));
        return counts;
    }

    private static Counts of(IterationResult iteration) {
        return new Counts(
                counter(iteration, "calls"),
                counter(iteration, "successes"),
                counter(iteration, "latencyMicros"),
                counter(iteration, "maxMicros"),
                counter(iteration, "costMillionths"));
    }

    private static double counter(IterationResult iteration, String name) {
        var result = iteration.getSecondaryResults().get(name);
        if (result == null) {
            throw new IllegalStateException("no counter " + name + " in "
                    + iteration.getSecondaryResults().keySet());
        }
        return result.getScore();
    }

    /** The rows, seed by seed. */
    static Map<Strategy, List<Cells>> cells(Map<Strategy, List<Counts>> counts) {
        List<Counts> baselines = counts.getOrDefault(Strategy.NONE, List.of());
        Map<Strategy, List<Cells>> cells = new EnumMap<>(Strategy.class);
        counts.forEach((strategy, each) -> {
            var rows = new ArrayList<Cells>();
            for (int i = 0; i < each.size(); i++) {
                rows.add(each.get(i).cells(baselines.get(i)));
            }
            cells.put(strategy, rows);
        });
        return cells;
    }

    /** The table and the order. */
    Report report(Map<Strategy, List<Cells>> cells, Map<Strategy, Double> millis) {
        var out = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d calls for each strategy and seed, profile published, %d seeds from %d, by JMH's counters%n%n",
                requests,
                seeds,
                firstSeed));
        out.append(String.format(
                Locale.ROOT,
                FIGURES,
                "strategy",
                Column.MEAN.title(),
                Column.MAX.title(),
                Column.SUCCESS.title(),
                Column.COST.title(),
                "took ms a run"));
        cells.forEach((strategy, rows) -> out.append(String.format(
                Locale.ROOT,
                FIGURES,
                strategy.title(),
                figure("%.0f", rows, Column.MEAN),
                figure("%.0f", rows, Column.MAX),
                figure("%.2f", rows, Column.SUCCESS),
                figure("%.2f", rows, Column.COST),
                String.format(Locale.ROOT, "%.0f", millis.getOrDefault(strategy, Double.NaN)))));
        List<Relation> order = OrderCheck.of(cells);
        out.append("\norder: in how many seeds each relation held; asked for where the reference figures are apart\n");
        order.forEach(each -> out.append(TableText.order(each)));
        return new Report(out.toString(), order.stream().allMatch(Relation::holds));
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is not worth a dependency
    private static String figure(String pattern, List<Cells> rows, Column column) {
        return String.format(
                Locale.ROOT,
                pattern,
                rows.stream().mapToDouble(column::of).average().orElse(Double.NaN));
    }
}
