package dev.holdfast.benchmarks.jmh;

import dev.holdfast.benchmarks.jmh.contender.Breaker;
import dev.holdfast.benchmarks.jmh.contender.BreakerContender;
import dev.holdfast.benchmarks.jmh.contender.WindowKind;
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
 * What a breaker's permits by hand cost while it is closed, and while it rejects. Helidon and SmallRye have none.
 *
 * <pre>{@code
 * ./holdfast jmh BreakerPermitBenchmark -t 1 -prof gc
 * ./holdfast jmh BreakerPermitBenchmark -t 2
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class BreakerPermitBenchmark {
    private static final int ENOUGH_TO_OPEN = 200;

    /** Whose breaker. */
    @Param({"BARE", "HOLDFAST", "RESILIENCE4J", "RESILIENCE4J_LOCK_FREE", "FAILSAFE"})
    public BreakerContender contender = BreakerContender.BARE;

    /** What it looks at. */
    @Param
    public WindowKind window = WindowKind.CONSECUTIVE;

    private Breaker closed = Breaker.BARE;
    private Breaker open = Breaker.BARE;

    /** What a thread brings along. */
    @State(Scope.Thread)
    public static class Caller {
        private boolean fails;
    }

    /** Makes one breaker that stays closed, and one that is open. */
    @Setup
    public void open() {
        closed = contender.open(window);
        open = contender.open(window);
        for (int i = 0; i < ENOUGH_TO_OPEN; i++) {
            open.fail();
        }
    }

    /** A permit, and a success. */
    @Benchmark
    public boolean succeeds() {
        return closed.succeed();
    }

    /** A permit, and every second time a failure. */
    @Benchmark
    public boolean records(Caller caller) {
        caller.fails = !caller.fails;
        return caller.fails ? closed.fail() : closed.succeed();
    }

    /** No permit. */
    @Benchmark
    public boolean rejected() {
        return open.succeed();
    }
}
