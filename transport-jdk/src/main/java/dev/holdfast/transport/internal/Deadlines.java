package dev.holdfast.transport.internal;

import dev.holdfast.spi.TransportTimeouts;
import java.time.Duration;

/** The timeouts of one call, as what is left of them. Connecting counts from when there is room for a connection. */
record Deadlines(
        long startNanos,
        long connectStartNanos,
        long connectNanos,
        long firstByteNanos,
        long idleNanos,
        long totalNanos) {
    static Deadlines startNow(TransportTimeouts timeouts) {
        long now = System.nanoTime();
        return new Deadlines(
                now,
                now,
                nanos(timeouts.connect()),
                nanos(timeouts.firstByte()),
                nanos(timeouts.idle()),
                nanos(timeouts.total()));
    }

    /** The same timeouts, with connecting begun now. */
    Deadlines connecting() {
        return new Deadlines(startNanos, System.nanoTime(), connectNanos, firstByteNanos, idleNanos, totalNanos);
    }

    long connectLeft() {
        return Math.min(left(connectStartNanos, connectNanos), firstByteLeft());
    }

    long firstByteLeft() {
        return left(startNanos, Math.min(firstByteNanos, totalNanos));
    }

    /** How long one read of the body may wait. */
    long readLeft() {
        return Math.min(idleNanos, left(startNanos, totalNanos));
    }

    /** The same timeouts, with all of it to be over within that time, and before a head would be late. */
    Deadlines soon(long nanos) {
        long end = System.nanoTime() - startNanos + nanos;
        long total = Math.min(Math.min(firstByteNanos, totalNanos), end);
        return new Deadlines(startNanos, connectStartNanos, connectNanos, firstByteNanos, idleNanos, total);
    }

    private static long left(long startNanos, long limitNanos) {
        return limitNanos - (System.nanoTime() - startNanos);
    }

    static long nanos(Duration duration) {
        return duration.toSeconds() >= Long.MAX_VALUE / 1_000_000_000 ? Long.MAX_VALUE : duration.toNanos();
    }
}
