package dev.holdfast.benchmarks.jmh;

import dev.holdfast.benchmarks.jmh.contender.Breaker;
import dev.holdfast.benchmarks.jmh.contender.BreakerContender;
import dev.holdfast.benchmarks.jmh.contender.WindowKind;
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
 * What a breaker around work costs while it is closed, and while it rejects.
 *
 * <pre>{@code
 * ./holdfast jmh BreakerBenchmark -t 1 -prof gc
 * ./holdfast jmh BreakerBenchmark -t 2
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class BreakerBenchmark {
    private static final int ENOUGH_TO_OPEN = 200;

    /** Whose breaker. */
    @Param
    public BreakerContender contender = BreakerContender.BARE;

    /** What it looks at. */
    @Param
    public WindowKind window = WindowKind.CONSECUTIVE;

    private final Work work = new Work();
    private Breaker closed = Breaker.BARE;
    private Breaker open = Breaker.BARE;

    /** What a thread brings along. */
    @State(Scope.Thread)
    public static class Caller {
        private final Work alternating = new Work.Alternating();
    }

    /** Makes one breaker that stays closed, and one that is open. */
    @Setup
    public void open() {
        closed = contender.open(window);
        open = contender.open(window);
        var failing = new Work.Failing();
        for (int i = 0; i < ENOUGH_TO_OPEN; i++) {
            outcome(open, failing);
        }
    }

    /** Work that goes well. */
    @Benchmark
    public Object callSucceeds() throws Exception {
        return closed.call(work);
    }

    /** Work that fails every second time, which opens neither kind of breaker. */
    @Benchmark
    public Object callRecords(Caller caller) {
        return outcome(closed, caller.alternating);
    }

    /** Work that does not run. */
    @Benchmark
    public Object callRejected() {
        return outcome(open, work);
    }

    private static Object outcome(Breaker breaker, Work work) {
        try {
            return breaker.call(work);
        } catch (Exception e) {
            return e;
        }
    }
}
