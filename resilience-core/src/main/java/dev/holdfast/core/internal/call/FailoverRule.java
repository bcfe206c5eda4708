package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.Failure;
import dev.holdfast.FailureScope;
import java.util.Optional;

/** Failover: the same model on another endpoint, or with another key, at once. The first attempt is its first choice too. */
final class FailoverRule implements MoveRule {
    @Override
    public Optional<NextMove> next(CallState state) {
        if (state.current() < 0) {
            return Optional.of(NextMove.Send.now(0, AttemptReason.FIRST));
        }
        for (int i = 0; i < state.candidates().size(); i++) {
            if (state.sameModel(i, state.current()) && state.tracks().get(i).isUntried() && mayHelp(state, i)) {
                return Optional.of(NextMove.Send.now(i, AttemptReason.FAILOVER));
            }
        }
        return Optional.empty();
    }

    private static boolean mayHelp(CallState state, int candidate) {
        Optional<Failure> failure = state.lastFailure();
        if (failure.isEmpty()) {
            return true;
        }
        Candidate from = state.candidates().get(state.current());
        Candidate to = state.candidates().get(candidate);
        return KindRules.of(failure.get().kind()).otherEndpoint() && differsWhereItFailed(failure.get(), from, to);
    }

    /** A used-up or refused key fails everywhere; an endpoint that broke fails for every key. */
    private static boolean differsWhereItFailed(Failure failure, Candidate from, Candidate to) {
        return switch (failure.kind()) {
            case QUOTA_EXHAUSTED, AUTH, PERMISSION -> !from.sharesKeyWith(to);
            default ->
                failure.scope() != FailureScope.ENDPOINT || !from.target().equals(to.target());
        };
    }
}
