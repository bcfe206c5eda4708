package dev.holdfast.core.internal.failure;

import dev.holdfast.Headers;
import dev.holdfast.RateLimitSnapshot.Dimension;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What tests outside this package look at. */
public final class DelayChecks {
    private DelayChecks() {}

    /** Milliseconds as a timer counts them: a part of one is one. */
    public static long millisRoundedUp(Duration duration) {
        return Math.ceilDiv(duration.toNanos(), 1_000_000L);
    }

    /** What one reset header says. */
    public static Optional<Duration> reset(String header, String value, Instant now) {
        return RateLimitHeaders.parse(Headers.of(header, value), now).stream()
                .flatMap(snapshot -> snapshot.dimensions().values().stream())
                .flatMap((Dimension dimension) -> dimension.resetIn().stream())
                .findFirst();
    }
}
