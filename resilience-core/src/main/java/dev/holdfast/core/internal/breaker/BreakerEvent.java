package dev.holdfast.core.internal.breaker;

import dev.holdfast.BreakerState;

/** What can happen to a breaker; the whole alphabet of its state machine. */
public sealed interface BreakerEvent {
    /** Someone wants a permit. It is granted if the snapshot changes. */
    record Asked() implements BreakerEvent {}

    /** Someone decided on a state by hand. */
    record Ordered(BreakerState state) implements BreakerEvent {}

    /** A permit came back. */
    sealed interface Reported extends BreakerEvent {
        long generation();
    }

    /** The attempt went well. */
    record Succeeded(long generation, long probe) implements Reported {}

    /** The attempt went wrong. */
    record Failed(long generation, long probe, boolean repeated, long suggestedNanos) implements Reported {}

    /** The attempt says nothing about the target. */
    record Ignored(long generation, long probe) implements Reported {}
}
