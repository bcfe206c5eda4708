package dev.holdfast.benchmarks.jmh;

import dev.holdfast.benchmarks.table.Cells;
import dev.holdfast.benchmarks.table.Slots;
import dev.holdfast.benchmarks.table.Strategy;
import dev.holdfast.benchmarks.table.StrategyRun;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Outcome;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A row of the strategy table for each strategy: an iteration is a run of one seed, the next one of the next. The score is how
 * long the machine took; the row itself is in the counters. JMH sums them over the iterations, so that only quotients of them
 * mean something, and {@code maxMicros} only within one iteration: {@code ./holdfast table --jmh} divides them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 10)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.trackAllThreads=false"})
public class StrategyBenchmark {
    private static final Profile PUBLISHED = Profile.named("published");

    @Param
    Strategy strategy = Strategy.NONE;

    @Param("10000")
    int requests;

    @Param("1")
    private long firstSeed;

    private long seed;

    /** What the runs of an iteration add up to. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Counters {
        /** The calls. */
        public long calls;

        /** The calls that were answered. */
        public long successes;

        /** The attempts. */
        public long attempts;

        /** From arrival to end, all calls together. */
        public long latencyMicros;

        /** The longest of these. */
        public long maxMicros;

        /** What all of it cost, in millionths of a call of the first model. */
        public long costMillionths;

        /** Begins an iteration. */
        @Setup(Level.Iteration)
        public void clear() {
            calls = 0;
            successes = 0;
            attempts = 0;
            latencyMicros = 0;
            maxMicros = 0;
            costMillionths = 0;
        }
    }

    /** Begins at the first seed. */
    @Setup(Level.Trial)
    public void begin(BenchmarkParams params) {
        beginAt(firstSeed - params.getWarmup().getCount());
    }

    void beginAt(long first) {
        seed = first;
    }

    /** One run. */
    @Benchmark
    public Outcome run(Counters counters) throws InterruptedException {
        Outcome result = StrategyRun.of(strategy, seed, PUBLISHED.weather(seed, requests), Slots.PROGRAM);
        seed++;
        Cells cells = Cells.of(result, result);
        counters.calls += requests;
        counters.successes += result.successes();
        counters.attempts += result.attempts();
        counters.latencyMicros += Math.round(cells.meanMs() * 1e3 * requests);
        counters.maxMicros = Math.max(counters.maxMicros, Math.round(cells.maxMs() * 1e3));
        counters.costMillionths += Math.round(result.costPerSuccess() * result.successes() * 1e6);
        return result;
    }
}
