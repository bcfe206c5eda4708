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

    /** A rejection allows whatever the failure before it allowed. */
    private boolean lastOutcomeAllows(CallState state) {
        return state.lastAttemptFailure()
                .map(Failure::kind)
                .map(kind ->
                        KindRules.of(kind).otherModel() || policy.fallbackOn().contains(kind))
                .orElse(true);
    }

    /** A used-up account is used up for its other models too. */
    private static boolean mayPay(CallState state, int candidate) {
        Candidate to = state.candidates().get(candidate);
        return state.failedWith(FailureKind.QUOTA_EXHAUSTED).noneMatch(to::sharesKeyWith);
    }

    /** After "too long for this model" only a window larger than all that were too small is worth an attempt. */
    private static boolean mayHold(CallState state, int candidate) {
        OptionalLong window = state.candidates().get(candidate).model().contextWindow();
        return state.failedWith(FailureKind.CONTEXT_LENGTH)
                .allMatch(tried -> window.isPresent()
                        && window.getAsLong() > tried.model().contextWindow().orElse(0));
    }
}
