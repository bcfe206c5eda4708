package dev.holdfast.transport.internal;

import dev.holdfast.spi.TransportTimeouts;
import java.time.Duration;

/** The timeouts of one call, as what is left of them. */
record Deadlines(long startNanos, long connectNanos, long firstByteNanos, long idleNanos, long totalNanos) {
    static Deadlines startNow(TransportTimeouts timeouts) {
        return new Deadlines(
                System.nanoTime(),
                nanos(timeouts.connect()),
                nanos(timeouts.firstByte()),
                nanos(timeouts.idle()),
                nanos(timeouts.total()));
    }

    long connectLeft() {
        return left(Math.min(connectNanos, Math.min(firstByteNanos, totalNanos)));
    }

    long firstByteLeft() {
        return left(Math.min(firstByteNanos, totalNanos));
    }

    /** How long one read of the body may wait. */
    long readLeft() {
        return Math.min(idleNanos, left(totalNanos));
    }

    private long left(long limitNanos) {
        return limitNanos - (System.nanoTime() - startNanos);
    }

    private static long nanos(Duration duration) {
        return duration.toSeconds() >= Long.MAX_VALUE / 1_000_000_000 ? Long.MAX_VALUE : duration.toNanos();
    }
}
