package dev.holdfast.concurrency;

import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.RateLimiter;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.core.internal.budget.RetryBudget;
import dev.holdfast.testkit.ManualTimekeeper;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** What is asked about, made in the state in which it is asked. Time stands still while the actors act. */
final class Subjects {
    static final Duration OPEN_TIME = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final long PAUSE_NANOS = 10_000;

    private Subjects() {}

    static CircuitBreaker breaker(int failureThreshold, int maxProbes, int successThreshold) {
        return breaker(new ManualTimekeeper(), failureThreshold, maxProbes, successThreshold);
    }

    /** Opened by one failure, its open time over, no probe admitted yet. */
    static CircuitBreaker dueBreaker(int maxProbes, int successThreshold) {
        var time = new ManualTimekeeper();
        CircuitBreaker breaker = breaker(time, 1, maxProbes, successThreshold);
        permit(breaker).failed();
        time.advance(OPEN_TIME);
        return breaker;
    }

    static CircuitBreaker breaker(ManualTimekeeper time, int failureThreshold, int maxProbes, int successThreshold) {
        BreakerPolicy policy = BreakerPolicy.defaults()
                .withFailureThreshold(failureThreshold)
                .withOpenTime(OPEN_TIME)
                .withProbes(maxProbes, successThreshold);
        return CircuitBreaker.of("subject", policy, time, new Drawn(), transition -> {});
    }

    static CircuitBreaker.Permit permit(CircuitBreaker breaker) {
        return (CircuitBreaker.Permit) breaker.acquire();
    }

    static int admitted(CircuitBreaker breaker) {
        return breaker.acquire() instanceof CircuitBreaker.Permit ? 1 : 0;
    }

    static RateLimiter limiter(LimitPolicy policy) {
        return RateLimiter.of("subject", policy.withMaxWait(Duration.ZERO), new ManualTimekeeper());
    }

    static int granted(RateLimiter limiter, long tokens) {
        return limiter.tryAcquire(tokens) instanceof Granted ? 1 : 0;
    }

    /** Whether who waited has its turn, soon. */
    static boolean settled(CompletableFuture<RateLimiter.Admission> waiting) {
        return soon(waiting::isDone) && !waiting.isCompletedExceptionally() && waiting.join() instanceof Granted;
    }

    /** A place that a thread which goes may be about to give back. */
    static int grantedSoon(RateLimiter limiter) {
        return soon(() -> granted(limiter, 0) == 1) ? 1 : 0;
    }

    private static boolean soon(BooleanSupplier condition) {
        long end = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    static Reservation reservation(RateLimiter limiter, long tokens) {
        return ((Granted) limiter.tryAcquire(tokens)).reservation();
    }

    static RetryBudget budget(double ratio, int reserve) {
        return new RetryBudget(new RetryBudgetPolicy(ratio, reserve), new ManualTimekeeper());
    }

    /** Numbers the generations; two threads may draw at once. */
    private static final class Drawn implements RandomGenerator {
        private static final SplittableRandom SEEDS = new SplittableRandom(1);
        private final long seed;

        Drawn() {
            synchronized (SEEDS) {
                seed = SEEDS.nextLong();
            }
        }

        @Override
        public long nextLong() {
            return seed ^ System.nanoTime() * 0x9E3779B97F4A7C15L;
        }
    }
}
