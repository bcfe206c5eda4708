package dev.holdfast.core.internal.call;

import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Rejection;
import dev.holdfast.core.internal.call.KindRules.SameTarget;
import java.time.Duration;
import java.util.Optional;

/**
 * What one call has been through with one candidate.
 *
 * @param attempts how many attempts it made there
 * @param timeouts how many of them timed out
 * @param keyRefusals how many of them ended with the key refused
 * @param heard whether the breaker heard of one of them
 * @param failure how the last of them failed
 * @param retryDelay how long to wait, from that failure, before the next
 * @param backoff the backoff that was drawn last, for strategies that look back
 * @param failedAtNanos when the last attempt failed
 * @param rejection why it was skipped, if it was skipped after its last attempt
 * @param refused whether the retry budget, or the guard for good, refused another attempt
 */
record Track(
        int attempts,
        int timeouts,
        int keyRefusals,
        boolean heard,
        Optional<Failure> failure,
        Duration retryDelay,
        Duration backoff,
        long failedAtNanos,
        Optional<Rejection> rejection,
        boolean refused) {
    static final Track NEW =
            new Track(0, 0, 0, false, Optional.empty(), Duration.ZERO, Duration.ZERO, 0, Optional.empty(), false);

    Track failed(Failure last, Duration delay, Duration drawn, long nowNanos) {
        int timedOut = timeouts + (last.kind() == FailureKind.TIMEOUT ? 1 : 0);
        int refusals = keyRefusals + (KindRules.of(last.kind()).sameTarget() == SameTarget.WITH_FRESH_KEY ? 1 : 0);
        return new Track(
                attempts + 1,
                timedOut,
                refusals,
                heard,
                Optional.of(last),
                delay,
                drawn,
                nowNanos,
                Optional.empty(),
                refused);
    }

    Track nowHeard() {
        return new Track(
                attempts, timeouts, keyRefusals, true, failure, retryDelay, backoff, failedAtNanos, rejection, refused);
    }

    Track rejected(Rejection why) {
        return new Track(
                attempts,
                timeouts,
                keyRefusals,
                heard,
                failure,
                retryDelay,
                backoff,
                failedAtNanos,
                Optional.of(why),
                refused);
    }

    Track refusedRetry() {
        return new Track(
                attempts, timeouts, keyRefusals, heard, failure, retryDelay, backoff, failedAtNanos, rejection, true);
    }

    /** Whether nothing was sent there and nothing stood in the way. */
    boolean isUntried() {
        return attempts == 0 && rejection.isEmpty();
    }
}
