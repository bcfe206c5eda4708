package dev.holdfast.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.testkit.ManualTimekeeper;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class BreakerAllocationTest {
    private static final int CALLS = 10_000;

    @Test
    void aCallAllocatesNothingWhileTheBreakerIsClosedAndAllGoesWell() throws Exception {
        var breaker = CircuitBreaker.of("subject", BreakerPolicy.defaults(), new ManualTimekeeper());
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                breaker.call(BreakerAllocationTest::answer);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes of %s calls", CALLS).isLessThan(CALLS);
    }

    private static String answer() {
        return "";
    }
}
