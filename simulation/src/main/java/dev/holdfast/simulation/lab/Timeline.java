package dev.holdfast.simulation.lab;

import dev.holdfast.BreakerState;
import java.time.Duration;
import java.util.List;

/**
 * What happened around an outage under one policy: breakers, attempts, and calls that wait. Counts are by steps of equal length.
 *
 * @param policy the title of the policy
 * @param seed the seed
 * @param from when the first step begins
 * @param step how long a step is
 * @param what what is seen: an outage, a surge, or any time where the profile has neither
 * @param lanes what happened at each target that was tried, or whose provider was down
 * @param inFlight the most calls that held a place or, where there are no places, were under way
 * @param waiting the most calls that waited for a place
 * @param failedCalls how many calls ended without an answer
 */
public record Timeline(
        String policy,
        long seed,
        Duration from,
        Duration step,
        String what,
        List<Lane> lanes,
        List<Integer> inFlight,
        List<Integer> waiting,
        List<Integer> failedCalls) {
    /** Copies the lists. */
    public Timeline {
        lanes = List.copyOf(lanes);
        inFlight = List.copyOf(inFlight);
        waiting = List.copyOf(waiting);
        failedCalls = List.copyOf(failedCalls);
    }

    /**
     * One target.
     *
     * @param target a model, and its endpoint where there are several
     * @param down when its provider was down
     * @param breaker in what states its breaker was; none where it has no breaker or nothing changed
     * @param answered how many attempts ended with an answer
     * @param failed how many ended without one
     */
    public record Lane(
            String target, List<Stretch> down, List<Stretch> breaker, List<Integer> answered, List<Integer> failed) {
        /** Copies the lists. */
        public Lane {
            down = List.copyOf(down);
            breaker = List.copyOf(breaker);
            answered = List.copyOf(answered);
            failed = List.copyOf(failed);
        }
    }

    /**
     * A part of the time.
     *
     * @param from when it begins
     * @param to when it ends
     * @param state the state; {@link BreakerState#OPEN} for a provider that is down
     */
    public record Stretch(Duration from, Duration to, BreakerState state) {}

    /** {@return how many steps there are} */
    public int steps() {
        return inFlight.size();
    }

    /** {@return when the last step ends} */
    public Duration to() {
        return from.plus(step.multipliedBy(steps()));
    }
}
