package dev.holdfast.comparisons;

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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole call over the loopback interface: median and bytes ({@code -prof gc} counts the server's and the JDK's own threads
 * too). A machine that does other things as well drifts by more than the difference between the contenders: the
 * ratios of record come from {@link Compare}, which asks them in turn.
 *
 * <pre>{@code
 * ./holdfast jmh ClientBenchmark -prof gc
 * ./holdfast jmh ClientBenchmark -t 64 -bm thrpt -tu s
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ClientBenchmark {
    /** Whose client. */
    @Param
    public ClientContender contender = ClientContender.BARE;

    private FixedServer server = FixedServer.start(ClientContender.BODY);
    private Caller caller = () -> "";

    /** Opens the client. */
    @Setup
    public void open() {
        server.close();
        server = FixedServer.start(ClientContender.BODY);
        caller = contender.open(server);
    }

    /** Closes it. */
    @TearDown
    public void close() {
        caller.close();
        server.close();
    }

    /** One question, one answer. */
    @Benchmark
    public String call() throws Exception {
        return caller.ask();
    }
}
