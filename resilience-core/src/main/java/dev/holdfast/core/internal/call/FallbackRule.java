package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.FailureKind;
import dev.holdfast.core.RetryPolicy;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Fallback: the next model of the route that has not been tried, at once. After a timeout a model that answers sooner comes first;
 * an endpoint that could not be reached comes last.
 */
final class FallbackRule implements MoveRule {
    private final RetryPolicy policy;

    FallbackRule(RetryPolicy policy) {
        this.policy = policy;
    }

    @Override
    public Optional<NextMove> next(CallState state) {
        if (!lastOutcomeAllows(state)) {
            return Optional.empty();
        }
        IntPredicate reachable = i -> Prospects.isReachable(state, i);
        return first(state, reachable.and(i -> isFaster(state, i)))
                .or(() -> first(state, reachable))
                .or(() -> first(state, i -> true));
    }

    private static Optional<NextMove> first(CallState state, IntPredicate preferred) {
        for (int i = 0; i < state.candidates().size(); i++) {
            if (Prospects.isUntriedElsewhere(state, i) && preferred.test(i)) {
                return Optional.of(NextMove.Send.now(i, AttemptReason.FALLBACK));
            }
        }
        return Optional.empty();
    }

    /** Whether the last attempt timed out, and this candidate's model answers sooner. */
    private static boolean isFaster(CallState state, int candidate) {
        return state.lastAttemptFailure()
                .filter(failure -> failure.kind() == FailureKind.TIMEOUT)
                .map(failure -> Prospects.indexOf(state, failure))
                .filter(slow -> slow >= 0
                        && state.candidates()
                                .get(candidate)
                                .isFasterThan(state.candidates().get(slow)))
                .isPresent();
    }

    /** A rejection allows whatever the failure before it allowed. */
    private boolean lastOutcomeAllows(CallState state) {
        return state.lastAttemptFailure()
                .map(failure -> Prospects.otherModelMayHelp(policy, failure.kind()))
                .orElse(true);
    }
}
