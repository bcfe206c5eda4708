package dev.holdfast.benchmarks.jmh.contender;

import dev.failsafe.Failsafe;
import dev.holdfast.core.Bulkhead;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.RateLimiter;
import dev.holdfast.core.Retry;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.helidon.faulttolerance.FaultTolerance;
import io.smallrye.faulttolerance.api.TypedGuard;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;

/**
 * Four policies around the same work, from the outside in: the retry, the breaker, the rate limiter and the bulkhead of the benchmarks of
 * each alone, each stack put together as its library has it. Nobody is refused, and nobody waits.
 */
public enum StackContender {
    BARE {
        @Override
        public Callable<Object> around(Work work, WindowKind window, int limit, int places) {
            return work;
        }
    },
    /** Its limiter reserves, and settles when the work has ended: until then it is in flight, which the others do not count. */
    HOLDFAST {
        @Override
        public Callable<Object> around(Work work, WindowKind window, int limit, int places) {
            Retry retry = RetryContender.holdfast();
            CircuitBreaker breaker = BreakerContender.holdfast(window);
            RateLimiter limiter = LimiterContender.holdfast(limit);
            Bulkhead bulkhead = BulkheadContender.holdfast(places);
            Callable<Object> housed = () -> bulkhead.call(work);
            Callable<Object> limited = () -> limiter.call(100, housed);
            Callable<Object> guarded = () -> breaker.call(limited);
            return () -> retry.call(guarded);
        }
    },
    RESILIENCE4J {
        @Override
        public Callable<Object> around(Work work, WindowKind window, int limit, int places) {
            return resilience4j(work, window, SlidingWindowSynchronizationStrategy.SYNCHRONIZED, limit, places);
        }
    },
    /** With the window that its documentation recommends for many threads. */
    RESILIENCE4J_LOCK_FREE {
        @Override
        public Callable<Object> around(Work work, WindowKind window, int limit, int places) {
            return resilience4j(work, window, SlidingWindowSynchronizationStrategy.LOCK_FREE, limit, places);
        }
    },
    FAILSAFE {
        @Override
        public Callable<Object> around(Work work, WindowKind window, int limit, int places) {
            var executor = Failsafe.with(RetryContender.failsafe())
                    .compose(BreakerContender.failsafe(window))
                    .compose(LimiterContender.failsafe(limit))
                    .compose(BulkheadContender.failsafe(places));
            return () -> executor.get(work);
        }
    },
    /** It has no rate limiter: its stack is of three policies. */
    HELIDON {
        @Override
        public Callable<Object> around(Work work, WindowKind window, int limit, int places) {
            var guard = FaultTolerance.builder() // from the inside out
                    .addBulkhead(BulkheadContender.helidon(places))
                    .addBreaker(BreakerContender.helidon(window))
                    .addRetry(RetryContender.helidon())
                    .build();
            return () -> guard.invoke(work);
        }
    },
    /** Its order is its own, and the same. */
    SMALLRYE {
        @Override
        public Callable<Object> around(Work work, WindowKind window, int limit, int places) {
            var guard = TypedGuard.create(Object.class)
                    .with(RetryContender::smallrye)
                    .with(each -> BreakerContender.smallrye(each, window))
                    .withRateLimit()
                    .limit(limit)
                    .window(1, ChronoUnit.MINUTES)
                    .done()
                    .with(each -> BulkheadContender.smallrye(each, places))
                    .build();
            return () -> guard.call(work);
        }
    };

    /**
     * {@return the work with four policies of this library around it}
     *
     * @param work what is guarded
     * @param window what the breaker looks at
     * @param limit requests a minute
     * @param places how many may be inside
     */
    public abstract Callable<Object> around(Work work, WindowKind window, int limit, int places);

    private static Callable<Object> resilience4j(
            Work work, WindowKind window, SlidingWindowSynchronizationStrategy strategy, int limit, int places) {
        var breaker = io.github.resilience4j.circuitbreaker.CircuitBreaker.of(
                "work", BreakerContender.resilience4j(window, strategy).build());
        Callable<Object> housed =
                io.github.resilience4j.bulkhead.Bulkhead.decorateCallable(BulkheadContender.resilience4j(places), work);
        Callable<Object> limited = io.github.resilience4j.ratelimiter.RateLimiter.decorateCallable(
                LimiterContender.resilience4j(limit), housed);
        return io.github.resilience4j.retry.Retry.decorateCallable(
                RetryContender.resilience4j(),
                io.github.resilience4j.circuitbreaker.CircuitBreaker.decorateCallable(breaker, limited));
    }
}
