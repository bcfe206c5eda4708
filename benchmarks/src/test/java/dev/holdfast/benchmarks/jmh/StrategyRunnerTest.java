package dev.holdfast.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.benchmarks.jmh.StrategyRunner.Counts;
import dev.holdfast.benchmarks.table.Cells;
import dev.holdfast.benchmarks.table.Column;
import dev.holdfast.benchmarks.table.Slots;
import dev.holdfast.benchmarks.table.Strategy;
import dev.holdfast.benchmarks.table.StrategyRun;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StrategyRunnerTest {
    private static final int REQUESTS = 800;
    private static final Profile PUBLISHED = Profile.named("published");

    @Test
    void countersOfIterationsGiveTheRowsOfTheirSeeds() throws InterruptedException {
        Map<Strategy, List<Counts>> counts = new EnumMap<>(Strategy.class);
        for (Strategy strategy : List.of(Strategy.NONE, Strategy.FIXED)) {
            counts.put(strategy, List.of(counts(strategy, 3), counts(strategy, 4)));
        }
        Map<Strategy, List<Cells>> rows = StrategyRunner.cells(counts);

        for (int i = 0; i < 2; i++) {
            Cells expected = Cells.of(run(Strategy.FIXED, 3 + i), run(Strategy.NONE, 3 + i));
            Cells row = rows.get(Strategy.FIXED).get(i);
            for (Column column : Column.values()) {
                assertThat(column.of(row))
                        .as(column + " of iteration " + i)
                        .isCloseTo(column.of(expected), within(0.01));
            }
            assertThat(rows.get(Strategy.NONE).get(i).costPct()).isZero();
        }
    }

    @Test
    void theOrderIsClaimedOnlyWhereNineOfTenSeedsHaveIt() {
        Map<Strategy, List<Cells>> rows = new EnumMap<>(Strategy.class);
        rows.put(Strategy.NONE, seeds(844, 94.2, 0));
        rows.put(Strategy.SMART_ROUTING, seeds(916, 99.8, 1.9));
        rows.put(Strategy.FIXED, seeds(1_044, 97.8, 2.3));
        rows.put(Strategy.EXPONENTIAL_JITTER, seeds(1_313, 99.5, 3.2));
        rows.put(Strategy.EXPONENTIAL, seeds(1_413, 99.4, 4.1));
        var runner = new StrategyRunner(REQUESTS, 1, 10);
        Cells late = new Cells(800, 0, 0, 0, 0, 99.8, 1.9);

        assertThat(runner.report(rows, Map.of()).holds()).isTrue();
        rows.get(Strategy.SMART_ROUTING).set(0, late);
        assertThat(runner.report(rows, Map.of()).holds()).isTrue();
        rows.get(Strategy.SMART_ROUTING).set(1, late);
        StrategyRunner.Report report = runner.report(rows, Map.of());
        assertThat(report.holds()).isFalse();
        assertThat(report.text()).contains("8 of 10");
    }

    private static List<Cells> seeds(double mean, double success, double cost) {
        var cells = new ArrayList<Cells>();
        for (int i = 0; i < 10; i++) {
            cells.add(new Cells(mean, 0, 0, 0, 0, success, cost));
        }
        return cells;
    }

    /** What {@link StrategyBenchmark} adds up in the iteration of a seed. */
    private static Counts counts(Strategy strategy, long seed) throws InterruptedException {
        var benchmark = new StrategyBenchmark();
        benchmark.strategy = strategy;
        benchmark.requests = REQUESTS;
        benchmark.beginAt(seed);
        var counters = new StrategyBenchmark.Counters();
        benchmark.run(counters);
        return new Counts(
                counters.calls,
                counters.successes,
                counters.latencyMicros,
                counters.maxMicros,
                counters.costMillionths);
    }

    private static Outcome run(Strategy strategy, long seed) throws InterruptedException {
        return StrategyRun.of(strategy, seed, PUBLISHED.weather(seed, REQUESTS), Slots.PROGRAM);
    }
}
