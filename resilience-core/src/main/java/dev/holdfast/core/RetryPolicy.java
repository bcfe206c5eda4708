package dev.holdfast.core;

import dev.holdfast.FailureKind;
import dev.holdfast.spi.BackoffStrategy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How often, how long and for what a call is tried again.
 *
 * <p>An attempt is one try; attempts are numbered from 1, and {@code maxAttempts} counts the first.
 *
 * @param maxAttempts the most attempts on one target, at least 1
 * @param maxAttemptsPerCall the most attempts of one call on all targets together, at least 1
 * @param backoff the delay before a retry when the server suggests none
 * @param deadline how long a call may take in all; empty for no deadline
 * @param maxSuggestedDelay the longest delay that is slept because the server asked for it; a longer one ends the target
 * @param fallbackIfWaitOver a suggested delay longer than this sends the call to another model at once, if it has one
 * @param budget what retries may add to the load of one target; empty for no bound
 * @param fallbackOn kinds that send the call to another model although they normally end it, such as
 *     {@link FailureKind#CONTENT_POLICY}
 * @param cooldowns whether a target rests after the provider said to come back later
 * @param waitWhenOpen whether a call waits for an open breaker as long as {@code maxSuggestedDelay}; otherwise no longer
 *     than {@code fallbackIfWaitOver}, and only where {@code maxAttempts} is more than 1
 * @param onlyIfIdempotent whether an attempt that was sent and lost is repeated only where the endpoint honours idempotency
 *     keys
 */
public record RetryPolicy(
        int maxAttempts,
        int maxAttemptsPerCall,
        BackoffStrategy backoff,
        Optional<Duration> deadline,
        Duration maxSuggestedDelay,
        Duration fallbackIfWaitOver,
        Optional<RetryBudgetPolicy> budget,
        Set<FailureKind> fallbackOn,
        boolean cooldowns,
        boolean waitWhenOpen,
        boolean onlyIfIdempotent) {
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final RetryPolicy STANDARD = new RetryPolicy(
            4,
            8,
            Backoff.exponential(Duration.ofSeconds(1)).withJitter(Jitter.proportional(0.5)),
            Optional.of(Duration.ofMinutes(2)),
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Optional.of(RetryBudgetPolicy.defaults()),
            Set.of(),
            true,
            false,
            false);

    /** Refuses counts below 1 and durations that are not positive. */
    public RetryPolicy {
        atLeastOne("maxAttempts", maxAttempts);
        atLeastOne("maxAttemptsPerCall", maxAttemptsPerCall);
        deadline.ifPresent(value -> {
            if (!value.isPositive() || value.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("deadline: " + value + " (expected: > 0, at most " + LONGEST + ")");
            }
        });
        notNegative("maxSuggestedDelay", maxSuggestedDelay);
        notNegative("fallbackIfWaitOver", fallbackIfWaitOver);
        fallbackOn = Set.copyOf(fallbackOn);
    }

    /**
     * {@return the default: 4 attempts on a target and 8 in all, exponential backoff from 1 s by 2 up to 60 s with ±50 %
     * jitter, a deadline of 2 minutes, suggested delays up to 60 s, a retry budget of 20 % and 100}
     */
    public static RetryPolicy standard() {
        return STANDARD;
    }

    /** {@return for when someone waits: 2 attempts on a target, a deadline of 30 s} */
    public static RetryPolicy interactive() {
        return STANDARD.withMaxAttempts(2).withDeadline(Duration.ofSeconds(30));
    }

    /** {@return for when no one waits: a deadline of 5 minutes} */
    public static RetryPolicy batch() {
        return STANDARD.withDeadline(Duration.ofMinutes(5));
    }

    /** {@return one attempt on each target; failover and fallback still work} */
    public static RetryPolicy none() {
        return STANDARD.withMaxAttempts(1);
    }

    /**
     * {@return this policy with another bound}
     *
     * @param attempts the most attempts on one target, the first included
     */
    public RetryPolicy withMaxAttempts(int attempts) {
        return with(draft -> draft.maxAttempts = attempts);
    }

    /**
     * {@return this policy with another bound}
     *
     * @param attempts the most attempts of one call on all targets together
     */
    public RetryPolicy withMaxAttemptsPerCall(int attempts) {
        return with(draft -> draft.maxAttemptsPerCall = attempts);
    }

    /**
     * {@return this policy with another backoff}
     *
     * @param strategy the delay before a retry
     */
    public RetryPolicy withBackoff(BackoffStrategy strategy) {
        return with(draft -> draft.backoff = strategy);
    }

    /**
     * {@return this policy with a deadline}
     *
     * @param length how long a call may take in all
     */
    public RetryPolicy withDeadline(Duration length) {
        return withDeadline(Optional.of(length));
    }

    /** {@return this policy without a deadline: a call may take as long as its attempts and waits do} */
    public RetryPolicy withoutDeadline() {
        return withDeadline(Optional.empty());
    }

    private RetryPolicy withDeadline(Optional<Duration> length) {
        return with(draft -> draft.deadline = length);
    }

    /**
     * {@return this policy with another ceiling}
     *
     * @param ceiling the longest suggested delay that is slept
     */
    public RetryPolicy withMaxSuggestedDelay(Duration ceiling) {
        return with(draft -> draft.maxSuggestedDelay = ceiling);
    }

    /**
     * {@return this policy with another border between short and long waits}
     *
     * @param border a longer suggested delay sends the call to another model, if it has one
     */
    public RetryPolicy withFallbackIfWaitOver(Duration border) {
        return with(draft -> draft.fallbackIfWaitOver = border);
    }

    /**
     * {@return this policy with another budget}
     *
     * @param other what retries may add to the load of one target
     */
    public RetryPolicy withBudget(RetryBudgetPolicy other) {
        return withBudget(Optional.of(other));
    }

    /** {@return this policy without a retry budget} */
    public RetryPolicy withoutBudget() {
        return withBudget(Optional.empty());
    }

    private RetryPolicy withBudget(Optional<RetryBudgetPolicy> other) {
        return with(draft -> draft.budget = other);
    }

    /**
     * {@return this policy with further kinds that lead to another model}
     *
     * @param kinds the kinds
     */
    public RetryPolicy withFallbackOn(FailureKind... kinds) {
        EnumSet<FailureKind> all = EnumSet.noneOf(FailureKind.class);
        all.addAll(fallbackOn);
        all.addAll(Set.of(kinds));
        return with(draft -> draft.fallbackOn = all);
    }

    /** {@return this policy without cooldowns: a target is tried although the provider said to come back later} */
    public RetryPolicy withoutCooldowns() {
        return with(draft -> draft.cooldowns = false);
    }

    /**
     * {@return this policy with or without waiting for an open breaker}
     *
     * @param wait whether a call waits rather than fail
     */
    public RetryPolicy withWaitWhenOpen(boolean wait) {
        return with(draft -> draft.waitWhenOpen = wait);
    }

    /**
     * {@return this policy with or without repeating what may have been executed}
     *
     * @param only whether a lost attempt is repeated only where the endpoint honours idempotency keys
     */
    public RetryPolicy withOnlyIfIdempotent(boolean only) {
        return with(draft -> draft.onlyIfIdempotent = only);
    }

    private static void atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
        }
    }

    private static void notNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 0)");
        }
    }

    private RetryPolicy with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.finish();
    }

    /** The components of a copy, open to one change. */
    private static final class Draft {
        private int maxAttempts;
        private int maxAttemptsPerCall;
        private BackoffStrategy backoff;
        private Optional<Duration> deadline;
        private Duration maxSuggestedDelay;
        private Duration fallbackIfWaitOver;
        private Optional<RetryBudgetPolicy> budget;
        private Set<FailureKind> fallbackOn;
        private boolean cooldowns;
        private boolean waitWhenOpen;
        private boolean onlyIfIdempotent;

        Draft(RetryPolicy policy) {
            maxAttempts = policy.maxAttempts;
            maxAttemptsPerCall = policy.maxAttemptsPerCall;
            backoff = policy.backoff;
            deadline = policy.deadline;
            maxSuggestedDelay = policy.maxSuggestedDelay;
            fallbackIfWaitOver = policy.fallbackIfWaitOver;
            budget = policy.budget;
            fallbackOn = policy.fallbackOn;
            cooldowns = policy.cooldowns;
            waitWhenOpen = policy.waitWhenOpen;
            onlyIfIdempotent = policy.onlyIfIdempotent;
        }

        RetryPolicy finish() {
            return new RetryPolicy(
                    maxAttempts,
                    maxAttemptsPerCall,
                    backoff,
                    deadline,
                    maxSuggestedDelay,
                    fallbackIfWaitOver,
                    budget,
                    fallbackOn,
                    cooldowns,
                    waitWhenOpen,
                    onlyIfIdempotent);
        }
    }
}
