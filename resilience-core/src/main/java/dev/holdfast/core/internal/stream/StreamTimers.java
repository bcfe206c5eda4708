package dev.holdfast.core.internal.stream;

import dev.holdfast.StreamTimeouts;
import java.time.Duration;

/**
 * The timers of one stream, as arithmetic: told what happens and when, it says which timer comes next. They run while bytes
 * are awaited and made sense of; what the consumer takes to think counts for none of them, but for the one of abandoned streams.
 */
final class StreamTimers {
    private static final long FAR_NANOS = Long.MAX_VALUE / 4;

    private final long sentNanos;
    private final long openingNanos;
    private final long idleNanos;
    private final long meaningfulIdleNanos;
    private final long totalNanos;
    private boolean begun;
    private boolean touched;
    /** How much longer the rest of a complete answer is waited for; -1 before that. */
    private long tailNanos = -1;

    /** Whether the consumer waits for us; else it thinks. */
    private boolean running;

    private long countedNanos;
    /** Waiting in all, once the stream has begun; what came before counts as a whole. */
    private long waitedNanos;
    /** Waiting since the last meaningful event. */
    private long stuckNanos;

    /** What may run out. */
    enum Timer {
        FIRST_TOKEN("no meaningful event"),
        IDLE("no byte"),
        MEANINGFUL_IDLE("no meaningful event, though the connection is alive"),
        TOTAL("no end"),
        /** The rest of a stream whose answer is complete. */
        TAIL("no end of a complete answer"),
        /** Nobody reads. */
        ABANDONED("nobody read the stream");

        private final String words;

        Timer(String words) {
            this.words = words;
        }
    }

    /**
     * The timer that runs out next.
     *
     * @param timer which
     * @param atNanos when
     * @param lengthNanos how long it is as a whole
     */
    record Due(Timer timer, long atNanos, long lengthNanos) {
        private Due orEarlier(Due other) {
            return other.atNanos - atNanos < 0 ? other : this;
        }

        String words() {
            return timer.words + " for " + lengthNanos / 1_000_000 + " ms";
        }
    }

    /**
     * Timers of an attempt.
     *
     * @param timeouts how long they are
     * @param opening how long the stream may take to begin
     * @param sentNanos when the attempt was sent
     */
    StreamTimers(StreamTimeouts timeouts, Duration opening, long sentNanos) {
        this.sentNanos = sentNanos;
        this.openingNanos = nanos(opening);
        this.idleNanos = nanos(timeouts.idle());
        this.meaningfulIdleNanos = nanos(timeouts.meaningfulIdle());
        this.totalNanos = nanos(timeouts.total());
    }

    /** A wait for bytes begins. */
    Due waiting(long now) {
        count(now);
        running = true;
        if (tailNanos >= 0) {
            return new Due(Timer.TAIL, now + tailNanos, tailNanos);
        }
        var idle = new Due(Timer.IDLE, now + idleNanos, idleNanos);
        if (!begun) {
            return new Due(Timer.FIRST_TOKEN, sentNanos + openingNanos, openingNanos)
                    .orEarlier(new Due(Timer.TOTAL, sentNanos + totalNanos, totalNanos))
                    .orEarlier(idle);
        }
        return idle.orEarlier(
                        new Due(Timer.MEANINGFUL_IDLE, now + meaningfulIdleNanos - stuckNanos, meaningfulIdleNanos))
                .orEarlier(new Due(Timer.TOTAL, now + totalNanos - waitedNanos, totalNanos));
    }

    /** The wait is over: bytes came, or the end. */
    void arrived(long now) {
        count(now);
    }

    /** Bytes that come faster than they can be read leave nothing to wait for: the time that reading takes counts too. */
    private void count(long now) {
        long waited = running ? now - countedNanos : 0;
        countedNanos = now;
        waitedNanos += waited;
        stuckNanos += waited;
        if (tailNanos >= 0) {
            tailNanos = Math.max(0, tailNanos - waited);
        }
    }

    /** What arrived was part of the answer. The first such event begins the stream. */
    void meaningful(long now) {
        count(now);
        stuckNanos = 0;
        if (!begun) {
            begun = true;
            waitedNanos = now - sentNanos;
        }
    }

    /** The answer is complete; what may follow is waited for no longer than this, however often it is said. */
    void complete(Duration tail) {
        tailNanos = tailNanos < 0 ? nanos(tail) : Math.min(tailNanos, nanos(tail));
    }

    /** The stream lies in the consumer's hands: at first, and again whenever it took an event. */
    Due unread(long now) {
        count(now);
        running = false;
        long since = touched ? now : sentNanos;
        touched = true;
        return new Due(Timer.ABANDONED, since + totalNanos, totalNanos);
    }

    private static long nanos(Duration length) {
        return length.compareTo(Duration.ofNanos(FAR_NANOS)) < 0 ? length.toNanos() : FAR_NANOS;
    }
}
