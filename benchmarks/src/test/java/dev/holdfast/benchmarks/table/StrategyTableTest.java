package dev.holdfast.benchmarks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.benchmarks.table.StrategyTable.Plan;
import dev.holdfast.simulation.PublishedWeather;
import dev.holdfast.simulation.Trace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StrategyTableTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void theProviderSawEveryAttemptThatTheClientReports(Strategy strategy) throws InterruptedException {
        RunResult run = StrategyRun.of(strategy, 3, PublishedWeather.of(3, 2_000));

        assertThat(run.attempts()).isEqualTo(run.sends());
        assertThat(run.attempts()).isPositive();
    }

    @Test
    void theSameSeedGivesTheSameTableAndAnotherOneAnother() throws InterruptedException {
        String once = json(5).toString();

        assertThat(json(5)).isEqualTo(once);
        assertThat(json(6)).isNotEqualTo(once);
    }

    @Test
    void theDocumentHoldsTheFivePublishedRowsAndNothingElse() throws InterruptedException {
        assertThat(json(5))
                .startsWith(
                        "{\"profile\":\"published\",\"requests\":500,\"seeds\":2,\"strategies\":[{\"name\":\"none\",\"meanMs\":")
                .containsPattern("\"name\":\"smart-routing\",\"meanMs\":[0-9.]+,\"p50Ms\":[0-9.]+,\"p95Ms\":[0-9.]+,"
                        + "\"p99Ms\":[0-9.]+,\"maxMs\":[0-9.]+,\"successPct\":[0-9.]+,\"costPct\":-?[0-9.]+,"
                        + "\"stdev\":\\{\"meanMs\":")
                .containsPattern(
                        "\"published\":\\{\"meanMs\":923,\"maxMs\":3120,\"successPct\":99.8,\"costPct\":1.8\\}\\}\\]\\}$");
        assertThat(json(5).split("\"name\":", -1)).hasSize(6);
    }

    @Test
    void aTraceHasNoPublishedFigures() throws InterruptedException {
        var rows = Stream.iterate(0, i -> i + 1)
                .limit(100)
                .map(i -> new Trace.Row(Duration.ofMillis(100L * i), 50, i % 20))
                .toList();
        StrategyTable table = StrategyTable.run(new Plan(100, 1, 1, Optional.of(new Trace(rows))), (runs, all) -> {});

        assertThat(TableJson.of(table).toJson())
                .contains("\"profile\":\"trace\"")
                .contains("\"published\":null");
        assertThat(TableText.of(table)).doesNotContain("difference").contains("There are no published figures");
    }

    @Test
    void percentilesAreTheSmallestLatencyThatTheShareDoesNotExceed() {
        long[] nanos = LongStream.rangeClosed(1, 200).map(i -> i * 1_000_000).toArray();
        var run = new RunResult(nanos, 100, 250, 250, 150);
        Cells cells = run.cells(run);

        assertThat(cells).isEqualTo(new Cells(100.5, 100, 190, 198, 200, 50, 0));
        assertThat(run.costPerSuccess()).isCloseTo((150 + 0.082 * 20.1) / 100, within(1e-12));
    }

    @Test
    void withoutAnySuccessThereIsNoCost() {
        var run = new RunResult(new long[] {1}, 0, 1, 1, 0);

        assertThat(run.cells(run).costPct()).isNaN();
    }

    @Test
    void theSpreadIsTheDeviationOfASample() {
        var runs = List.of(new Cells(1, 0, 0, 0, 0, 0, 0), new Cells(3, 0, 0, 0, 0, 0, 0));

        assertThat(Cells.mean(runs).meanMs()).isEqualTo(2);
        assertThat(Cells.deviation(runs).meanMs()).isCloseTo(Math.sqrt(2), within(1e-12));
        assertThat(Cells.deviation(runs.subList(0, 1)).meanMs()).isZero();
    }

    @Test
    void aFileIsReplacedWholeAndNothingIsLeftBeside() throws Exception {
        Path file = Files.writeString(directory.resolve("table.json"), "old");
        TableJson.write(TableJson.of(table(5)), file);

        assertThat(file).content().startsWith("{\"profile\"").endsWith("]}\n");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    private static String json(long seed) throws InterruptedException {
        return TableJson.of(table(seed)).toJson();
    }

    private static StrategyTable table(long seed) throws InterruptedException {
        return StrategyTable.run(new Plan(500, seed, 2, Optional.empty()), (runs, all) -> {});
    }
}
