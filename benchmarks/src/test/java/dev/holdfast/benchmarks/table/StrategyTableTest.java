package dev.holdfast.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.benchmarks.table.StrategyTable.Plan;
import dev.holdfast.simulation.Arrivals;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.Trace;
import dev.holdfast.simulation.lab.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StrategyTableTest {
    private static final Profile PUBLISHED = Profile.named("published");

    @ParameterizedTest
    @EnumSource
    void theProviderSawEveryAttemptThatTheClientReports(Strategy strategy) throws InterruptedException {
        Outcome run = StrategyRun.of(strategy, 3, PUBLISHED.weather(3, 2_000), Slots.PROGRAM);

        assertThat(run.attempts()).isEqualTo(run.sends());
        assertThat(run.attempts()).isPositive();
    }

    @Test
    void theSameSeedGivesTheSameTableAndAnotherOneAnother() {
        String once = json(5).toString();

        assertThat(json(5)).isEqualTo(once);
        assertThat(json(6)).isNotEqualTo(once);
    }

    @Test
    void theDocumentHoldsTheFivePublishedRowsAndWhatStandsBesideThem() {
        assertThat(json(5))
                .startsWith(
                        "{\"profile\":\"published\",\"requests\":500,\"seeds\":2,\"strategies\":[{\"name\":\"none\",\"meanMs\":")
                .containsPattern("\"name\":\"smart-routing\",\"meanMs\":[0-9.]+,\"p50Ms\":[0-9.]+,\"p95Ms\":[0-9.]+,"
                        + "\"p99Ms\":[0-9.]+,\"maxMs\":[0-9.]+,\"successPct\":[0-9.]+,\"costPct\":-?[0-9.]+,"
                        + "\"stdev\":\\{\"meanMs\":")
                .containsPattern(
                        "\"published\":\\{\"meanMs\":923,\"maxMs\":3120,\"successPct\":99.8,\"costPct\":1.8\\}\\}\\],\"beside\":\\[");
        assertThat(json(5).split("\"published\":\\{", -1)).hasSize(6);
    }

    @Test
    void aTraceHasNoPublishedFigures() {
        var rows = Stream.iterate(0, i -> i + 1)
                .limit(100)
                .map(i -> new Trace.Row(Duration.ofMillis(100L * i), 50, i % 20))
                .toList();
        Profile traced = PUBLISHED.withArrivals(Arrivals.of(new Trace(rows))).withName("trace");
        StrategyTable table = StrategyTable.run(
                new Plan(100, 1, 1, traced), (runs, all) -> assertThat(runs).isBetween(1, all));

        assertThat(TableJson.of(table).toJson())
                .contains("\"profile\":\"trace\"")
                .contains("\"published\":null");
        assertThat(TableText.of(table)).doesNotContain("cell by cell").contains("There are no published figures");
    }

    @Test
    void percentilesAreTheSmallestLatencyThatTheShareDoesNotExceed() {
        long[] nanos = LongStream.rangeClosed(1, 200).map(i -> i * 1_000_000).toArray();
        var run = Outcome.of(nanos, 100, 250, 250, 150);
        Cells cells = Cells.of(run, run);

        assertThat(cells).isEqualTo(new Cells(100.5, 100, 190, 198, 200, 50, 0));
        assertThat(run.costPerSuccess()).isCloseTo((150 + 0.082 * 20.1) / 100, within(1e-12));
    }

    @Test
    void withoutAnySuccessThereIsNoCost() {
        var run = Outcome.of(new long[] {1}, 0, 1, 1, 0);

        assertThat(Cells.of(run, run).costPct()).isNaN();
    }

    @Test
    void theSpreadIsTheDeviationOfASample() {
        var runs = List.of(new Cells(1, 0, 0, 0, 0, 0, 0), new Cells(3, 0, 0, 0, 0, 0, 0));

        assertThat(Cells.mean(runs).meanMs()).isEqualTo(2);
        assertThat(Cells.deviation(runs).meanMs()).isCloseTo(Math.sqrt(2), within(1e-12));
        assertThat(Cells.deviation(runs.subList(0, 1)).meanMs()).isZero();
    }

    private static String json(long seed) {
        return TableJson.of(table(seed)).toJson();
    }

    private static StrategyTable table(long seed) {
        return StrategyTable.run(new Plan(500, seed, 2, PUBLISHED), (runs, all) -> {});
    }

    @Test
    void whatIsDoneWhenItIsStoppedIsATableOfWholeSeeds() {
        int perSeed = 2 * Strategy.values().length;
        StrategyTable table = StrategyTable.run(new Plan(50, 1, 5, PUBLISHED), (runs, all) -> {
            if (runs == perSeed + 3) {
                Thread.currentThread().interrupt();
            }
        });

        assertThat(table.seedsDone()).isEqualTo(1);
        assertThat(table.rows())
                .hasSameSizeAs(Strategy.values())
                .allSatisfy(row -> assertThat(row.runs()).hasSize(1));
        assertThat(TableText.of(table))
                .startsWith("stopped: 1 of 5 seeds are done")
                .contains("seed 1");
        assertThat(TableJson.of(table).toJson()).contains("\"seeds\":1,");
    }

    @Test
    void withinTheFirstSeedTheStrategiesThatAreDoneAreTold() {
        StrategyTable table = StrategyTable.run(new Plan(50, 1, 1, PUBLISHED), (runs, all) -> {
            if (runs == 2) {
                Thread.currentThread().interrupt();
            }
        });

        assertThat(table.rows()).extracting(StrategyTable.Row::strategy).containsExactly(Strategy.NONE, Strategy.FIXED);
        assertThat(TableText.of(table)).contains("stopped: 0 of 1 seeds are done");
    }

    @Test
    void nothingDoneIsToldToo() {
        Thread.currentThread().interrupt();
        StrategyTable table = StrategyTable.run(new Plan(50, 1, 1, PUBLISHED), (runs, all) -> {});

        assertThat(table.rows()).isEmpty();
        assertThat(TableText.of(table)).contains("stopped before the first run was over");
    }
}
