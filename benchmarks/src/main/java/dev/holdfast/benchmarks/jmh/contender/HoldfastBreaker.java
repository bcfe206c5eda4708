package dev.holdfast.benchmarks.jmh.contender;

import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.CircuitBreaker;
import java.time.Duration;

record HoldfastBreaker(CircuitBreaker breaker) implements Breaker {
    static BreakerPolicy policy(WindowKind window, BreakerPolicy defaults) {
        return defaults.withFailureThreshold(window.size())
                .withGrowth(1, Duration.ofHours(1))
                .withOpenTime(Duration.ofHours(1));
    }

    @Override
    public Object call(Work work) throws Exception {
        return breaker.call(work);
    }

    @Override
    public boolean succeed() {
        if (breaker.acquire() instanceof CircuitBreaker.Permit permit) {
            permit.succeeded();
            return true;
        }
        return false;
    }

    @Override
    public boolean fail() {
        if (breaker.acquire() instanceof CircuitBreaker.Permit permit) {
            permit.failed();
            return true;
        }
        return false;
    }
}
