package dev.holdfast.benchmarks.table;

import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.ProfileWeather;
import dev.holdfast.simulation.lab.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The whole table: every strategy under the weather of every seed.
 *
 * @param plan what was to be run
 * @param seedsDone how many of the seeds were run for all strategies; fewer than planned where it was stopped
 * @param rows one for each strategy, in their order, with the places of the profile kept by the program
 * @param limiterRows the same with the places kept by the client's own limiter; none where the profile has no places
 */
public record StrategyTable(Plan plan, int seedsDone, List<Row> rows, List<Row> limiterRows) {
    /** Copies the lists. */
    public StrategyTable {
        rows = List.copyOf(rows);
        limiterRows = List.copyOf(limiterRows);
    }

    /**
     * What is run.
     *
     * @param requests how many calls in each run
     * @param firstSeed the first seed
     * @param seeds how many seeds from there
     * @param profile the weather
     */
    public record Plan(int requests, long firstSeed, int seeds, Profile profile) {
        /** Whether there are published figures for it. */
        public boolean isPublished() {
            return profile.equals(Profile.named("published"));
        }

        /** Who may keep the places. */
        List<Slots> blocks() {
            return profile.places().isPresent() ? List.of(Slots.PROGRAM, Slots.LIMITER) : List.of(Slots.PROGRAM);
        }

        private ProfileWeather weather(long seed) {
            return profile.weather(seed, requests);
        }
    }

    /**
     * A row.
     *
     * @param strategy the strategy
     * @param runs its cells, seed by seed
     * @param attempts attempts made for each call, over all seeds
     */
    public record Row(Strategy strategy, List<Cells> runs, double attempts) {
        /** Copies the list. */
        public Row {
            runs = List.copyOf(runs);
        }

        /** The mean over the seeds. */
        public Cells mean() {
            return Cells.mean(runs);
        }

        /** The standard deviation over the seeds. */
        public Cells deviation() {
            return Cells.deviation(runs);
        }
    }

    /** Hears how far the work is. */
    @FunctionalInterface
    public interface Progress {
        /** So many runs of all are done. */
        void done(int runs, int all);
    }

    /** The row of a strategy. */
    Optional<Row> row(Strategy strategy) {
        return rows.stream().filter(row -> row.strategy() == strategy).findFirst();
    }

    /** Whether it was stopped before it was done. */
    public boolean isStopped() {
        return seedsDone < plan.seeds();
    }

    /** Runs it all. An interrupt stops it: what is done then is the table, of whole seeds only unless there is none. */
    public static StrategyTable run(Plan plan, Progress progress) {
        return new Work(plan, progress).run();
    }

    private static final class Work {
        private final Plan plan;
        private final Progress progress;
        private final int all;
        private final Map<Slots, Map<Strategy, List<Outcome>>> results = new EnumMap<>(Slots.class);
        private int done;

        Work(Plan plan, Progress progress) {
            this.plan = plan;
            this.progress = progress;
            this.all = plan.seeds() * plan.blocks().size() * Strategy.values().length;
        }

        StrategyTable run() {
            int seedsDone = 0;
            try {
                for (; seedsDone < plan.seeds(); seedsDone++) {
                    runSeed(plan.firstSeed() + seedsDone);
                }
            } catch (InterruptedException e) {
                // What is done is told.
            }
            clearInterrupt();
            return new StrategyTable(plan, seedsDone, rows(Slots.PROGRAM, seedsDone), rows(Slots.LIMITER, seedsDone));
        }

        /** Telling what is done must not be interrupted. */
        private static void clearInterrupt() {
            Thread.interrupted();
        }

        private void runSeed(long seed) throws InterruptedException {
            for (Slots slots : plan.blocks()) {
                for (Strategy strategy : Strategy.values()) {
                    stopIfInterrupted();
                    Outcome result = StrategyRun.of(strategy, seed, plan.weather(seed), slots);
                    results.computeIfAbsent(slots, key -> new EnumMap<>(Strategy.class))
                            .computeIfAbsent(strategy, key -> new ArrayList<>())
                            .add(result);
                    progress.done(++done, all);
                }
            }
        }

        /** A run that is over before it would wait does not notice an interrupt. */
        private static void stopIfInterrupted() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }

        private List<Row> rows(Slots slots, int seedsDone) {
            Map<Strategy, List<Outcome>> block = results.getOrDefault(slots, Map.of());
            List<Outcome> baselines = block.getOrDefault(Strategy.NONE, List.of());
            var rows = new ArrayList<Row>();
            block.forEach((strategy, runs) -> {
                int count = seedsDone == 0 ? runs.size() : seedsDone;
                List<Cells> cells = IntStream.range(0, count)
                        .mapToObj(i -> Cells.of(runs.get(i), baselines.get(i)))
                        .toList();
                long attempts =
                        runs.stream().limit(count).mapToLong(Outcome::attempts).sum();
                rows.add(new Row(strategy, cells, attempts / ((double) plan.requests() * count)));
            });
            return rows;
        }
    }
}
