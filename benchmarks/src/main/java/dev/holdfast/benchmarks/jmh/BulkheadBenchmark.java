package dev.holdfast.benchmarks.jmh;

import dev.holdfast.benchmarks.jmh.contender.BulkheadContender;
import dev.holdfast.benchmarks.jmh.contender.Guard;
import dev.holdfast.benchmarks.jmh.contender.Work;
import java.util.concurrent.CountDownLatch;
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
 * What a bulkhead around work costs, with room for everybody and with room for nobody; nobody waits.
 *
 * <pre>{@code
 * ./holdfast jmh BulkheadBenchmark -t 1 -prof gc
 * ./holdfast jmh BulkheadBenchmark -t 2
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class BulkheadBenchmark {
    private static final int ROOM = 64;

    /** Whose bulkhead. */
    @Param
    public BulkheadContender contender = BulkheadContender.BARE;

    private final Work work = new Work();
    private Guard roomy = BulkheadContender.BARE.open(ROOM);
    private Guard full = BulkheadContender.BARE.open(ROOM);

    /** Makes one bulkhead with room, and one whose only place is taken by a thread that stays. */
    @Setup
    public void open() throws InterruptedException {
        roomy = contender.open(ROOM);
        full = contender.open(1);
        Guard taken = full;
        var inside = new CountDownLatch(1);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                taken.call(new Work.Staying(inside));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        inside.await();
    }

    /** Work that finds room. */
    @Benchmark
    public Object callSucceeds() throws Exception {
        return roomy.call(work);
    }

    /** Work that does not run. */
    @Benchmark
    public Object callRejected() {
        try {
            return full.call(work);
        } catch (Exception e) {
            return e;
        }
    }
}
