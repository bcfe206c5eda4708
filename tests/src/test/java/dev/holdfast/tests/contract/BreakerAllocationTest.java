package dev.holdfast.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.BreakerWindow;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.testkit.ManualTimekeeper;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakerAllocationTest {
    private static final int CALLS = 10_000;
    /** So long the compiler may take on a busy machine until it has come to the code that is measured. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static volatile CircuitBreaker.Permit kept;

    @Test
    void aCallAllocatesNothingWhileTheBreakerIsClosedAndAllGoesWell() throws Exception {
        assertThat(bytesOfCalls(BreakerPolicy.defaults())).isLessThan(CALLS);
    }

    @Test
    void norDoesCountingInAWindow() throws Exception {
        assertThat(bytesOfCalls(BreakerPolicy.defaults().withWindow(BreakerWindow.ofCalls(100))))
                .isLessThan(CALLS);
        assertThat(bytesOfCalls(BreakerPolicy.defaults()
                        .withWindow(BreakerWindow.ofTime(Duration.ofSeconds(60))
                                .withSlowCalls(0.5, Duration.ofSeconds(1)))))
                .isLessThan(CALLS);
    }

    @Test
    void aPermitIsOneObject() throws Exception {
        var breaker = CircuitBreaker.of("subject", BreakerPolicy.defaults(), new ManualTimekeeper());
        assertThat(bytes(CALLS * 64L, () -> {
                    if (breaker.acquire() instanceof CircuitBreaker.Permit permit) {
                        kept = permit;
                        permit.succeeded();
                    }
                }))
                .isBetween(CALLS * 16L, CALLS * 64L);
    }

    private static long bytesOfCalls(BreakerPolicy policy) throws Exception {
        var breaker = CircuitBreaker.of("subject", policy, new ManualTimekeeper());
        return bytes(CALLS, () -> breaker.call(BreakerAllocationTest::answer));
    }

    private static long bytes(long few, Work work) throws Exception {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (int round = 0; round < 20 || (least > few && System.nanoTime() - end < 0); round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                work.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    private static String answer() {
        return "";
    }
}
