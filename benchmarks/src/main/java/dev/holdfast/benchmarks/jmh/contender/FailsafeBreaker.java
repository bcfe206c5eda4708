package dev.holdfast.benchmarks.jmh.contender;

import dev.failsafe.CircuitBreaker;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;

record FailsafeBreaker(CircuitBreaker<Object> breaker, FailsafeExecutor<Object> executor) implements Breaker {
    FailsafeBreaker(CircuitBreaker<Object> breaker) {
        this(breaker, Failsafe.with(breaker));
    }

    @Override
    public Object call(Work work) {
        return executor.get(work);
    }

    @Override
    public boolean succeed() {
        boolean admitted = breaker.tryAcquirePermit();
        if (admitted) {
            breaker.recordSuccess();
        }
        return admitted;
    }

    @Override
    public boolean fail() {
        boolean admitted = breaker.tryAcquirePermit();
        if (admitted) {
            breaker.recordFailure();
        }
        return admitted;
    }
}
