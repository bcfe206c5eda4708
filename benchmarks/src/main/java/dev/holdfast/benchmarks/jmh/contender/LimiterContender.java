package dev.holdfast.benchmarks.jmh.contender;

import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.RateLimiter;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.spi.Timekeeper;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * Limiters of so many requests a minute that do not wait. Their promises differ: Holdfast's holds for any minute one looks
 * at; Resilience4j's and Failsafe's for minutes of a fixed grid, so that twice the limit can pass within one minute across a
 * border; bucket4j's bucket lets the limit and a refill of the same size pass in one minute.
 */
public enum LimiterContender {
    BARE(limit -> Limiter.BARE),
    /** Takes for good, as the others do: there is nothing to settle. */
    HOLDFAST(LimiterContender::takenForGood),
    /** Reserves, and settles afterwards with what was used, which none of the others can. */
    HOLDFAST_SETTLED(limit -> settled(LimitPolicy.defaults().withRpm(limit))),
    /** The same with a token limit beside, reserved and settled together. */
    HOLDFAST_TOKENS(limit -> settled(LimitPolicy.perMinute(limit, limit * 500L))),
    RESILIENCE4J(limit -> resilience4j(limit)::acquirePermission),
    FAILSAFE(limit -> failsafe(limit)::tryAcquirePermit),
    BUCKET4J(LimiterContender::bucket4j);

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final IntFunction<Limiter> maker;

    LimiterContender(IntFunction<Limiter> maker) {
        this.maker = maker;
    }

    /**
     * {@return a limiter of this library}
     *
     * @param limit requests a minute
     */
    public Limiter open(int limit) {
        return maker.apply(limit);
    }

    private static Limiter takenForGood(int limit) {
        RateLimiter limiter = holdfast(limit);
        return () -> limiter.tryTake(100).isEmpty();
    }

    static RateLimiter holdfast(int limit) {
        return holdfast(LimitPolicy.defaults().withRpm(limit));
    }

    private static RateLimiter holdfast(LimitPolicy policy) {
        return RateLimiter.of("work", policy.withMaxWait(Duration.ZERO), Timekeeper.system());
    }

    private static Limiter settled(LimitPolicy policy) {
        RateLimiter limiter = holdfast(policy);
        return () -> {
            if (limiter.tryAcquire(100) instanceof Granted(Reservation reservation)) {
                reservation.settle(90);
                return true;
            }
            return false;
        };
    }

    static io.github.resilience4j.ratelimiter.RateLimiter resilience4j(int limit) {
        return io.github.resilience4j.ratelimiter.RateLimiter.of(
                "work",
                RateLimiterConfig.custom()
                        .limitForPeriod(limit)
                        .limitRefreshPeriod(Duration.ofMinutes(1))
                        .timeoutDuration(Duration.ZERO)
                        .build());
    }

    static dev.failsafe.RateLimiter<Object> failsafe(int limit) {
        return dev.failsafe.RateLimiter.burstyBuilder(limit, Duration.ofMinutes(1))
                .build();
    }

    private static Limiter bucket4j(int limit) {
        var bucket = Bucket.builder()
                .addLimit(each -> each.capacity(limit).refillGreedy(limit, Duration.ofMinutes(1)))
                .withNanosecondPrecision()
                .build();
        return () -> bucket.tryConsume(1);
    }
}
