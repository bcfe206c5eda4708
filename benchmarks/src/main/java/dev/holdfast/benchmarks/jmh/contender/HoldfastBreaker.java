package dev.holdfast.benchmarks.jmh.contender;

import dev.holdfast.core.CircuitBreaker;

record HoldfastBreaker(CircuitBreaker breaker) implements Breaker {
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
