package dev.holdfast.core.internal.call;

import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Rejection;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

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
    /** One failure of each kind: what calls that wait mostly know of a target, kept once for all of them. */
    private static final Map<FailureKind, Map<FailureKind, Integer>> ONCE = Arrays.stream(FailureKind.values())
            .collect(Collectors.toUnmodifiableMap(kind -> kind, kind -> Map.of(kind, 1)));

    static final Track NEW =
            new Track(0, Map.of(), false, Optional.empty(), Duration.ZERO, Duration.ZERO, 0, Optional.empty(), false);

    /**
     * A rejection.
     *
     * @param why the rejection
     * @param atNanos when
     * @param mayBeAwaited whether the call may wait until it ends, where it says when
     */
    record Rejected(Rejection why, long atNanos, boolean mayBeAwaited) {}

    Track failed(Failure last, Duration delay, Duration drawn, long nowNanos) {
        return new Track(
                attempts + 1,
                failures.isEmpty() ? Objects.requireNonNull(ONCE.get(last.kind())) : oneMore(last.kind()),
                heard,
                Optional.of(last),
                delay,
                drawn,
                nowNanos,
                Optional.empty(),
                refused);
    }

    private Map<FailureKind, Integer> oneMore(FailureKind kind) {
        var counted = new EnumMap<FailureKind, Integer>(failures);
        counted.merge(kind, 1, Integer::sum);
        return Map.copyOf(counted);
    }

    /** One more attempt, of which nothing else is known. */
    Track givenUp() {
        return new Track(attempts + 1, failures, heard, failure, retryDelay, backoff, failedAtNanos, rejected, refused);
    }

    Track nowHeard() {
        return new Track(attempts, failures, true, failure, retryDelay, backoff, failedAtNanos, rejected, refused);
    }

    Track rejected(Rejection why, long nowNanos, boolean mayBeAwaited) {
        return new Track(
                attempts,
                failures,
                heard,
                failure,
                retryDelay,
                backoff,
                failedAtNanos,
                Optional.of(new Rejected(why, nowNanos, mayBeAwaited)),
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
