package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.Failure;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.core.internal.call.Admission.Admitted;
import dev.holdfast.core.internal.call.NextMove.Send;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt that was begun and has not ended, and what it holds until it does.
 *
 * @param number its number within the call, from 1
 * @param send where it goes, and why
 * @param candidate the same candidate
 * @param admitted what was taken for it
 * @param start when it began
 * @param bound how long it may take
 * @param keyRefused whether its candidate's key was refused before in the call
 */
record Underway(
        int number, Send send, Candidate candidate, Admitted admitted, Start start, Bound bound, boolean keyRefused) {
    /**
     * When an attempt began.
     *
     * @param at on the wall
     * @param nanos the same on the timekeeper's {@code nanoTime}
     * @param waited how long the call had waited before it
     */
    record Start(Instant at, long nanos, Duration waited) {}

    /**
     * How long an attempt may take.
     *
     * @param timeout its timeout, cut to what the deadline leaves
     * @param byDeadline whether it is the deadline that cuts it
     */
    record Bound(Duration timeout, boolean byDeadline) {}

    int index() {
        return send.candidate();
    }

    Target target() {
        return candidate.target();
    }

    String model() {
        return candidate.target().model();
    }

    /** The attempt, if it ends now. */
    Attempt ended(Optional<Failure> failure, Optional<RateLimitSnapshot> limits, Optional<Spend> spend, long nowNanos) {
        return new Attempt(
                number,
                send.reason(),
                candidate.target(),
                candidate.credential().map(key -> key.name()),
                start.at(),
                start.waited(),
                Duration.ofNanos(nowNanos - start.nanos()),
                failure,
                limits,
                spend);
    }
}
