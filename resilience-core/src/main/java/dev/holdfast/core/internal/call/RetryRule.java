package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.core.RetryPolicy;
import java.time.Duration;
import java.util.Optional;

/** Retry: a target of the same model again, after its delay; the one that is ready first. */
final class RetryRule implements MoveRule {
    private final RetryPolicy policy;
    private final MoveRule elsewhere;

    /**
     * The rule.
     *
     * @param elsewhere where the call would go if it did not try again
     */
    RetryRule(RetryPolicy policy, MoveRule elsewhere) {
        this.policy = policy;
        this.elsewhere = elsewhere;
    }

    @Override
    public Optional<NextMove> next(CallState state) {
        int best = -1;
        for (int i = 0; i < state.candidates().size(); i++) {
            if (state.sameModel(i, state.current()) && mayRetry(state, i) && (best < 0 || isSooner(state, i, best))) {
                best = i;
            }
        }
        return best < 0 ? Optional.empty() : Optional.of(send(state, best));
    }

    private static NextMove send(CallState state, int candidate) {
        boolean suggested = state.tracks()
                .get(candidate)
                .failure()
                .flatMap(Failure::suggestedDelay)
                .isPresent();
        return new NextMove.Send(candidate, AttemptReason.RETRY, delay(state, candidate), suggested);
    }

    private boolean mayRetry(CallState state, int candidate) {
        Track track = state.tracks().get(candidate);
        Optional<Failure> failure = track.failure();
        return failure.isPresent()
                && track.rejection().isEmpty()
                && !track.refused()
                && Prospects.leavesHope(policy, state, candidate)
                && KindRules.allowsSameTarget(
                        policy, failure.get(), state.candidates().get(candidate), track)
                && timeoutAllows(state, candidate)
                && waitAllows(state, candidate, failure.get());
    }

    private boolean timeoutAllows(CallState state, int candidate) {
        Track track = state.tracks().get(candidate);
        boolean timedOut = track.failure()
                .filter(failure -> failure.kind() == FailureKind.TIMEOUT)
                .isPresent();
        boolean bounded = policy.kinds().containsKey(FailureKind.TIMEOUT)
                && policy.kinds().get(FailureKind.TIMEOUT).maxAttempts().isPresent();
        return !timedOut
                || ((bounded || track.failures(FailureKind.TIMEOUT) < 2)
                        && elsewhere.next(state).isEmpty());
    }

    private boolean waitAllows(CallState state, int candidate, Failure failure) {
        Duration suggested = failure.suggestedDelay().orElse(Duration.ZERO);
        boolean betterElsewhere = suggested.compareTo(policy.fallbackIfWaitOver()) > 0
                && elsewhere.next(state).isPresent();
        return suggested.compareTo(policy.maxSuggestedDelay()) <= 0
                && !betterElsewhere
                && delay(state, candidate).compareTo(state.untilDeadline()) < 0;
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
