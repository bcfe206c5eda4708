package dev.holdfast.benchmarks.jmh;

import dev.holdfast.benchmarks.jmh.contender.StackContender;
import dev.holdfast.benchmarks.jmh.contender.WindowKind;
import dev.holdfast.benchmarks.jmh.contender.Work;
import java.util.concurrent.Callable;
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
 * What retry, breaker, rate limiter and bulkhead around the same work cost together, while all goes well and nobody is refused.
 *
 * <pre>{@code
 * ./holdfast jmh StackBenchmark -t 1 -prof gc
 * ./holdfast jmh StackBenchmark -t 2
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class StackBenchmark {
    private static final int MORE_THAN_ARE_ASKED_FOR = 2_000_000_000;
    private static final int ROOM = 64;

    /** Whose policies. */
    @Param
    public StackContender contender = StackContender.BARE;

    /** What the breaker looks at. */
    @Param
    public WindowKind window = WindowKind.CONSECUTIVE;

    private final Work work = new Work();
    private Callable<Object> guarded = work;

    /** Puts the stack together. */
    @Setup(Level.Iteration)
    public void open() {
        guarded = contender.around(work, window, MORE_THAN_ARE_ASKED_FOR, ROOM);
    }

    /** Work that all four let through, and that goes well. */
    @Benchmark
    public Object success() throws Exception {
        return guarded.call();
    }
}
