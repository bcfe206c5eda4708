package dev.holdfast.core.internal.breaker;

/** What the reports of one generation add up to. */
public sealed interface Tally {
    /** Failures since the last success, carried through the same compare-and-set as the state. */
    record InARow(int failures) implements Tally {
        static final InARow NONE = new InARow(0);

        InARow withFailure() {
            return new InARow(failures == Integer.MAX_VALUE ? failures : failures + 1);
        }
    }

    /** A window that belongs to this generation and goes with it; what is counted too late goes with it too. */
    record Windowed(SampleWindow window) implements Tally {}
}
