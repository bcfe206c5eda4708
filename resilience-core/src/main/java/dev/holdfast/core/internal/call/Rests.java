package dev.holdfast.core.internal.call;

import java.time.Duration;

/**
 * How a call has waited for cooldowns and limits so far.
 *
 * @param count how often
 * @param empty how often there was nothing to wait for when it looked again
 * @param total how long in all
 */
record Rests(int count, int empty, Duration total) {
    static final Rests NONE = new Rests(0, 0, Duration.ZERO);

    Rests plus(Duration length) {
        return new Rests(count + 1, length.isPositive() ? empty : empty + 1, total.plus(length));
    }
}
