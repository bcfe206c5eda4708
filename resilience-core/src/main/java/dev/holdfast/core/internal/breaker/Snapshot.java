package dev.holdfast.core.internal.breaker;

import dev.holdfast.BreakerState;

/**
 * All there is to know about a breaker at one moment, so that one compare-and-set changes all of it or nothing.
 *
 * @param generation a unique number of the last transition, never 0; a permit of another generation has no say
 * @param sequence how many transitions there were, which is their order
 * @param openings how often it opened in a row without closing
 */
public record Snapshot(Phase phase, long generation, long sequence, int openings) {
    public BreakerState state() {
        return phase.state();
    }

    /** {@return whether every attempt is admitted; a term, if there is one, was looked at} */
    public boolean admitsAll() {
        return phase.admitsAll();
    }

    Snapshot with(Phase changed) {
        return new Snapshot(changed, generation, sequence, openings);
    }
}
