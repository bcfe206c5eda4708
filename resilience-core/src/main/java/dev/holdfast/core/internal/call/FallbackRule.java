package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.core.RetryPolicy;
import java.util.Optional;
import java.util.OptionalLong;

/** Fallback: the next model of the route that has not been tried, at once. */
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
        for (int i = 0; i < state.candidates().size(); i++) {
            if (!state.sameModel(i, state.current())
                    && state.tracks().get(i).isUntried()
                    && mayHold(state, i)
                    && mayPay(state, i)) {
                return Optional.of(NextMove.Send.now(i, AttemptReason.FALLBACK));
            }
        }
        return Optional.empty();
    }

    private boolean lastOutcomeAllows(CallState state) {
        return state.lastFailure()
                .map(Failure::kind)
                .map(kind ->
                        KindRules.of(kind).otherModel() || policy.fallbackOn().contains(kind))
                .orElse(true);
    }

    /** A used-up account is used up for its other models too. */
    private static boolean mayPay(CallState state, int candidate) {
        boolean usedUp = state.lastFailure()
                .filter(failure -> failure.kind() == FailureKind.QUOTA_EXHAUSTED)
                .isPresent();
        Candidate from = state.candidates().get(state.current());
        return !usedUp || !from.sharesKeyWith(state.candidates().get(candidate));
    }

    /** After "too long for this model" only a larger window is worth an attempt. */
    private static boolean mayHold(CallState state, int candidate) {
        boolean tooLong = state.lastFailure()
                .filter(failure -> failure.kind() == FailureKind.CONTEXT_LENGTH)
                .isPresent();
        OptionalLong window = state.candidates().get(candidate).model().contextWindow();
        OptionalLong tried = state.candidates().get(state.current()).model().contextWindow();
        return !tooLong || (window.isPresent() && window.getAsLong() > tried.orElse(0));
    }
}
