package dev.holdfast.benchmarks.jmh;

import dev.holdfast.benchmarks.jmh.contender.Limiter;
import dev.holdfast.benchmarks.jmh.contender.LimiterContender;
import java.util.concurrent.TimeUnit;
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

/**
 * What a rate limiter costs that grants, and one that refuses; nobody waits.
 *
 * <pre>{@code
 * ./holdfast jmh LimiterBenchmark -t 1 -prof gc
 * ./holdfast jmh LimiterBenchmark -t 2
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class LimiterBenchmark {
    private static final int MORE_THAN_ARE_ASKED_FOR = 2_000_000_000;

    /** Whose limiter. */
    @Param
    public LimiterContender contender = LimiterContender.BARE;

    private Limiter generous = Limiter.BARE;
    private Limiter usedUp = Limiter.BARE;

    /** Makes one limiter that always grants, and one that has granted all it may for the next minute. */
    @Setup(Level.Iteration)
    public void open() {
        generous = contender.open(MORE_THAN_ARE_ASKED_FOR);
        usedUp = contender.open(1);
        usedUp.tryOnce();
    }

    /** A request that is granted, and is over. */
    @Benchmark
    public boolean granted() {
        return generous.tryOnce();
    }

    /** A request that is refused. */
    @Benchmark
    public boolean refused() {
        return usedUp.tryOnce();
    }
}
