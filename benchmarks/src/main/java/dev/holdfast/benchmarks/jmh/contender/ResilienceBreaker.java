package dev.holdfast.benchmarks.jmh.contender;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.util.concurrent.TimeUnit;

/** By hand, the attempt's duration is given as zero, so that no clock is read for it. */
final class ResilienceBreaker implements Breaker {
    private final CircuitBreaker breaker;

    ResilienceBreaker(CircuitBreakerConfig config) {
        this.breaker = CircuitBreaker.of("work", config);
    }

    @Override
    public Object call(Work work) throws Exception {
        return breaker.executeCallable(work);
    }

    @Override
    public boolean succeed() {
        boolean admitted = breaker.tryAcquirePermission();
        if (admitted) {
            breaker.onSuccess(0, TimeUnit.NANOSECONDS);
        }
        return admitted;
    }

    @Override
    public boolean fail() {
        boolean admitted = breaker.tryAcquirePermission();
        if (admitted) {
            breaker.onError(0, TimeUnit.NANOSECONDS, WorkFailedException.ONLY);
        }
        return admitted;
    }
}
