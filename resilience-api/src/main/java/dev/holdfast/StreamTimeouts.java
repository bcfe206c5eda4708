package dev.holdfast;

import java.time.Duration;

/**
 * The four timers of a stream. They run only while Holdfast waits for bytes, not while the consumer thinks.
 *
 * @param firstToken until the first meaningful event
 * @param idle between two reads of any bytes
 * @param meaningfulIdle between two meaningful events: keep-alives do not count
 * @param total from the first byte sent to the end
 */
public record StreamTimeouts(Duration firstToken, Duration idle, Duration meaningfulIdle, Duration total) {
    private static final StreamTimeouts DEFAULTS = new StreamTimeouts(
            Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofMinutes(10));

    /** Refuses timeouts that are not positive. */
    public StreamTimeouts {
        Checks.positive("firstToken", firstToken);
        Checks.positive("idle", idle);
        Checks.positive("meaningfulIdle", meaningfulIdle);
        Checks.positive("total", total);
    }

    /** {@return 30 s to the first event, 30 s without bytes, 60 s without a meaningful event, 10 min in all} */
    public static StreamTimeouts defaults() {
        return DEFAULTS;
    }
}
