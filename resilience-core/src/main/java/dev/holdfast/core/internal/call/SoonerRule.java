package dev.holdfast.core.internal.call;

import dev.holdfast.core.internal.call.NextMove.Send;
import java.util.Optional;

/**
 * Whichever of two rules sends sooner; the first where both send at once.
 *
 * @param one the first
 * @param other the second
 */
record SoonerRule(MoveRule one, MoveRule other) implements MoveRule {
    @Override
    public Optional<NextMove> next(CallState state) {
        Optional<NextMove> first = one.next(state);
        Optional<NextMove> second = other.next(state);
        boolean secondIsSooner = first.isPresent() && second.isPresent() && isSooner(second.get(), first.get());
        return first.isEmpty() || secondIsSooner ? second : first;
    }

    /** {@return whether both send, and the one sooner than the other} */
    static boolean isSooner(NextMove one, NextMove other) {
        return one instanceof Send a && other instanceof Send b && a.delay().compareTo(b.delay()) < 0;
    }
}
