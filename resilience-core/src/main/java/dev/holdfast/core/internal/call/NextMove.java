package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptReason;
import java.time.Duration;

/** What a call does next. */
sealed interface NextMove {
    /**
     * Sends an attempt.
     *
     * @param candidate where to
     * @param reason why
     * @param delay how long to wait first
     * @param suggested whether the server asked for that wait
     */
    record Send(int candidate, AttemptReason reason, Duration delay, boolean suggested) implements NextMove {
        static Send now(int candidate, AttemptReason reason) {
            return new Send(candidate, reason, Duration.ZERO, false);
        }
    }

    /**
     * Ends without an answer.
     *
     * @param why what stood in the way
     */
    record Stop(StopReason why) implements NextMove {}

    /** What ends a call without an answer. */
    enum StopReason {
        /** The last failure is of a kind that nothing mends. */
        FINAL_FAILURE,
        /** The server asked for a longer wait than the policy sleeps, or than the deadline leaves. */
        WAIT_TOO_LONG,
        /** The next wait would pass the deadline. */
        NO_TIME,
        /** Attempts or targets are used up. */
        EXHAUSTED,
        /** Nothing was sent, since everything was rejected. */
        REJECTED,
        /** The deadline cut the last attempt, or has passed. */
        DEADLINE
    }
}
