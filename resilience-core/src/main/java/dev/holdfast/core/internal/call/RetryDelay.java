package dev.holdfast.core.internal.call;

import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.core.KindPolicy;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.spi.BackoffStrategy;
import dev.holdfast.spi.BackoffStrategy.BackoffRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the same target is tried again: what the server suggested, never less, with jitter on top so that
 * those who were told the same do not come back together; else the backoff.
 */
final class RetryDelay {
    private static final long LEAST_SPREAD_NANOS = Duration.ofMillis(100).toNanos();
    private static final long MOST_SPREAD_NANOS = Duration.ofSeconds(5).toNanos();
    private static final Duration FOREVER = Duration.ofDays(36_500);

    private final RetryPolicy policy;
    private final RandomGenerator random;

    RetryDelay(RetryPolicy policy, RandomGenerator random) {
        this.policy = policy;
        this.random = random;
    }

    /**
     * The backoff before the retry that may follow a failure. A backoff of the kind's own counts the failures of the kind.
     *
     * @param before what the target had been through before the failure
     */
    Duration backoff(FailureKind kind, Track before) {
        Optional<BackoffStrategy> own =
                Optional.ofNullable(policy.kinds().get(kind)).flatMap(KindPolicy::backoff);
        int retry = 1 + (own.isPresent() ? before.failures(kind) : before.attempts());
        Duration delay = own.orElse(policy.backoff()).delay(new BackoffRequest(retry, before.backoff(), random));
        return delay.isNegative() ? Duration.ZERO : delay;
    }

    /** The wait after a failure; the jitter on a suggestion fits into what the deadline leaves. */
    Duration after(Failure failure, Duration drawnBackoff, Duration untilDeadline) {
        return failure.suggestedDelay()
                .map(suggested -> spread(suggested, untilDeadline, 0))
                .orElse(drawnBackoff);
    }

    /**
     * A wait that was asked for, and up to a tenth more; the more often a call has rested, the less, so that whoever was sent away
     * often comes before those who were not.
     *
     * @param rests how often the call has rested before
     */
    Duration spread(Duration suggested, Duration untilDeadline, int rests) {
        if (suggested.compareTo(FOREVER) > 0) {
            return suggested;
        }
        long tenth = Math.clamp(suggested.toNanos() / 10, LEAST_SPREAD_NANOS, MOST_SPREAD_NANOS);
        long room = untilDeadline.compareTo(FOREVER) > 0
                ? tenth
                : untilDeadline.minus(suggested).toNanos() / 2;
        return suggested.plusNanos((long) (Math.clamp(room, 0, tenth) * random.nextDouble() / (1.0 + rests)));
    }
}
