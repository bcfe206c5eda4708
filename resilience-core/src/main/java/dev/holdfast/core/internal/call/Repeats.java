package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.core.RetryPolicy;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.IntPredicate;

/** Whether and when a candidate that failed may be tried again: what going back to it and staying with it have in common. */
final class Repeats {
    private final RetryPolicy policy;

    Repeats(RetryPolicy policy) {
        this.policy = policy;
    }

    /** The candidate that is ready first of those that may be tried again. */
    OptionalInt soonest(CallState state, IntPredicate eligible) {
        int best = -1;
        for (int i = 0; i < state.candidates().size(); i++) {
            if (eligible.test(i) && mayRepeat(state, i) && (best < 0 || isSooner(state, i, best))) {
                best = i;
            }
        }
        return best < 0 ? OptionalInt.empty() : OptionalInt.of(best);
    }

    /** The attempt, as soon as it may be. */
    static NextMove again(CallState state, int candidate) {
        boolean suggested = state.tracks()
                .get(candidate)
                .failure()
                .flatMap(Failure::suggestedDelay)
                .isPresent();
        return new NextMove.Send(candidate, AttemptReason.RETRY, delay(state, candidate), suggested);
    }

    private boolean mayRepeat(CallState state, int candidate) {
        Track track = state.tracks().get(candidate);
        return track.failure().isPresent()
                && track.rejection().isEmpty()
                && !track.refused()
                && Prospects.leavesHope(policy, state, candidate)
                && KindRules.allowsSameTarget(
                        policy, track.failure().get(), state.candidates().get(candidate), track)
                && timeoutAllows(track)
                && suggested(track).compareTo(policy.maxSuggestedDelay()) <= 0
                && delay(state, candidate).compareTo(state.untilDeadline()) < 0;
    }

    /** A target that timed out is tried once more at most, unless the policy bounds that kind itself. */
    private boolean timeoutAllows(Track track) {
        boolean bounded = policy.kinds().containsKey(FailureKind.TIMEOUT)
                && policy.kinds().get(FailureKind.TIMEOUT).maxAttempts().isPresent();
        return !timedOut(track) || bounded || track.failures(FailureKind.TIMEOUT) < 2;
    }

    static boolean timedOut(Track track) {
        return track.failure()
                .filter(failure -> failure.kind() == FailureKind.TIMEOUT)
                .isPresent();
    }

    static Duration suggested(Track track) {
        return track.failure().flatMap(Failure::suggestedDelay).orElse(Duration.ZERO);
    }

    private static boolean isSooner(CallState state, int candidate, int than) {
        return delay(state, candidate).compareTo(delay(state, than)) < 0;
    }

    /** What is left of the delay, counted from the failure. */
    private static Duration delay(CallState state, int candidate) {
        Track track = state.tracks().get(candidate);
        Duration passed = Duration.ofNanos(state.nowNanos() - track.failedAtNanos());
        Duration left = track.retryDelay().minus(passed);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
