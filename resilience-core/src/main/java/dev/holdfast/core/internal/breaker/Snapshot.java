package dev.holdfast.core.internal.breaker;

import dev.holdfast.BreakerState;
import org.jspecify.annotations.Nullable;

/**
 * All there is to know about a breaker at one moment, so that one compare-and-set changes all of it or nothing. What every call
 * asks of the phase is at hand in the snapshot itself: each step from one object to the next is a wait.
 *
 * @param ruling what the phase says to who asks for leave
 * @param window what attempts are counted in; null where they are not counted
 * @param generation a unique number of the last transition, never 0; a permit of another generation has no say
 * @param sequence how many transitions there were, which is their order
 * @param openings how often it opened in a row without closing
 */
public record Snapshot(
        Phase phase, Ruling ruling, @Nullable SampleWindow window, long generation, long sequence, int openings) {
    /** What a phase says to who asks for leave. */
    public enum Ruling {
        /** All are admitted. */
        ADMITS,
        /** All are refused until the end of a {@link Phase.Open}. */
        REFUSES,
        /** The phase must be asked. */
        DEPENDS
    }

    static Snapshot of(Phase phase, long generation, long sequence, int openings) {
        return new Snapshot(phase, rulingOf(phase), phase.window(), generation, sequence, openings);
    }

    private static Ruling rulingOf(Phase phase) {
        if (phase instanceof Phase.Open) {
            return Ruling.REFUSES;
        }
        return phase.admitsAll() && !phase.term().ends() ? Ruling.ADMITS : Ruling.DEPENDS;
    }

    public BreakerState state() {
        return phase.state();
    }

    /** {@return whether every attempt is admitted; a term, if there is one, was looked at} */
    public boolean admitsAll() {
        return ruling == Ruling.ADMITS || (ruling == Ruling.DEPENDS && phase.admitsAll());
    }

    /** {@return whether someone ordered it for a time} */
    boolean mayLapse() {
        return ruling == Ruling.DEPENDS && phase.term().ends();
    }

    Snapshot with(Phase changed) {
        return of(changed, generation, sequence, openings);
    }
}
