package dev.holdfast.benchmarks.jmh.contender;

import dev.failsafe.CircuitBreakerBuilder;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.BreakerWindow;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.spi.Timekeeper;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.smallrye.faulttolerance.api.TypedGuard;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;

/** Breakers that open for an hour. Every exception is a failure, and no slow call is. */
public enum BreakerContender {
    BARE(window -> Breaker.BARE),
    HOLDFAST(window -> new HoldfastBreaker(holdfast(window))),
    RESILIENCE4J(window -> new ResilienceBreaker(resilience4j(window, SlidingWindowSynchronizationStrategy.SYNCHRONIZED)
            .build())),
    /** With the window that its documentation recommends for many threads. */
    RESILIENCE4J_LOCK_FREE(window -> new ResilienceBreaker(
            resilience4j(window, SlidingWindowSynchronizationStrategy.LOCK_FREE).build())),
    /** Whose rejections carry no stack trace. */
    RESILIENCE4J_TRACELESS(
            window -> new ResilienceBreaker(resilience4j(window, SlidingWindowSynchronizationStrategy.SYNCHRONIZED)
                    .writableStackTraceEnabled(false)
                    .build())),
    FAILSAFE(window -> new FailsafeBreaker(failsafe(window))),
    /** Its breaker has no permits by hand. */
    HELIDON(window -> around(helidon(window)::invoke)),
    /** Its breaker has no permits by hand. */
    SMALLRYE(window -> around(TypedGuard.create(Object.class)
            .with(guard -> smallrye(guard, window))
            .build()::call));

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Function<WindowKind, Breaker> maker;

    BreakerContender(Function<WindowKind, Breaker> maker) {
        this.maker = maker;
    }

    /** {@return a breaker of this library, closed} */
    public Breaker open(WindowKind window) {
        return maker.apply(window);
    }

    private static Breaker around(Guard guard) {
        return guard::call;
    }

    static CircuitBreaker holdfast(WindowKind window) {
        BreakerPolicy policy =
                BreakerPolicy.defaults().withGrowth(1, Duration.ofHours(1)).withOpenTime(Duration.ofHours(1));
        BreakerPolicy judging = window == WindowKind.CONSECUTIVE
                ? policy.withFailureThreshold(window.size())
                : policy.withWindow(BreakerWindow.ofCalls(window.size())
                        .withMinimumCalls(window.size())
                        .withFailureRate(window.percent() / 100.0));
        return CircuitBreaker.of("work", judging, Timekeeper.system());
    }

    static CircuitBreakerConfig.Builder resilience4j(WindowKind window, SlidingWindowSynchronizationStrategy strategy) {
        return CircuitBreakerConfig.custom()
                .slidingWindow(window.size(), window.size(), SlidingWindowType.COUNT_BASED, strategy)
                .failureRateThreshold(window.percent())
                .slowCallDurationThreshold(Duration.ofHours(1))
                .waitDurationInOpenState(Duration.ofHours(1));
    }

    static dev.failsafe.CircuitBreaker<Object> failsafe(WindowKind window) {
        CircuitBreakerBuilder<Object> builder =
                dev.failsafe.CircuitBreaker.builder().withDelay(Duration.ofHours(1));
        return (window == WindowKind.CONSECUTIVE
                        ? builder.withFailureThreshold(window.size())
                        : builder.withFailureThreshold(window.percent(), window.size()))
                .build();
    }

    static io.helidon.faulttolerance.CircuitBreaker helidon(WindowKind window) {
        return io.helidon.faulttolerance.CircuitBreaker.builder()
                .name("work")
                .volume(window.size())
                .errorRatio(window.percent())
                .delay(Duration.ofHours(1))
                .build();
    }

    static void smallrye(TypedGuard.Builder<Object> guard, WindowKind window) {
        guard.withCircuitBreaker()
                .requestVolumeThreshold(window.size())
                .failureRatio(window.percent() / 100.0)
                .delay(1, ChronoUnit.HOURS)
                .done();
    }
}
