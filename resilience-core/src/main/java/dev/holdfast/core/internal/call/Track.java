package dev.holdfast.core.internal.call;

import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Rejection;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one call has been through with one candidate.
 *
 * @param attempts how many attempts it made there
 * @param failures how many of them failed, by kind
 * @param heard whether the breaker heard of one of them
 * @param failure how the last of them failed
 * @param retryDelay how long to wait, from that failure, before the next
 * @param backoff the backoff that was drawn last, for strategies that look back
 * @param failedAtNanos when the last attempt failed
 * @param rejected why and when it was skipped, if it was skipped after its last attempt
 * @param refused whether nothing more may go there: the retry budget refused, or a second execution would do harm
 */
record Track(
        int attempts,
        Map<FailureKind, Integer> failures,
        boolean heard,
        Optional<Failure> failure,
        Duration retryDelay,
        Duration backoff,
        long failedAtNanos,
        Optional<Rejected> rejected,
        boolean refused) {
    private static final Duration CENTURY = Duration.ofDays(36_500);
    static final Track NEW =
            new Track(0, Map.of(), false, Optional.empty(), Duration.ZERO, Duration.ZERO, 0, Optional.empty(), false);

    /**
     * A rejection.
     *
     * @param why the rejection
     * @param atNanos when
     */
    record Rejected(Rejection why, long atNanos) {}

    Track failed(Failure last, Duration delay, Duration drawn, long nowNanos) {
        var counted = new EnumMap<FailureKind, Integer>(FailureKind.class);
        counted.putAll(failures);
        counted.merge(last.kind(), 1, Integer::sum);
        return new Track(
                attempts + 1, counted, heard, Optional.of(last), delay, drawn, nowNanos, Optional.empty(), refused);
    }

    Track nowHeard() {
        return new Track(attempts, failures, true, failure, retryDelay, backoff, failedAtNanos, rejected, refused);
    }

    Track rejected(Rejection why, long nowNanos) {
        return new Track(
                attempts,
                failures,
                heard,
                failure,
                retryDelay,
                backoff,
                failedAtNanos,
                Optional.of(new Rejected(why, nowNanos)),
                refused);
    }

    Track refusedRetry() {
        return new Track(attempts, failures, heard, failure, retryDelay, backoff, failedAtNanos, rejected, true);
    }

    Optional<Rejection> rejection() {
        return rejected.map(Rejected::why);
    }

    /** How often it failed with the kind. */
    int failures(FailureKind kind) {
        return failures.getOrDefault(kind, 0);
    }

    /** How often the key was refused. */
    int keyRefusals() {
        return failures(FailureKind.AUTH) + failures(FailureKind.PERMISSION);
    }

    /** Whether nothing was sent there and nothing stands in the way. */
    boolean isUntried() {
        return attempts == 0 && rejected.isEmpty() && !refused;
    }

    /** From when on another attempt is worth its while, where that is known: what said no last, said until when. */
    OptionalLong freeAtNanos() {
        Optional<Long> at = rejected.isPresent()
                ? rejected.flatMap(each -> each.why().availableIn().map(in -> later(each.atNanos(), in)))
                : failure.flatMap(Failure::suggestedDelay).map(in -> later(failedAtNanos, in));
        return at.map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    private static long later(long nanos, Duration in) {
        return nanos + (in.compareTo(CENTURY) > 0 ? CENTURY : in).toNanos();
    }
}
