package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Priority;
import dev.holdfast.core.RateLimiter.Admission;
import dev.holdfast.core.RateLimiter.Cause;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Refused;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.time.Duration;
import java.util.Optional;

/** What a limiter grants and refuses. */
final class Reservations {
    private Reservations() {}

    static Admission tryAcquire(RateLimiter limiter, long input, long output) {
        return limiter.tryAcquire(new TokenEstimate(input, output), Priority.INTERACTIVE);
    }

    static Reservation reserve(RateLimiter limiter, long tokens) {
        return granted(limiter.tryAcquire(tokens));
    }

    static Reservation reserve(RateLimiter limiter, long input, long output) {
        return granted(tryAcquire(limiter, input, output));
    }

    private static Reservation granted(Admission admission) {
        assertThat(admission).isInstanceOf(Granted.class);
        return ((Granted) admission).reservation();
    }

    static Refused refused(Duration availableIn) {
        return new Refused(Cause.RATE, Optional.of(availableIn));
    }
}
