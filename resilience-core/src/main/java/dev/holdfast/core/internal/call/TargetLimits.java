package dev.holdfast.core.internal.call;

import dev.holdfast.Failure;
import dev.holdfast.Usage;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.RateLimiter;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.core.internal.call.Candidate.Account;
import dev.holdfast.core.internal.registry.BoundedRegistry;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The limits of each account (a key and a model): requests, tokens and concurrency, reserved together. */
final class TargetLimits {
    private static final int MOST_ACCOUNTS = 10_000;

    private final BoundedRegistry<Limited, RateLimiter> byAccount;

    TargetLimits(Timekeeper timekeeper) {
        this.byAccount = new BoundedRegistry<>(
                MOST_ACCOUNTS, limited -> RateLimiter.of(limited.account().toString(), limited.policy(), timekeeper));
    }

    /** Whether the limits let an attempt through. */
    sealed interface Decision {}

    /**
     * They do not.
     *
     * @param availableIn how long until they would; empty where no one knows
     */
    record Exceeded(Optional<Duration> availableIn) implements Decision {}

    /**
     * They do, and this much was taken.
     *
     * @param reservation what was taken; empty where nothing is limited
     */
    record Reserved(Optional<Reservation> reservation) implements Decision {
        /** An answer: what it really used, or what was reserved where it does not say. */
        void settle(Optional<Usage> usage) {
            reservation.ifPresent(taken -> usage.map(Usage::total).ifPresentOrElse(taken::settle, taken::settle));
        }

        /** A failure: nothing where nothing was sent, no tokens where the provider refused, else what was reserved. */
        void settle(Failure failure) {
            reservation.ifPresent(taken -> {
                switch (failure.delivery()) {
                    case NEVER_SENT -> taken.cancel();
                    case ANSWERED -> taken.settle(0);
                    case PROBABLY_UNSENT, AMBIGUOUS -> taken.settle();
                }
            });
        }

        void giveBack() {
            reservation.ifPresent(Reservation::cancel);
        }
    }

    Decision reserve(Candidate candidate, Supplier<TokenEstimate> estimate, boolean mayWait, long deadlineNanos)
            throws InterruptedException {
        Optional<RateLimiter> limiter = of(candidate);
        if (limiter.isEmpty()) {
            return new Reserved(Optional.empty());
        }
        Duration maxWait = mayWait ? limiter.get().policy().maxWait() : Duration.ZERO;
        return switch (limiter.get().acquire(estimate.get().total(), maxWait, deadlineNanos)) {
            case RateLimiter.Granted(Reservation reservation) -> new Reserved(Optional.of(reservation));
            case RateLimiter.Refused refused -> new Exceeded(refused.availableIn());
        };
    }

    void closeFor(Candidate candidate, Duration length) {
        of(candidate).ifPresent(limiter -> limiter.closeFor(length));
    }

    private Optional<RateLimiter> of(Candidate candidate) {
        return candidate.model().limits().map(policy -> byAccount.get(new Limited(candidate.account(), policy)));
    }

    private record Limited(Account account, LimitPolicy policy) {}
}
