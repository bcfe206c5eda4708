package dev.holdfast.core.internal.failure;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reads when a rate limit resets: a duration, an instant, or a number whose size tells which of the two it is. */
final class ResetText {
    /** Numbers from here on are no seconds to wait (16 years) but a time since 1970 in seconds (1985). */
    private static final long EPOCH_SECONDS = 500_000_000L;

    private static final long THOUSAND = 1_000;

    private ResetText() {}

    /**
     * How long until the reset.
     *
     * @param value the field's value
     * @param serverNow the server's own time, which absolute values are counted from
     */
    static Optional<Duration> parse(String value, Instant serverNow) {
        return DelayText.nanos(value)
                .map(size -> number(value, size, serverNow))
                .or(() -> DelayText.go(value))
                .or(() -> DelayText.iso(value))
                .or(() -> DelayText.instant(value).map(at -> DelayText.between(serverNow, at)))
                .or(() -> HttpDate.parse(value, serverNow).map(at -> DelayText.between(serverNow, at)));
    }

    /** Seconds to wait, or a time in seconds, milli-, micro- or nanoseconds, by the size of the number. */
    private static Duration number(String value, Duration asNanos, Instant serverNow) {
        long size = asNanos.toNanos();
        if (asNanos.equals(DelayText.LONGEST)) {
            return DelayText.LONGEST;
        }
        if (size < EPOCH_SECONDS) {
            return DelayText.seconds(value).orElse(DelayText.LONGEST);
        }
        Optional<Duration> since = size / THOUSAND < EPOCH_SECONDS
                ? DelayText.seconds(value)
                : size / THOUSAND / THOUSAND < EPOCH_SECONDS
                        ? DelayText.millis(value)
                        : size / THOUSAND / THOUSAND / THOUSAND < EPOCH_SECONDS
                                ? DelayText.micros(value)
                                : Optional.of(asNanos);
        return DelayText.between(serverNow, Instant.EPOCH.plus(since.orElse(DelayText.LONGEST)));
    }
}
