package dev.holdfast.core.internal.call;

import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.Priority;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Usage;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.RateLimiter;
import dev.holdfast.core.RateLimiter.Reservation;
import dev.holdfast.core.internal.call.Candidate.Account;
import dev.holdfast.core.internal.call.TokenGuesses.Guess;
import dev.holdfast.core.internal.registry.BoundedRegistry;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The limits of each account: requests and tokens of a key and a model family, and attempts in flight of a target, reserved
 * together. A model without a family has one limiter for all of it; the models of a family share the one of their rates, and
 * each has a place in flight first, so that no grant of a rate grows old while it waits for one.
 */
final class TargetLimits {
    private static final int MOST_ACCOUNTS = 10_000;

    private final BoundedRegistry<Limited, RateLimiter> limiters;
    private final Map<String, LimitPolicy> ratesOfFamilies = new HashMap<>();
    private final Map<String, ModelSettings> models = new HashMap<>();
    private TokenGuesses guesses = new TokenGuesses(MOST_ACCOUNTS);

    TargetLimits(Collection<ModelSettings> models, Timekeeper timekeeper) {
        this.limiters = new BoundedRegistry<>(
                MOST_ACCOUNTS, limited -> RateLimiter.of(limited.account().toString(), limited.policy(), timekeeper));
        models.forEach(model -> model.family()
                .ifPresent(family ->
                        model.limits().ifPresent(limits -> ratesOfFamilies.put(family, limits.withoutConcurrency()))));
        models.forEach(model -> this.models.put(model.name(), model));
    }

    /** Goes on with what was granted under an earlier client's limits: what counted then counts now, also where a limit changed. */
    void continueFrom(TargetLimits earlier) {
        guesses = earlier.guesses;
        earlier.limiters
                .snapshot()
                .forEach((limited, limiter) -> policyOf(limited.account(), limiter.policy())
                        .ifPresent(policy -> {
                            if (!policy.equals(limiter.policy())) {
                                limiter.change(policy);
                            }
                            limiters.adopt(new Limited(limited.account(), policy), limiter);
                        }));
    }

    /** What an account is limited to now: a family's rates, a member's places in flight, or all of a model's. */
    private Optional<LimitPolicy> policyOf(Account account, LimitPolicy before) {
        String name = account.target().model();
        boolean places = before.equals(before.withoutRates());
        LimitPolicy ofFamily = ratesOfFamilies.get(name);
        if (ofFamily != null && !places) {
            return Optional.of(ofFamily);
        }
        ModelSettings model = models.get(name);
        if (model == null) {
            return Optional.empty();
        }
        if (model.family().isEmpty()) {
            return model.limits();
        }
        return places ? model.limits().map(LimitPolicy::withoutRates) : Optional.empty();
    }

    /**
     * What an attempt asks for.
     *
     * @param estimate the tokens; asked only where something is limited
     * @param capped whether the request caps its output
     * @param priority who may pass whom
     * @param mayWait whether it may wait
     * @param deadlineNanos until when
     * @param queued is told when it begins to wait, and for how long if that is known
     */
    record Wish(
            Supplier<TokenEstimate> estimate,
            boolean capped,
            Priority priority,
            boolean mayWait,
            long deadlineNanos,
            Consumer<Optional<Duration>> queued) {}

    /** Whether the limits let an attempt through. */
    sealed interface Decision {}

    /**
     * They do not.
     *
     * @param availableIn how long until they would; empty where no one knows
     * @param mayBeAwaited whether a call may wait for that, once it has nowhere else to go
     */
    record Exceeded(Optional<Duration> availableIn, boolean mayBeAwaited) implements Decision {}

    /**
     * They do, and this much was taken. It ends once: {@link #settle} or {@link #giveBack}.
     *
     * @param place the place in flight; empty where it is counted with the rates, or not at all
     * @param rates the request and its tokens; empty where nothing is limited
     */
    record Reserved(Optional<Taken> place, Optional<Taken> rates) implements Decision {
        static final Reserved NOTHING = new Reserved(Optional.empty(), Optional.empty());

        /** What the headers said, before the end. */
        void heard(RateLimitSnapshot snapshot) {
            rates.ifPresent(taken -> taken.reservation.heard(snapshot));
        }

        /** An answer: what it really used, or what was reserved where it does not say. */
        void settle(Optional<Usage> usage) {
            each(taken -> {
                taken.reservation.answered();
                taken.settle(usage);
            });
        }

