package dev.holdfast.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.holdfast.core.Retry;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.testkit.ManualTimekeeper;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class RetryAllocationTest {
    private static final int CALLS = 10_000;
    /** So long the compiler may take on a busy machine until it has come to the code that is measured. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ManualTimekeeper time = new ManualTimekeeper();
    private final Callable<String> work = () -> "";

    @Test
    void goodWorkAllocatesNothing() throws Exception {
        assertThat(leastBytes(retry(RetryPolicy.standard())))
                .as("with deadline and budget")
                .isLessThan(CALLS);
        assertThat(leastBytes(retry(RetryPolicy.standard().withoutDeadline().withoutBudget())
                        .onException(e -> e instanceof IllegalStateException)
                        .onResult("bad"::equals)))
                .as("with predicates")
                .isLessThan(CALLS);
    }

    @Test
    void goodWorkReadsNoClockWithoutABoundInTime() throws Exception {
        Retry retry = retry(RetryPolicy.standard().withoutDeadline());
        long before = time.readings();
        for (int i = 0; i < 100; i++) {
            retry.call(work);
        }
        assertThat(time.readings()).isEqualTo(before);
    }

    private Retry retry(RetryPolicy policy) {
        return Retry.of(policy, time, new Random(1));
    }

    private long leastBytes(Retry retry) throws Exception {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (int round = 0; round < 20 || (least >= CALLS && System.nanoTime() - end < 0); round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                retry.call(work);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
