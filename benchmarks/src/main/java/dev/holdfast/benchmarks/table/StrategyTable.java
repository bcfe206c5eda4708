package dev.holdfast.benchmarks.table;

import dev.holdfast.simulation.PublishedWeather;
import dev.holdfast.simulation.Trace;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The whole table: every strategy under the weather of every seed.
 *
 * @param plan what was run
 * @param rows one for each strategy, in their order
 */
public record StrategyTable(Plan plan, List<Row> rows) {
    /** Copies the list. */
    public StrategyTable {
        rows = List.copyOf(rows);
    }

    /**
     * What is run.
     *
     * @param requests how many calls in each run
     * @param firstSeed the first seed
     * @param seeds how many seeds from there
     * @param trace whose arrivals and lengths are followed; empty for the published profile
     */
    public record Plan(int requests, long firstSeed, int seeds, Optional<Trace> trace) {
        /** The name of the weather. */
        public String profile() {
            return trace.isPresent() ? "trace" : "published";
        }

        private PublishedWeather weather(long seed) {
            return trace.map(given -> PublishedWeather.of(seed, given))
                    .orElseGet(() -> PublishedWeather.of(seed, requests));
        }
    }

    /**
     * A row.
     *
     * @param strategy the strategy
     * @param mean the mean over the seeds
     * @param deviation the standard deviation over the seeds
     * @param attempts attempts made for each call, over all seeds
     */
    public record Row(Strategy strategy, Cells mean, Cells deviation, double attempts) {}

    /** Hears how far the work is. */
    @FunctionalInterface
    public interface Progress {
        /** So many runs of all are done. */
        void done(int runs, int all);
    }

    /** Runs it all. */
    public static StrategyTable run(Plan plan, Progress progress) throws InterruptedException {
        Map<Strategy, List<Cells>> cells = new EnumMap<>(Strategy.class);
        Map<Strategy, Long> attempts = new EnumMap<>(Strategy.class);
        int all = plan.seeds() * Strategy.values().length;
        int done = 0;
        for (int i = 0; i < plan.seeds(); i++) {
            long seed = plan.firstSeed() + i;
            RunResult baseline = StrategyRun.of(Strategy.NONE, seed, plan.weather(seed));
            for (Strategy strategy : Strategy.values()) {
                RunResult result =
                        strategy == Strategy.NONE ? baseline : StrategyRun.of(strategy, seed, plan.weather(seed));
                cells.computeIfAbsent(strategy, key -> new ArrayList<>()).add(result.cells(baseline));
                attempts.merge(strategy, (long) result.attempts(), Long::sum);
                progress.done(++done, all);
            }
        }
        double calls = (double) plan.requests() * plan.seeds();
        var rows = new ArrayList<Row>();
        cells.forEach((strategy, runs) -> rows.add(new Row(
                strategy, Cells.mean(runs), Cells.deviation(runs), attempts.getOrDefault(strategy, 0L) / calls)));
        return new StrategyTable(plan, rows);
    }
}
