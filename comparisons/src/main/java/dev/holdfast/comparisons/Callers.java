package dev.holdfast.comparisons;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** So many callers, each on a thread of its own that lives as long as they do. */
final class Callers implements AutoCloseable {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final int count;
    private final ExecutorService threads;

    Callers(int count) {
        this.count = count;
        this.threads = Executors.newFixedThreadPool(count);
    }

    /** Lets each of them ask so often, all at once. */
    Slice ask(Caller caller, int times) throws InterruptedException, ExecutionException {
        long startProcessorNanos = SYSTEM.getProcessCpuTime();
        long startNanos = System.nanoTime();
        List<Future<Part>> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(threads.submit(() -> part(caller, times)));
        }
        long[] nanos = new long[count * times];
        long bytes = 0;
        int filled = 0;
        for (Future<Part> each : parts) {
            Part part = each.get();
            System.arraycopy(part.nanos, 0, nanos, filled, times);
            filled += times;
            bytes += part.bytes;
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        double processorMicros = (SYSTEM.getProcessCpuTime() - startProcessorNanos) / 1e3;
        Arrays.sort(nanos);
        return new Slice(
                nanos[nanos.length / 2] / 1e3,
                nanos.length / seconds,
                (double) bytes / nanos.length,
                processorMicros / nanos.length);
    }

    private static Part part(Caller caller, int times) throws Exception {
        var nanos = new long[times];
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < times; i++) {
            long startNanos = System.nanoTime();
            String answer = caller.ask();
            nanos[i] = System.nanoTime() - startNanos;
            if (!answer.equals(ClientContender.ANSWER)) {
                throw new IllegalStateException("answer: " + answer + " (expected: " + ClientContender.ANSWER + ")");
            }
        }
        return new Part(nanos, THREADS.getCurrentThreadAllocatedBytes() - bytes);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    @SuppressWarnings("ArrayRecordComponent") // nobody compares parts
    private record Part(long[] nanos, long bytes) {}
}
