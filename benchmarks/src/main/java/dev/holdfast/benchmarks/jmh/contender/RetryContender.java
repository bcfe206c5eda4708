package dev.holdfast.benchmarks.jmh.contender;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicyBuilder;
import dev.holdfast.core.Retry;
import dev.holdfast.core.RetryPolicy;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.RetryConfig;
import io.smallrye.faulttolerance.api.TypedGuard;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;

/**
 * Retries of at most 4 attempts, a second apart, twice as long each time up to a minute, half of it jitter; each exception is
 * tried again. Nobody has a deadline or a budget but where the name says so.
 */
public enum RetryContender {
    BARE(() -> Work::call),
    HOLDFAST(() -> holdfast()::call),
    /** With the budget that the policy comes with; nobody else has one. */
    HOLDFAST_BUDGET(() -> Retry.of(RetryPolicy.standard().withoutDeadline())::call),
    /** With budget and deadline, as it comes; the deadline reads the clock once. */
    HOLDFAST_STANDARD(() -> Retry.of(RetryPolicy.standard())::call),
    RESILIENCE4J(() -> resilience4j()::executeCallable),
    FAILSAFE(() -> Failsafe.with(failsafe())::get),
    HELIDON(() -> helidon()::invoke),
    SMALLRYE(
            () -> TypedGuard.create(Object.class).with(RetryContender::smallrye).build()::call);

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Supplier<Guard> maker;

    RetryContender(Supplier<Guard> maker) {
        this.maker = maker;
    }

    /** {@return a retry of this library} */
    public Guard open() {
        return maker.get();
    }

    static Retry holdfast() {
        return Retry.of(RetryPolicy.standard().withoutDeadline().withoutBudget());
    }

    static io.github.resilience4j.retry.Retry resilience4j() {
        var config = RetryConfig.custom()
                .maxAttempts(4)
                .intervalFunction(IntervalFunction.ofExponentialRandomBackoff(
                        Duration.ofSeconds(1), 2, 0.5, Duration.ofSeconds(60)))
                .build();
        return io.github.resilience4j.retry.Retry.of("work", config);
    }

    static dev.failsafe.RetryPolicy<Object> failsafe() {
        RetryPolicyBuilder<Object> builder = dev.failsafe.RetryPolicy.builder();
        return builder.withMaxAttempts(4)
                .withBackoff(Duration.ofSeconds(1), Duration.ofSeconds(60), 2)
                .withJitter(0.5)
                .build();
    }

    static io.helidon.faulttolerance.Retry helidon() {
        return io.helidon.faulttolerance.Retry.builder()
                .name("work")
                .calls(4)
                .delay(Duration.ofSeconds(1))
                .delayFactor(2)
                .jitter(Duration.ZERO) // it has either a factor or jitter
                .overallTimeout(Duration.ofDays(1)) // it always has one
                .build();
    }

    static void smallrye(TypedGuard.Builder<Object> guard) {
        guard.withRetry()
                .maxRetries(3)
                .maxDuration(0, ChronoUnit.SECONDS)
                .delay(1, ChronoUnit.SECONDS)
                .jitter(500, ChronoUnit.MILLIS)
                .withExponentialBackoff()
                .factor(2)
                .maxDelay(60, ChronoUnit.SECONDS)
                .done()
                .done();
    }
}
