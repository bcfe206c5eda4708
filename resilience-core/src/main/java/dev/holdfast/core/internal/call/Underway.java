package dev.holdfast.core.internal.call;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.Failure;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Spend;
import dev.holdfast.core.internal.call.NextMove.Send;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An attempt that was sent and has not ended.
 *
 * @param number its number within the call, from 1
 * @param reason why it was made
 * @param candidate where it went
 * @param startedAt when it was sent
 * @param startedNanos the same on the timekeeper's {@code nanoTime}
 * @param waited how long the call waited before it
 */
record Underway(
        int number, AttemptReason reason, Candidate candidate, Instant startedAt, long startedNanos, Duration waited) {

    static Underway of(int number, Send send, Candidate candidate, Instant startedAt, long nanos, Duration waited) {
        return new Underway(number, send.reason(), candidate, startedAt, nanos, waited);
    }

    /** The attempt, if it ends now. */
    Attempt ended(Optional<Failure> failure, Optional<RateLimitSnapshot> limits, Optional<Spend> spend, long nowNanos) {
        return new Attempt(
                number,
                reason,
                candidate.target(),
                candidate.credential().map(key -> key.name()),
                startedAt,
                waited,
                Duration.ofNanos(nowNanos - startedNanos),
                failure,
                limits,
                spend);
    }
}
