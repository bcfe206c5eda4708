package dev.holdfast.core.internal.stream;

import java.nio.ByteBuffer;
import java.time.Duration;

/** The bytes of an event stream, and who is told how far it got. */
interface EventBytes {
    /**
     * Reads what is there, after waiting for it.
     *
     * @return how much, or -1 at the end
     * @throws StreamBrokenException if the connection failed or a timer ran out
     * @throws InterruptedException if the thread was interrupted
     */
    int read(byte[] buffer) throws StreamBrokenException, InterruptedException;

    /** Whether there is something to read, without waiting for it. */
    default boolean isThere() {
        return false;
    }

    /** What came is part of the answer. */
    default void meaningful() {}

    /** The answer is complete: the rest is waited for no longer than this. */
    default void complete(Duration tail) {}

    /** Bytes that are there. */
    static EventBytes of(ByteBuffer bytes) {
        ByteBuffer left = bytes.duplicate();
        return buffer -> {
            int count = Math.min(left.remaining(), buffer.length);
            left.get(buffer, 0, count);
            return count == 0 ? -1 : count;
        };
    }
}