        /**
         * A failure: nothing where nothing was sent, no tokens where the provider refused, else what was reserved. A rate limit
         * closes the window for as long as the provider says.
         */
        void settle(Failure failure) {
            boolean limited = failure.kind() == FailureKind.RATE_LIMITED && failure.scope() != FailureScope.REQUEST;
            if (limited) {
                failure.suggestedDelay()
                        .map(Cooldowns::bounded)
                        .ifPresent(delay -> rates.ifPresent(taken -> taken.limiter.closeFor(delay)));
            }
            each(taken -> {
                if (limited || failure.kind() == FailureKind.OVERLOADED || failure.kind() == FailureKind.TIMEOUT) {
                    taken.reservation.overloaded();
                }
                switch (failure.delivery()) {
                    case NEVER_SENT -> taken.reservation.cancel();
                    case ANSWERED -> taken.reservation.settle(0);
                    case PROBABLY_UNSENT, AMBIGUOUS -> taken.reservation.settle();
                }
            });
        }

        /** Cut on its way: what was reserved may have been used. */
        void settleAsReserved() {
            each(taken -> taken.reservation.settle());
        }

        void giveBack() {
            each(taken -> taken.reservation.cancel());
        }

        private void each(Consumer<Taken> action) {
            rates.ifPresent(action);
            place.ifPresent(action);
        }
    }

    /**
     * What was taken from one limiter.
     *
     * @param guess what was reserved for which guess; empty where it was reserved as it is
     */
    record Taken(RateLimiter limiter, Reservation reservation, Optional<Guess> guess) {
        /** Where input is limited on its own, what came from the vendor's prompt cache does not count. */
        private void settle(Optional<Usage> usage) {
            guess.ifPresent(made -> usage.ifPresent(made::learn));
            boolean apart = limiter.policy().inputTpm().isPresent();
            usage.ifPresentOrElse(
                    used -> reservation.settle(
                            apart ? used.input() + used.cacheWrite() : used.totalInput(), used.output()),
                    reservation::settle);
        }
    }

    Decision reserve(Candidate candidate, Wish wish) throws InterruptedException {
        Optional<RateLimiter> rates = rates(candidate);
        Optional<RateLimiter> places = places(candidate);
        if (rates.isEmpty() && places.isEmpty()) {
            return Reserved.NOTHING;
        }
        if (places.isEmpty()) {
            return reserve(candidate, rates.get(), Optional.empty(), wish);
        }
        Decision place = reserve(candidate, places.get(), Optional.empty(), wish);
        return rates.isPresent() && place instanceof Reserved reserved
                ? reserve(candidate, rates.get(), reserved.rates(), wish)
                : place;
    }

    private Decision reserve(Candidate candidate, RateLimiter limiter, Optional<Taken> place, Wish wish)
            throws InterruptedException {
        boolean ended = false;
        try {
            Decision decision = acquire(limiter, place, wish, guess(candidate, limiter.policy(), wish));
            ended = decision instanceof Reserved;
            return decision;
        } finally {
            if (!ended) {
                place.ifPresent(taken -> taken.reservation.cancel());
            }
        }
    }

    private Optional<Guess> guess(Candidate candidate, LimitPolicy policy, Wish wish) {
        return policy.calibration() && policy.limitsTokens()
                ? Optional.of(guesses.of(candidate.target(), wish.estimate.get(), wish.capped, policy))
                : Optional.empty();
    }

    private static Decision acquire(RateLimiter limiter, Optional<Taken> place, Wish wish, Optional<Guess> guess)
            throws InterruptedException {
        Duration maxWait = wish.mayWait ? limiter.policy().maxWait() : Duration.ZERO;
        return switch (limiter.acquire(
                guess.map(Guess::reserved).orElseGet(wish.estimate),
                wish.priority,
                maxWait,
                wish.deadlineNanos,
                refused -> wish.queued.accept(refused.availableIn()))) {
            case RateLimiter.Granted(Reservation reservation) ->
                new Reserved(place, Optional.of(new Taken(limiter, reservation, guess)));
            case RateLimiter.Refused refused ->
                new Exceeded(refused.availableIn(), limiter.policy().maxWait().isPositive());
        };
    }

    boolean isLimited(Candidate candidate) {
        return candidate.model().limits().isPresent()
                || candidate.model().family().map(ratesOfFamilies::containsKey).orElse(false);
    }

    private Optional<RateLimiter> rates(Candidate candidate) {
        Optional<LimitPolicy> policy = candidate
                .model()
                .family()
                .map(family -> Optional.ofNullable(ratesOfFamilies.get(family)))
                .orElse(candidate.model().limits());
        return policy.map(limits -> limiters.get(new Limited(candidate.pool(), limits)));
    }

    /** Where rates are shared by a family, attempts in flight are still each target's own. */
    private Optional<RateLimiter> places(Candidate candidate) {
        return candidate
                .model()
                .limits()
                .filter(limits -> candidate.model().family().isPresent())
                .filter(limits ->
                        limits.concurrency().isPresent() || limits.adaptive().isPresent())
                .map(limits -> limiters.get(new Limited(candidate.account(), limits.withoutRates())));
    }

    private record Limited(Account account, LimitPolicy policy) {}
}
