package dev.holdfast.core.internal.call;

import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.core.internal.call.NextMove.Send;
import dev.holdfast.core.internal.call.NextMove.Stop;
import dev.holdfast.core.internal.call.NextMove.StopReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a call does next: the rules in their order, bounded by the attempts of the whole call and by its deadline.
 *
 * <p>Another endpoint comes before a wait, since it costs nothing; a wait on the same model comes before another model, since
 * the caller asked for this one; going back to an earlier model and waiting for what rests come last.
 */
final class Moves {
    private final RetryPolicy policy;
    private final boolean repeatsNeedKeys;
    private final List<MoveRule> rules;

    /**
     * The rules of one call.
     *
     * @param repeatsNeedKeys whether what may have been executed is repeated only where idempotency keys are honoured
     */
    Moves(RetryPolicy policy, boolean retryAllowed, boolean fallbackAllowed, boolean repeatsNeedKeys) {
        this.policy = policy;
        this.repeatsNeedKeys = repeatsNeedKeys;
        MoveRule fallback = fallbackAllowed ? new FallbackRule(policy) : state -> Optional.empty();
        var chain = new ArrayList<MoveRule>();
        chain.add(new FailoverRule());
        var wait = new WaitRule(policy, retryAllowed);
        if (retryAllowed) {
            chain.add(new RetryRule(policy, fallback, wait));
        }
        chain.add(fallback);
        chain.add(retryAllowed ? new SoonerRule(new ReturnRule(policy), wait) : wait);
        this.rules = List.copyOf(chain);
    }

    NextMove next(CallState state) {
        if (!state.untilDeadline().isPositive()) {
            return new Stop(StopReason.DEADLINE);
        }
        if (state.attempts().size() >= policy.maxAttemptsPerCall()) {
            return new Stop(StopReason.EXHAUSTED);
        }
        return repeatsNeedKeys && mayHaveBeenExecuted(state) ? repeatWithItsKey(state) : byTheRules(state);
    }

    private NextMove byTheRules(CallState state) {
        for (MoveRule rule : rules) {
            Optional<NextMove> move = rule.next(state);
            if (move.isPresent()) {
                return move.get() instanceof Send send ? apart(send, state) : move.get();
            }
        }
        return new Stop(reason(state));
    }

    /** The move, but no sooner than the policy lets attempts follow each other. */
    private NextMove apart(Send send, CallState state) {
        if (state.attempts().isEmpty() || policy.minInterval().isZero()) {
            return send;
        }
        Duration left = policy.minInterval().minusNanos(state.nowNanos() - state.startedNanos());
        if (left.compareTo(send.delay()) <= 0) {
            return send;
        }
        return left.compareTo(state.untilDeadline()) >= 0
                ? new Stop(StopReason.NO_TIME)
                : new Send(send.candidate(), send.reason(), left, send.suggested());
    }

    /**
     * A second execution would do more than cost twice. The key prevents it only where it went, if it is honoured there: every
     * other candidate has another key, and another account does not know this one.
     */
    private NextMove repeatWithItsKey(CallState state) {
        int current = state.current();
        if (!state.candidates().get(current).endpoint().honoursIdempotencyKey()) {
            return new Stop(StopReason.FINAL_FAILURE);
        }
        return switch (byTheRules(state.confinedTo(current))) {
            case Send send -> new Send(current, send.reason(), send.delay(), send.suggested());
            case Stop stop -> stop;
        };
    }

    /** A request that was most likely never received is sent once more. */
    private static boolean mayHaveBeenExecuted(CallState state) {
        return state.attempts().stream()
                .flatMap(attempt -> attempt.failure().stream())
                .anyMatch(failure -> failure.mayHaveBeenBilled() && failure.delivery() != Delivery.PROBABLY_UNSENT);
    }

    /** By the failure that the error tells, which is that of the last attempt. */
    private StopReason reason(CallState state) {
        if (state.attempts().isEmpty()) {
            return StopReason.REJECTED;
        }
        Optional<Failure> last = state.lastFailure().isEmpty() ? Optional.empty() : state.lastAttemptFailure();
        int failed = last.map(failure -> Prospects.indexOf(state, failure)).orElse(-1);
        if (failed < 0) {
            return StopReason.EXHAUSTED;
        }
        Track track = state.tracks().get(failed);
        if (!KindRules.allowsKind(policy, last.get(), state.candidates().get(failed), track)) {
            return StopReason.FINAL_FAILURE;
        }
        if (!KindRules.leavesAttempts(policy, last.get(), state.candidates().get(failed), track) || track.refused()) {
            return StopReason.EXHAUSTED;
        }
        Duration suggested = last.get().suggestedDelay().orElse(Duration.ZERO);
        if (suggested.compareTo(policy.maxSuggestedDelay()) > 0 || suggested.compareTo(state.untilDeadline()) >= 0) {
            return StopReason.WAIT_TOO_LONG;
        }
        return track.retryDelay().compareTo(state.untilDeadline()) >= 0 ? StopReason.NO_TIME : StopReason.EXHAUSTED;
    }
}
