package dev.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One finished attempt.
 *
 * @param number its number within the call, from 1
 * @param reason why it was made
 * @param target where it went
 * @param credential the name of the credential it carried; empty where the endpoint has none or a source issues
 *     them
 * @param startedAt when it was sent
 * @param waited how long the call waited before it: backoff, a suggested delay, a place in a limit's queue
 * @param took how long it took
 * @param failure what went wrong; empty for a success
 * @param rateLimits what the answer's headers said of limits; empty where they said nothing
 * @param spend what it used and cost, or may have; empty where the provider did no work that it charges for
 */
public record Attempt(
        int number,
        AttemptReason reason,
        Target target,
        Optional<String> credential,
        Instant startedAt,
        Duration waited,
        Duration took,
        Optional<Failure> failure,
        Optional<RateLimitSnapshot> rateLimits,
        Optional<Spend> spend) {
    /**
     * Creates an attempt that spent nothing.
     *
     * @param number its number within the call, from 1
     * @param reason why it was made
     * @param target where it went
     * @param credential the name of the credential it carried
     * @param startedAt when it was sent
     * @param waited how long the call waited before it
     * @param took how long it took
     * @param failure what went wrong; empty for a success
     * @param rateLimits what the answer's headers said of limits
     */
    public Attempt(
            int number,
            AttemptReason reason,
            Target target,
            Optional<String> credential,
            Instant startedAt,
            Duration waited,
            Duration took,
            Optional<Failure> failure,
            Optional<RateLimitSnapshot> rateLimits) {
        this(number, reason, target, credential, startedAt, waited, took, failure, rateLimits, Optional.empty());
    }

    /** {@return whether it brought the answer} */
    public boolean succeeded() {
        return failure.isEmpty();
    }

    @Override
    public String toString() {
        return "#" + number + " " + reason.wireName() + " " + target
                + (waited.toMillis() == 0 ? "" : " after " + waited.toMillis() + " ms") + ": "
                + failure.map(Failure::toString).orElse("ok") + " (" + took.toMillis() + " ms)";
    }
}
