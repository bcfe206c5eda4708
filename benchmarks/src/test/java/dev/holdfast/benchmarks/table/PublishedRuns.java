package dev.holdfast.benchmarks.table;

import dev.holdfast.benchmarks.table.StrategyTable.Row;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;

/** Runs of 10,000 calls under the published profile, as the table makes them: each once for all tests, on all processors. */
final class PublishedRuns {
    private static final int REQUESTS = 10_000;
    private static final Map<Key, CompletableFuture<Outcome>> RUNS = new ConcurrentHashMap<>();
    private static final Executor PROCESSORS = Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().daemon().name("published-run-", 0).factory());

    private PublishedRuns() {}

    private record Key(Strategy strategy, long seed) {}

    /** The rows of strategies over some seeds, with the places kept by the program. */
    static List<Row> rows(List<Strategy> strategies, long firstSeed, int seeds) {
        begin(Strategy.NONE, firstSeed, seeds);
        strategies.forEach(each -> begin(each, firstSeed, seeds));
        var rows = new ArrayList<Row>();
        for (Strategy strategy : strategies) {
            List<Cells> cells = LongStream.range(firstSeed, firstSeed + seeds)
                    .mapToObj(seed -> Cells.of(run(strategy, seed), run(Strategy.NONE, seed)))
                    .toList();
            rows.add(new Row(strategy, cells, 1));
        }
        return rows;
    }

    private static void begin(Strategy strategy, long firstSeed, int seeds) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            RUNS.computeIfAbsent(
                    new Key(strategy, seed),
                    key -> CompletableFuture.supplyAsync(() -> make(key.strategy(), key.seed()), PROCESSORS));
        }
    }

    private static Outcome run(Strategy strategy, long seed) {
        return RUNS.get(new Key(strategy, seed)).join();
    }

    private static Outcome make(Strategy strategy, long seed) {
        try {
            return StrategyRun.of(strategy, seed, Profile.named("published").weather(seed, REQUESTS), Slots.PROGRAM);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts these runs", e);
        }
    }
}
