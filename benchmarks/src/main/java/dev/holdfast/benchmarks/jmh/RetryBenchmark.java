package dev.holdfast.benchmarks.jmh;

import dev.holdfast.benchmarks.jmh.contender.Guard;
import dev.holdfast.benchmarks.jmh.contender.RetryContender;
import dev.holdfast.benchmarks.jmh.contender.Work;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a retry costs while all goes well, which is nearly always.
 *
 * <pre>{@code ./holdfast jmh RetryBenchmark -prof gc}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class RetryBenchmark {
    /** Whose retry. */
    @Param
    public RetryContender contender = RetryContender.BARE;

    private final Work work = new Work();
    private Guard guard = RetryContender.BARE.open();

    /** Makes the retry. */
    @Setup
    public void open() {
        guard = contender.open();
    }

    /** Work that goes well at once. */
    @Benchmark
    public Object success() throws Exception {
        return guard.call(work);
    }
}
