package dev.holdfast.simulation.internal.provider;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** What a client sends, buffered, so that a pause can listen for the client's leaving without losing what it says instead. */
final class Incoming {
    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[8192];
    private int at;
    private int end;

    Incoming(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    /** The next byte; -1 at the end. */
    int read() throws IOException {
        return at < end || fill() ? buffer[at++] & 0xff : -1;
    }

    int read(byte[] target, int offset, int length) throws IOException {
        if (at == end && !fill()) {
            return -1;
        }
        int count = Math.min(length, end - at);
        System.arraycopy(buffer, at, target, offset, count);
        at += count;
        return count;
    }

    private boolean fill() throws IOException {
        at = 0;
        end = 0;
        end = Math.max(0, in.read(buffer));
        return end > 0;
    }

    /**
     * Waits for that long.
     *
     * @throws EOFException if the client went away meanwhile
     */
    void pause(Duration pause) throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + pause.toNanos();
        if (at == end && pause.toMillis() > 0 && !isSilentFor(pause.toMillis()) && at == end) {
            throw new EOFException("the client went away");
        }
        long leftNanos = deadlineNanos - System.nanoTime();
        if (leftNanos > 0) {
            Thread.sleep(Duration.ofNanos(leftNanos));
        }
    }

    /** False if something came, which is then in the buffer, or the end. */
    private boolean isSilentFor(long millis) throws IOException {
        try {
            socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, millis));
            fill();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } finally {
            forgetTime();
        }
    }

    void forgetTime() throws IOException {
        socket.setSoTimeout(0);
    }

    /** Reads and drops everything until the client closes. */
    void awaitEnd() throws IOException {
        while (fill()) {
            at = end;
        }
    }

    /** The same, but no longer than that. */
    void awaitEnd(Duration limit) throws IOException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        long leftMillis = limit.toMillis();
        while (leftMillis > 0 && !isSilentFor(leftMillis) && at < end) {
            at = end;
            leftMillis = Duration.ofNanos(deadlineNanos - System.nanoTime()).toMillis();
        }
    }
}
