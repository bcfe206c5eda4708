package dev.holdfast.core.internal.call;

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
 * the caller asked for this one; waiting for what rests comes last.
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
        if (retryAllowed) {
            chain.add(new RetryRule(policy, fallback));
        }
        chain.add(fallback);
        chain.add(new WaitRule(policy, retryAllowed));
        this.rules = List.copyOf(chain);
    }

    NextMove next(CallState state) {
        if (!state.untilDeadline().isPositive()) {
            return new Stop(StopReason.DEADLINE);
        }
        if (state.attempts().size() >= policy.maxAttemptsPerCall()) {
            return new Stop(StopReason.EXHAUSTED);
        }
        if (mustNotRepeat(state)) {
            return new Stop(StopReason.FINAL_FAILURE);
        }
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
     * The state after a failure. What may have been executed is repeated with its key on its own target or nowhere: anywhere
     * else it would be a second execution.
     */
    CallState bound(CallState state) {
        boolean stays = repeatsNeedKeys
                && state.lastFailure().filter(Failure::mayHaveBeenBilled).isPresent();
        return stays ? state.onlyAt(state.current()) : state;
    }

    /** A second execution would do more than cost twice, and nothing there prevents it. */
    private boolean mustNotRepeat(CallState state) {
        return repeatsNeedKeys
                && state.lastFailure().filter(Failure::mayHaveBeenBilled).isPresent()
                && !state.candidates().get(state.current()).endpoint().honoursIdempotencyKey();
    }

    private StopReason reason(CallState state) {
        if (state.attempts().isEmpty()) {
            return StopReason.REJECTED;
        }
        Optional<Failure> last = state.lastFailure();
        if (last.isEmpty()) {
            return StopReason.EXHAUSTED;
        }
        Track track = state.tracks().get(state.current());
        if (!KindRules.allowsKind(policy, last.get(), state.candidates().get(state.current()), track)) {
            return StopReason.FINAL_FAILURE;
        }
        if (!KindRules.leavesAttempts(policy, last.get(), track) || track.refused()) {
            return StopReason.EXHAUSTED;
        }
        Duration suggested = last.get().suggestedDelay().orElse(Duration.ZERO);
        if (suggested.compareTo(policy.maxSuggestedDelay()) > 0 || suggested.compareTo(state.untilDeadline()) >= 0) {
            return StopReason.WAIT_TOO_LONG;
        }
        return track.retryDelay().compareTo(state.untilDeadline()) >= 0 ? StopReason.NO_TIME : StopReason.EXHAUSTED;
    }
}
