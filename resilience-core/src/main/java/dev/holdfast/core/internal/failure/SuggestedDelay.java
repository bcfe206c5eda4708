package dev.holdfast.core.internal.failure;

import dev.holdfast.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Finds how long a server asks to wait; the first that parses wins: fields in milliseconds, {@code Retry-After} and its
 * like, what the body says, and when what is used up is there again.
 */
public final class SuggestedDelay {
    private static final List<String> MILLI_FIELDS = List.of("retry-after-ms", "x-ms-retry-after-ms");
    private static final List<String> SECOND_FIELDS = List.of("retry-after", "retry-after-retry");

    /** A wait from here on (16 years) is a point in time by mistake. */
    private static final Duration MISTAKEN = Duration.ofSeconds(500_000_000L);

    private SuggestedDelay() {}

    /**
     * The wait that a failed answer asks for.
     *
     * @param headers its header fields
     * @param bodyHeaders header fields of a server further up that its body quotes
     * @param inBody the wait that the body names
     * @param refused whether it refuses for a limit, so that resets matter
     * @param receivedAt when it arrived
     */
    static Optional<Duration> find(
            Headers headers, Headers bodyHeaders, Optional<Duration> inBody, boolean refused, Instant receivedAt) {
        Optional<Duration> asked =
                retryAfter(headers, receivedAt).or(() -> inBody).or(() -> retryAfter(bodyHeaders, receivedAt));
        if (!refused || asked.filter(wait -> wait.compareTo(MISTAKEN) < 0).isPresent()) {
            return asked;
        }
        return RateLimitHeaders.untilReset(headers, receivedAt)
                .or(() -> RateLimitHeaders.untilReset(bodyHeaders, receivedAt))
                .or(() -> asked);
    }

    /**
     * The wait that the header fields made for it ask for, on whatever answer.
     *
     * @param headers the header fields
     * @param receivedAt when the answer arrived; dates are counted from its {@code Date} where it has one
     */
    public static Optional<Duration> retryAfter(Headers headers, Instant receivedAt) {
        for (String name : MILLI_FIELDS) {
            for (String value : headers.all(name)) {
                Optional<Duration> delay = DelayText.millis(value);
                if (delay.isPresent()) {
                    return delay;
                }
            }
        }
        for (String name : SECOND_FIELDS) {
            for (String value : headers.all(name)) {
                Optional<Duration> delay = secondsOrDate(value, headers, receivedAt);
                if (delay.isPresent()) {
                    return delay;
                }
            }
        }
        return Optional.empty();
    }

    /** The server's own time: dates and times are its own, and its clock may be wrong. */
    static Instant serverNow(Headers headers, Instant receivedAt) {
        return headers.first("date")
                .flatMap(value -> HttpDate.parse(value, receivedAt))
                .orElse(receivedAt);
    }

    private static Optional<Duration> secondsOrDate(String value, Headers headers, Instant receivedAt) {
        return DelayText.seconds(value)
                .or(() -> HttpDate.parse(value, receivedAt)
                        .or(() -> DelayText.instant(value))
                        .map(date -> DelayText.between(serverNow(headers, receivedAt), date)));
    }
}
