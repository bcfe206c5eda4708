package dev.holdfast.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Outcome;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fault model, by hand and through the real client, against the figures that it states for 30 seeds. */
class FaultModelTest {
    private static final int REQUESTS = 10_000;
    private static final Profile PUBLISHED = Profile.named("published");

    @Test
    void theWeatherAloneAgreesWithTheReferenceFigures() {
        for (Strategy strategy : Strategy.publishedOnes()) {
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
    void theClientAgreesWithTheReferenceFiguresOverFiveSeeds() {
        agrees(100, 5);
    }

    @Test
    @Tag("slow")
    void theClientAgreesWithTheReferenceFiguresOverThirtySeeds() {
        agrees(1, 30);
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "FIXED", "EXPONENTIAL", "SMART_ROUTING"})
    void theClientDoesToTheNanosecondWhatTheLoopByHandDoes(Strategy strategy) throws InterruptedException {
        for (long seed : new long[] {7, -3}) {
            var byHand = ReferenceLoop.run(strategy, seed, 3_000);
            Outcome run = StrategyRun.of(strategy, seed, PUBLISHED.weather(seed, 3_000), Slots.PROGRAM);

            assertThat(run.attempts()).isEqualTo(byHand.attempts());
            assertThat(run.costPerSuccess()).isCloseTo(byHand.cost(), within(1e-9));
            Cells cells = Cells.of(run, run);
            assertThat(cells.maxMs()).isEqualTo(byHand.maxMs());
            assertThat(cells.meanMs()).isCloseTo(byHand.meanMs(), within(1e-6));
            assertThat(cells.successPct()).isEqualTo(byHand.successPct());
        }
    }

    private static void agrees(long firstSeed, int seeds) {
        assertThat(Strategy.publishedOnes()).hasSize(5);
        PublishedRuns.rows(Strategy.publishedOnes(), firstSeed, seeds)
                .forEach(row -> agrees(row.strategy(), row.mean(), seeds));
    }

    private static void agrees(Strategy strategy, Cells mean, int seeds) {
        Figures.Reference reference = Figures.reference(strategy).orElseThrow();
        close(strategy, Column.MEAN, mean, reference, seeds, 0.5);
        close(strategy, Column.MAX, mean, reference, seeds, 0.5);
        close(strategy, Column.SUCCESS, mean, reference, seeds, 0.005);
        close(strategy, Column.COST, mean, reference, seeds, 0.005);
    }

    /** Within three standard errors of the difference of two means, and what rounding took from the stated one. */
    private static void close(
            Strategy strategy, Column column, Cells mean, Figures.Reference reference, int seeds, double rounding) {
        double error = 3 * column.of(reference.deviation()) * Math.sqrt(1.0 / seeds + 1.0 / 30);
        assertThat(column.of(mean))
                .as(strategy + " " + column)
                .isCloseTo(column.of(reference.mean()), within(error + rounding));
    }
}
