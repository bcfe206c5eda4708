package dev.holdfast.core.internal.breaker;

import dev.holdfast.BreakerState;
import dev.holdfast.spi.BreakerStore.BreakerSnapshot;

/** What can happen to a breaker; the whole alphabet of its state machine. */
public sealed interface BreakerEvent {
    /** Someone wants a permit. It is granted if the snapshot changes. */
    record Asked() implements BreakerEvent {}

    /** Someone decided on a state by hand. */
    record Ordered(BreakerState state, Term term) implements BreakerEvent {}

    /** What was ordered holds no longer. */
    record Lapsed() implements BreakerEvent {}

    /** Another client's breaker of the same target changed. */
    record Heard(BreakerSnapshot shared) implements BreakerEvent {}

    /** A permit came back. */
    sealed interface Reported extends BreakerEvent {
        long generation();
    }

    /** The attempt went well. */
    record Succeeded(long generation, long probe, boolean slow) implements Reported {}

    /** The attempt went wrong. */
    record Failed(long generation, long probe, long suggestedNanos) implements Reported {}

    /** The attempt says nothing about the target. */
    record Ignored(long generation, long probe) implements Reported {}

    /** With this attempt there are too many failures or slow calls, in the window or in a row. */
    record Reached(long generation, Sums sums, long suggestedNanos) implements Reported {}
}
