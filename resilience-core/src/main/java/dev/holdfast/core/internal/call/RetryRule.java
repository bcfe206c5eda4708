package dev.holdfast.core.internal.call;

import dev.holdfast.core.RetryPolicy;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Retry: a target of the same model again, after its delay; the one that is ready first, be it one that rested when the call came
 * to it. Not with an attempt that a model needs which was not tried yet.
 */
final class RetryRule implements MoveRule {
    private final RetryPolicy policy;
    private final Repeats repeats;
    private final MoveRule elsewhere;
    private final WaitRule wait;

    /**
     * The rule.
     *
     * @param elsewhere where the call would go if it did not try again
     * @param wait when a target is free that rests
     */
    RetryRule(RetryPolicy policy, MoveRule elsewhere, WaitRule wait) {
        this.policy = policy;
        this.wait = wait;
        this.repeats = new Repeats(policy);
        this.elsewhere = elsewhere;
    }

    @Override
    public Optional<NextMove> next(CallState state) {
        if (!leavesAttemptsForOthers(state)) {
            return Optional.empty();
        }
        OptionalInt best =
                repeats.soonest(state, i -> state.sameModel(i, state.current()) && !isBetterElsewhere(state, i));
        return best.isEmpty() ? Optional.empty() : Optional.of(soonest(state, best.getAsInt()));
    }

    /**
     * A rest that is only assumed says nothing of when the target serves again: of those, none is sooner. Another model is looked at
     * too where the wait is one that would have led to it at once.
     */
    private NextMove soonest(CallState state, int repeated) {
        NextMove again = Repeats.again(state, repeated);
        boolean anyModel = asksForALongWait(state.tracks().get(repeated));
        return wait.next(state, i -> (anyModel || state.sameModel(i, repeated)) && WaitRule.isToldWhen(state, i))
                .filter(rested -> SoonerRule.isSooner(rested, again))
                .orElse(again);
    }

    /** Every model that may serve gets an attempt before one of them gets the call's last. */
    private boolean leavesAttemptsForOthers(CallState state) {
        int left = policy.maxAttemptsPerCall() - state.attempts().size();
        return left > Prospects.untriedModels(state) || elsewhere.next(state).isEmpty();
    }

    /** After a timeout, or where the server asks for a long wait, another target comes first. */
    private boolean isBetterElsewhere(CallState state, int candidate) {
        Track track = state.tracks().get(candidate);
        return (asksForALongWait(track) || Repeats.timedOut(track))
                && elsewhere.next(state).isPresent();
    }

    private boolean asksForALongWait(Track track) {
        return Repeats.suggested(track).compareTo(policy.fallbackIfWaitOver()) > 0;
    }
}
