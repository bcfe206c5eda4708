package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.core.RetryPolicy;
import java.util.Optional;

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
                    && Prospects.mayHold(state, i)
                    && Prospects.mayPay(state, i)) {
                return Optional.of(NextMove.Send.now(i, AttemptReason.FALLBACK));
            }
        }
        return Optional.empty();
    }

    /** A rejection allows whatever the failure before it allowed. */
    private boolean lastOutcomeAllows(CallState state) {
        return state.lastAttemptFailure()
                .map(failure -> Prospects.otherModelMayHelp(policy, failure.kind()))
                .orElse(true);
    }
}
