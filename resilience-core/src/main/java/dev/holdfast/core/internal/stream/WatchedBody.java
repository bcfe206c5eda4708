package dev.holdfast.core.internal.stream;

import dev.holdfast.spi.TransportException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;

/** A body that is read under the eyes of a watch, beginning with what was read of it already. */
public final class WatchedBody implements EventBytes {
    private final InputStream body;
    private final StreamWatch watch;
    private final StreamJudge judge;
    private byte[] head = {};

    /**
     * Creates a body.
     *
     * @param body the bytes
     * @param watch keeps the timers
     * @param judge says what a failure is
     */
    public WatchedBody(InputStream body, StreamWatch watch, StreamJudge judge) {
        this.body = body;
        this.watch = watch;
        this.judge = judge;
    }

    /** Puts bytes back that were read; the next read brings them. */
    public void unread(byte[] bytes) {
        head = bytes;
    }

    @Override
    public int read(byte[] buffer) throws StreamBrokenException, InterruptedException {
        if (head.length > 0) {
            int count = Math.min(head.length, buffer.length);
            System.arraycopy(head, 0, buffer, 0, count);
            head = Arrays.copyOfRange(head, count, head.length);
            return count;
        }
        watch.waiting();
        try {
            int count = Bodies.read(() -> body.read(buffer, 0, buffer.length));
            watch.arrived();
            return count;
        } catch (TransportException e) {
            StreamWatch.Expiry expiry = watch.expiry();
            throw new StreamBrokenException(expiry == null ? judge.fromTransport(e) : judge.timeout(expiry));
        }
    }

    @Override
    public boolean isThere() {
        try {
            return head.length > 0 || body.available() > 0;
        } catch (IOException e) {
            return false; // the next read says what is wrong
        }
    }

    @Override
    public void meaningful() {
        watch.meaningful();
    }

    @Override
    public void complete(Duration tail) {
        watch.complete(tail);
    }
}
