package dev.holdfast.core.internal.failure;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reads when a rate limit resets: a duration, an instant, or a number whose size tells which of the two it is. */
final class ResetText {
    /** Numbers from here on are no seconds to wait (16 years) but a time since 1970 in seconds (1985). */
    private static final Duration EPOCH_SECONDS = Duration.ofSeconds(500_000_000L);

    private ResetText() {}

    /**
     * How long until the reset.
     *
     * @param value the field's value
     * @param serverNow the server's own time, which absolute values are counted from
     */
    static Optional<Duration> parse(String value, Instant serverNow) {
        return DelayText.millis(value)
                .map(asMillis -> number(value, asMillis, serverNow))
                .or(() -> DelayText.go(value))
                .or(() -> DelayText.iso(value))
                .or(() -> DelayText.instant(value).map(at -> DelayText.between(serverNow, at)))
                .or(() -> HttpDate.parse(value, serverNow).map(at -> DelayText.between(serverNow, at)));
    }

    /** A thousandth of the number, as seconds, lies in the same range again where the number is of milliseconds. */
    private static Duration number(String value, Duration asMillis, Instant serverNow) {
        if (asMillis.equals(DelayText.LONGEST)) {
            return DelayText.LONGEST;
        }
        if (asMillis.compareTo(EPOCH_SECONDS) >= 0) {
            return DelayText.between(serverNow, Instant.EPOCH.plus(asMillis));
        }
        Duration asSeconds = DelayText.seconds(value).orElse(DelayText.LONGEST);
        return asSeconds.compareTo(EPOCH_SECONDS) >= 0
                ? DelayText.between(serverNow, Instant.EPOCH.plus(asSeconds))
                : asSeconds;
    }
}
