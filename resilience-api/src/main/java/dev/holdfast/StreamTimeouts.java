package dev.holdfast;

import java.time.Duration;

/**
 * The four timers of a stream. They run only while Holdfast waits for bytes, not while the consumer thinks: how long a
 * consumer takes between two events is its own affair, up to {@code total}, after which a stream counts as abandoned.
 *
 * @param firstToken from sending an attempt until its first meaningful event
 * @param idle without any byte
 * @param meaningfulIdle without a meaningful event: keep-alives do not count
 * @param total the waiting of the attempt that brought the stream in all, from sending it to the end; and the longest that a
 *     stream may lie unread
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

    /**
     * {@return these timeouts with another firstToken}
     *
     * @param length from sending an attempt until its first meaningful event
     */
    public StreamTimeouts withFirstToken(Duration length) {
        return new StreamTimeouts(length, idle, meaningfulIdle, total);
    }

    /**
     * {@return these timeouts with another idle}
     *
     * @param length without any byte
     */
    public StreamTimeouts withIdle(Duration length) {
        return new StreamTimeouts(firstToken, length, meaningfulIdle, total);
    }

    /**
     * {@return these timeouts with another meaningfulIdle}
     *
     * @param length without a meaningful event
     */
    public StreamTimeouts withMeaningfulIdle(Duration length) {
        return new StreamTimeouts(firstToken, idle, length, total);
    }

    /**
     * {@return these timeouts with another total}
     *
     * @param length the waiting in all
     */
    public StreamTimeouts withTotal(Duration length) {
        return new StreamTimeouts(firstToken, idle, meaningfulIdle, length);
    }
}
