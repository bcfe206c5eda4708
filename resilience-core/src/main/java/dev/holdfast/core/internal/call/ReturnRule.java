package dev.holdfast.core.internal.call;

import dev.holdfast.core.RetryPolicy;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Return: back to a target of an earlier model that the call left for others, once those have failed too; the one that is ready
 * first. Its wait, which was too long to stay for, may have passed by then.
 */
final class ReturnRule implements MoveRule {
    private final Repeats repeats;

    ReturnRule(RetryPolicy policy) {
        this.repeats = new Repeats(policy);
    }

    @Override
    public Optional<NextMove> next(CallState state) {
        OptionalInt best = repeats.soonest(state, i -> Prospects.mayHold(state, i) && Prospects.keyIsGood(state, i));
        return best.isEmpty() ? Optional.empty() : Optional.of(Repeats.again(state, best.getAsInt()));
    }
}
