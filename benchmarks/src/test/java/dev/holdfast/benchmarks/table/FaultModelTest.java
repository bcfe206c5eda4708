package dev.holdfast.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.benchmarks.table.StrategyTable.Plan;
import dev.holdfast.benchmarks.table.StrategyTable.Row;
import dev.holdfast.simulation.PublishedWeather;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fault model, by hand and through the real client, against the figures that it states for 30 seeds. */
class FaultModelTest {
    private static final int REQUESTS = 10_000;

    /** Mean and standard deviation over the seeds. */
    private record Cell(double mean, double deviation) {}

    private record Reference(Cell meanMs, Cell maxMs, Cell successPct, Cell costPct) {}

    private static final Map<Strategy, Reference> REFERENCES = Map.of(
            Strategy.NONE,
            new Reference(new Cell(843, 2), new Cell(2063, 140), new Cell(94.14, 0.23), new Cell(0, 0)),
            Strategy.FIXED,
            new Reference(new Cell(1045, 10), new Cell(4769, 214), new Cell(97.86, 0.13), new Cell(2.30, 0.08)),
            Strategy.EXPONENTIAL,
            new Reference(new Cell(1414, 49), new Cell(9343, 188), new Cell(99.51, 0.08), new Cell(4.05, 0.35)),
            Strategy.EXPONENTIAL_JITTER,
            new Reference(new Cell(1316, 35), new Cell(10804, 276), new Cell(99.51, 0.08), new Cell(3.24, 0.23)),
            Strategy.SMART_ROUTING,
            new Reference(new Cell(916, 3), new Cell(2960, 301), new Cell(99.80, 0.05), new Cell(1.94, 0.16)));

    @Test
    void theWeatherAloneAgreesWithTheReferenceFigures() {
        for (Strategy strategy : REFERENCES.keySet()) {
            var runs = new ArrayList<Cells>();
            for (int seed = 1; seed <= 30; seed++) {
                var baseline = ReferenceLoop.run(Strategy.NONE, seed, REQUESTS);
                var result = ReferenceLoop.run(strategy, seed, REQUESTS);
                double cost = 100 * (result.cost() / baseline.cost() - 1);
                runs.add(new Cells(result.meanMs(), 0, 0, 0, result.maxMs(), result.successPct(), cost));
            }
            agrees(strategy, Cells.mean(runs), 30);
        }
    }

    @Test
    void theClientAgreesWithTheReferenceFiguresOverFiveSeeds() throws InterruptedException {
        agrees(100, 5);
    }

    @Test
    @Tag("slow")
    void theClientAgreesWithTheReferenceFiguresOverThirtySeeds() throws InterruptedException {
        agrees(1, 30);
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "FIXED", "EXPONENTIAL", "SMART_ROUTING"})
    void theClientDoesToTheNanosecondWhatTheLoopByHandDoes(Strategy strategy) throws InterruptedException {
        for (long seed : new long[] {7, -3}) {
            var byHand = ReferenceLoop.run(strategy, seed, 3_000);
            RunResult run = StrategyRun.of(strategy, seed, PublishedWeather.of(seed, 3_000));

            assertThat(run.attempts()).isEqualTo(byHand.attempts());
            assertThat(run.costPerSuccess()).isCloseTo(byHand.cost(), within(1e-9));
            Cells cells = run.cells(run);
            assertThat(cells.maxMs()).isEqualTo(byHand.maxMs());
            assertThat(cells.meanMs()).isCloseTo(byHand.meanMs(), within(1e-6));
            assertThat(cells.successPct()).isEqualTo(byHand.successPct());
        }
    }

    private static void agrees(long firstSeed, int seeds) throws InterruptedException {
        var plan = new Plan(REQUESTS, firstSeed, seeds, Optional.empty());
        StrategyTable table =
                StrategyTable.run(plan, (runs, all) -> assertThat(runs).isBetween(1, all));
        List<Row> published =
                table.rows().stream().filter(row -> !row.strategy().shipped()).toList();

        assertThat(published).hasSize(5);
        published.forEach(row -> agrees(row.strategy(), row.mean(), seeds));
    }

    private static void agrees(Strategy strategy, Cells mean, int seeds) {
        Reference reference = REFERENCES.get(strategy);
        close(strategy + " mean", mean.meanMs(), reference.meanMs(), seeds, 0.5);
        close(strategy + " max", mean.maxMs(), reference.maxMs(), seeds, 0.5);
        close(strategy + " success", mean.successPct(), reference.successPct(), seeds, 0.005);
        close(strategy + " cost", mean.costPct(), reference.costPct(), seeds, 0.005);
    }

    /** Within three standard errors of the difference of two means, and what rounding took from the stated one. */
    private static void close(String what, double mean, Cell reference, int seeds, double rounding) {
        double error = 3 * reference.deviation() * Math.sqrt(1.0 / seeds + 1.0 / 30);
        assertThat(mean).as(what).isCloseTo(reference.mean(), within(error + rounding));
    }
}
