package dev.holdfast.core;

import dev.holdfast.FailureKind;
import dev.holdfast.spi.BackoffStrategy;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How often, how long and for what a call is tried again.
 *
 * <p>An attempt is one try; attempts are numbered from 1, and {@code maxAttempts} counts the first.
 *
 * <p>Every policy has a text form that {@link #parse} reads and {@link #toString} writes, as long as its backoffs are
 * {@link Backoff}s: {@code retry(4 attempts, 8 per call, exponential(1s, x2, max 60s, jitter 0.5), deadline 2m, ...)}.
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
 *     keys: there with the same key, nowhere else
 * @param minInterval the least time from the start of one attempt of a call to the start of its next, on whatever target
 * @param kinds what is otherwise after failures of some kinds
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
        boolean onlyIfIdempotent,
        Duration minInterval,
        Map<FailureKind, KindPolicy> kinds) {
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
            false,
            Duration.ZERO,
            Map.of());
    private static final Map<String, RetryPolicy> PRESETS = presetsByName();

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
        notNegative("minInterval", minInterval);
        kinds = copyOf(kinds);
    }

    private static Map<FailureKind, KindPolicy> copyOf(Map<FailureKind, KindPolicy> kinds) {
        var copy = new EnumMap<FailureKind, KindPolicy>(FailureKind.class);
        copy.putAll(kinds);
        for (FailureKind kind : copy.keySet()) {
            if (kind.isRejection() || kind == FailureKind.CANCELLED) {
                throw new IllegalArgumentException(
                        "kinds: " + kind.wireName() + " (expected: a kind that an attempt fails with)");
            }
        }
        return Collections.unmodifiableMap(copy);
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

    /**
     * {@return for a client with several models or endpoints: leans on these rather than on waiting. 2 attempts on a target, the
     * second within 50 ms, after a rate limit within 250 ms; another model at once when a server asks for more than 250 ms;
     * waits for a breaker that is open where nothing else is left; a retry budget of 10 % and 10}
     */
    public static RetryPolicy adaptive() {
        Backoff shortly = Backoff.fixed(Duration.ofMillis(50)).withJitter(Jitter.full());
        Backoff later = Backoff.fixed(Duration.ofMillis(250)).withJitter(Jitter.equal());
        return STANDARD.withMaxAttempts(2)
                .withBackoff(shortly)
                .withKind(FailureKind.RATE_LIMITED, KindPolicy.attempts(2).withBackoff(later))
                .withFallbackIfWaitOver(Duration.ofMillis(250))
                .withWaitWhenOpen(true)
                .withBudget(new RetryBudgetPolicy(0.1, 10));
    }

    /**
     * {@return ready-made policies by name; nothing uses them until it names one}
     *
     * <p>Those of this class: {@code standard}, {@code interactive}, {@code batch}, {@code adaptive}, {@code none}. By use, as
     * articles on the matter have them: {@code layered} 4 attempts after 1 s, doubling to 60 s, ±50 %; {@code workflow} the
     * same after 2 s, up to 45 s; {@code degradation} 5 attempts after 1 s, doubling to 60 s, up to 1 s more;
     * {@code bounded} 3 attempts after 2 to 10 s; {@code backoff} 6 attempts after 1 s, doubling to 60 s, ±50 %, at least
     * 100 ms and 100 ms apart; {@code backoff-30} the same up to 30 s, ±25 %; {@code endpoints} 3 attempts after 1 and 2 s.
     */
    public static Map<String, RetryPolicy> presets() {
        return PRESETS;
    }

    private static Map<String, RetryPolicy> presetsByName() {
        Duration second = Duration.ofSeconds(1);
        Duration tenth = Duration.ofMillis(100);
        Backoff doubling = Backoff.exponential(second);
        Backoff floored = doubling.withFloor(tenth);
        return Map.ofEntries(
                Map.entry("standard", STANDARD),
                Map.entry("interactive", interactive()),
                Map.entry("batch", batch()),
                Map.entry("adaptive", adaptive()),
                Map.entry("none", none()),
                Map.entry("layered", STANDARD.withBackoff(doubling.withJitter(Jitter.proportional(0.5)))),
                Map.entry(
                        "workflow",
                        STANDARD.withBackoff(Backoff.exponential(Duration.ofSeconds(2))
                                .withMax(Duration.ofSeconds(45))
                                .withJitter(Jitter.proportional(0.5)))),
                Map.entry(
                        "degradation",
                        STANDARD.withMaxAttempts(5).withBackoff(doubling.withJitter(Jitter.additive(second)))),
                Map.entry(
                        "bounded",
                        STANDARD.withMaxAttempts(3)
                                .withBackoff(
                                        doubling.withMax(Duration.ofSeconds(10)).withFloor(Duration.ofSeconds(2)))),
                Map.entry(
                        "backoff",
                        STANDARD.withMaxAttempts(6)
                                .withBackoff(floored.withJitter(Jitter.proportional(0.5)))
                                .withMinInterval(tenth)),
                Map.entry(
                        "backoff-30",
                        STANDARD.withMaxAttempts(6)
                                .withBackoff(
                                        floored.withMax(Duration.ofSeconds(30)).withJitter(Jitter.proportional(0.25)))
                                .withMinInterval(tenth)),
                Map.entry("endpoints", STANDARD.withMaxAttempts(3).withBackoff(doubling)));
    }

    /**
     * {@return the policy that a text names}
     *
     * @param text {@code retry(...)}, or the name of one of the {@link #presets} in place of {@code retry}: {@code
     *     interactive()}. Between the brackets stands what is otherwise than in the preset, or for {@code retry} than in
     *     {@link #standard}, in any order: {@code 4 attempts}, {@code 8 per call}, a backoff, {@code deadline 2m} or
     *     {@code no deadline}, {@code max suggested delay 60s}, {@code fallback if wait over 5s}, {@code min interval 100ms},
     *     {@code budget 0.2 + 100} or {@code no budget}, {@code fallback on content_policy}, {@code no cooldowns},
     *     {@code wait when open}, {@code only if idempotent}, and a {@link KindPolicy} after a kind's name: {@code timeout
     *     never}
     * @throws IllegalArgumentException if it is none; the message says what was expected
     */
    public static RetryPolicy parse(String text) {
        return RetryPolicyText.parse(text);
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

    /**
     * {@return this policy with another interval}
     *
     * @param least the least time from the start of one attempt of a call to the start of its next; zero for none
     */
    public RetryPolicy withMinInterval(Duration least) {
        return with(draft -> draft.minInterval = least);
    }

    /**
     * {@return this policy, but for failures of one kind}
     *
     * @param kind the kind; one that an attempt fails with
     * @param otherwise what is done after it
     */
    public RetryPolicy withKind(FailureKind kind, KindPolicy otherwise) {
        var all = new EnumMap<FailureKind, KindPolicy>(FailureKind.class);
        all.putAll(kinds);
        all.put(kind, otherwise);
        return with(draft -> draft.kinds = all);
    }

    /** {@return the text form} */
    @Override
    public String toString() {
        return RetryPolicyText.of(this);
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
        private Duration minInterval;
        private Map<FailureKind, KindPolicy> kinds;

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
            minInterval = policy.minInterval;
            kinds = policy.kinds;
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
                    onlyIfIdempotent,
                    minInterval,
                    kinds);
        }
    }
}
