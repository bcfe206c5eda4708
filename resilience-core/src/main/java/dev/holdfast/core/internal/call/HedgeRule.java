package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import dev.holdfast.core.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Hedge: a second attempt beside one that takes long, on another target that the call has not tried. The same model on another
 * endpoint comes before another model.
 */
final class HedgeRule implements MoveRule {
    private final RetryPolicy policy;
    private final Duration after;

    /**
     * The rule for an attempt that is underway.
     *
     * @param after how long it may take until it is hedged
     */
    HedgeRule(RetryPolicy policy, Duration after) {
        this.policy = policy;
        this.after = after.compareTo(policy.minInterval()) < 0 ? policy.minInterval() : after;
    }

    /**
     * What to send beside the attempt, and how long from now.
     *
     * @param state the call as if the attempt had been given up ({@link CallState#givenUp}): it is the current one, counts among
     *     the attempts, and {@code startedNanos} is its start
     */
    @Override
    public Optional<NextMove> next(CallState state) {
        Duration left = after.minusNanos(state.nowNanos() - state.startedNanos());
        Duration delay = left.isNegative() ? Duration.ZERO : left;
        if (state.attempts().size() >= policy.maxAttemptsPerCall() || delay.compareTo(state.untilDeadline()) >= 0) {
            return Optional.empty();
        }
        int current = state.current();
        return first(state, i -> state.sameModel(i, current))
                .or(() -> first(state, i -> !state.sameModel(i, current) && Prospects.mayHold(state, i)))
                .map(i -> new NextMove.Send(i, AttemptReason.HEDGE, delay, false));
    }

    private static Optional<Integer> first(CallState state, IntPredicate fits) {
        return IntStream.range(0, state.candidates().size())
                .filter(i -> isElsewhere(state, i) && state.tracks().get(i).isUntried())
                .filter(i -> Prospects.keyIsGood(state, i) && fits.test(i))
                .boxed()
                .findFirst();
    }

    /** Another key does not make another target: what is slow there is slow for every key. */
    private static boolean isElsewhere(CallState state, int candidate) {
        return !state.candidates()
                .get(candidate)
                .target()
                .equals(state.candidates().get(state.current()).target());
    }
}
