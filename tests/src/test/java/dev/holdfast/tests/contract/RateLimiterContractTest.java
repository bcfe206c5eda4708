package dev.holdfast.tests.contract;

import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.RateLimiter;
import dev.holdfast.core.RateLimiter.Granted;
import dev.holdfast.core.RateLimiter.Refused;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.testkit.LimiterContract;
import java.util.Optional;

class RateLimiterContractTest extends LimiterContract {
    @Override
    protected Subject create(Settings settings, Timekeeper time) {
        LimitPolicy policy = LimitPolicy.defaults();
        policy = settings.requests().isPresent()
                ? policy.withRpm(settings.requests().getAsLong())
                : policy;
        policy =
                settings.tokens().isPresent() ? policy.withTpm(settings.tokens().getAsLong()) : policy;
        policy = settings.concurrency().isPresent()
                ? policy.withConcurrency(settings.concurrency().getAsInt())
                : policy;
        var limiter = RateLimiter.of("subject", policy, time);
        return (tokens, maxWait) -> switch (limiter.acquire(tokens, maxWait)) {
            case Granted(Reservation reservation) ->
                new Answer(Optional.of(new AdaptedGrant(reservation)), Optional.empty());
            case Refused refused -> new Answer(Optional.empty(), refused.availableIn());
        };
    }

    private record AdaptedGrant(Reservation reservation) implements Grant {
        @Override
        public void settle(long actualTokens) {
            reservation.settle(actualTokens);
        }

        @Override
        public void cancel() {
            reservation.cancel();
        }
    }
}
