package dev.holdfast.gateway.internal.server;

import dev.holdfast.gateway.internal.http.Exchange;
import dev.holdfast.gateway.internal.http.ServerLimits;
import dev.holdfast.spi.Timekeeper;
import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.ConnectionContext;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connected client. Its thread reads and writes as it needs to. Where a request takes longer than a moment, another thread reads
 * ahead meanwhile: that is how a client that hangs up is noticed. How long a read or a write takes is looked at by one thread for all
 * clients. The rest is called by the thread of the connection, but where it says otherwise.
 */
final class Peer {
    /** So many pieces of what the client sends are read ahead; after that it has to wait. */
    private static final int AHEAD = 8;

    /** How large a chunk may be of a body that nobody asked for. */
    private static final int USUAL_PIECE = 64 << 10;

    private static final Duration LINGER = Duration.ofSeconds(2);
    private static final byte[] END = new byte[0];

    private enum Phase {
        IDLE,
        HEAD,
        BODY,
        LINGER
    }

    private final BlockingQueue<byte[]> pieces = new ArrayBlockingQueue<>(AHEAD);
    private final ConnectionContext context;
    private final ServerLimits limits;
    private final Timekeeper time;

    /** Guards who reads, whether it is late, and who works; never held while anything is waited for. */
    private final ReentrantLock lock = new ReentrantLock();

    private boolean reading;
    private boolean readAhead;
    private Phase phase = Phase.IDLE;
    private long deadline;
    private @Nullable Thread working;
    private boolean seenWorking;

    private volatile boolean gone;
    private volatile boolean late;
    private volatile boolean writing;
    private volatile long writingSince;
    private boolean ended;
    private long largestPiece = USUAL_PIECE;

    Peer(ConnectionContext context, ServerLimits limits, Timekeeper time) {
        this.context = context;
        this.limits = limits;
        this.time = time;
    }

    /** Takes over what was read of the connection so far. */
    void start() {
        int read = context.dataReader().available();
        if (read > 0) {
            pieces.add(context.dataReader().readBytes(read));
        }
    }

    /** {@return what came next; null at the end} */
    byte @Nullable [] read() {
        if (ended) {
            return null;
        }
        boolean ahead = beginReading();
        byte[] piece = END;
        try {
            piece = ahead ? pieces.take() : fromSocket();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended = !endReading(piece);
        }
        return ended ? null : piece;
    }

    /** {@return whether there is something in the queue, or another thread about to put it there} */
    private boolean beginReading() {
        lock.lock();
        try {
            if (phase == Phase.IDLE) {
                deadline = after(limits.idle());
            }
            reading = true;
            return readAhead || gone || !pieces.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether the client goes on} */
    private boolean endReading(byte[] piece) {
        lock.lock();
        try {
            reading = false;
            if (piece.length == 0) {
                gone = true;
            } else if (phase == Phase.IDLE) {
                enter(Phase.HEAD, limits.head());
            }
            return piece.length > 0 && !late;
        } finally {
            lock.unlock();
        }
    }

    private byte[] fromSocket() {
        try {
            byte[] piece = context.serverSocket().get();
            return piece == null ? END : piece;
        } catch (RuntimeException e) {
            return END; // reset by the client, or closed here: over either way
        }
    }

    /** Reads until the request is answered, the client hangs up, or has sent too much. */
    private void readAhead() {
        boolean more = true;
        while (more) {
            byte[] piece = fromSocket();
            more = piece.length > 0 ? keep(piece) : hungUp();
        }
    }

    /** {@return whether to read on} */
    private boolean keep(byte[] piece) {
        lock.lock();
        try {
            pieces.add(piece);
            readAhead = working != null && pieces.remainingCapacity() > 0;
            return readAhead;
        } finally {
            lock.unlock();
        }
    }

    private boolean hungUp() {
        lock.lock();
        try {
            gone = true;
            readAhead = false;
            if (working != null) {
                working.interrupt();
            }
            pieces.add(END);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** The head is here: what is read from now on is a body. */
    void begin() {
        turnTo(Phase.BODY, limits.body());
    }

    /** What still comes of a body that nobody wants is waited for a little. */
    void linger() {
        largestPiece = USUAL_PIECE;
        turnTo(Phase.LINGER, LINGER);
    }

    /** The request is answered: what is read from now on is the next one. */
    void finish() {
        largestPiece = USUAL_PIECE;
        turnTo(Phase.IDLE, limits.idle());
    }

    private void turnTo(Phase next, Duration longest) {
        lock.lock();
        try {
            enter(next, longest);
        } finally {
            lock.unlock();
        }
    }

    private void enter(Phase next, Duration longest) {
        phase = next;
        deadline = after(longest);
    }

    /** {@return how large a chunk of a body may be, in bytes} */
    long largestPiece() {
        return largestPiece;
    }

    /** A body of so many bytes is read now. */
    void takeBody(long most) {
        largestPiece = Math.max(most, USUAL_PIECE);
    }

    /** The connection ends here: whatever the client may send yet is not read. */
    void readNoMore() {
        ended = true;
    }

    /** Runs something, interrupted if the client hangs up meanwhile. */
    <T> T whileConnected(Exchange.Work<T> work) {
        workedOnBy(Thread.currentThread());
        try {
            if (gone) {
                Thread.currentThread().interrupt();
            }
            return work.run();
        } finally {
            workedOnBy(null);
        }
    }

    private void workedOnBy(@Nullable Thread worker) {
        lock.lock();
        try {
            working = worker;
            seenWorking = false;
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether nobody is there to be answered: the client has hung up, or was cut off} */
    boolean isGone() {
        return gone || late;
    }

    void write(Runnable write) {
        writingSince = time.nanoTime();
        writing = true;
        try {
            write.run();
        } finally {
            writing = false;
        }
    }

    /** Called by the thread that looks after all clients, from time to time. */
    void look() {
        if (writing && time.nanoTime() - writingSince > limits.write().toNanos()) {
            cutOff();
            return;
        }
        lock.lock();
        try {
            if (reading && !late && time.nanoTime() - deadline > 0) {
                late = true;
                tellTheLate();
            } else if (working != null && !seenWorking) {
                seenWorking = true;
            } else if (working != null && !readAhead && !gone && pieces.remainingCapacity() > 0) {
                readAhead = true;
                time.start("holdfast-gateway-reader", this::readAhead);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A connection that is idle just ends; who has begun to ask is told. Nobody else writes while the connection's thread reads. */
    private void tellTheLate() {
        if (phase != Phase.HEAD && phase != Phase.BODY) {
            cutOff();
            return;
        }
        byte[] refusal = phase == Phase.HEAD ? PlainRefusals.LATE_HEAD : PlainRefusals.LATE_BODY;
        time.start("holdfast-gateway-late", () -> {
            try {
                write(() -> context.serverSocket().write(BufferData.create(refusal)));
            } catch (RuntimeException e) {
                // it is not there to be told
            } finally {
                cutOff();
            }
        });
    }

    /** Closes the connection. Called by any thread. */
    void cutOff() {
        try {
            context.serverSocket().close();
        } catch (UncheckedIOException e) {
            // closed already
        }
    }

    private long after(Duration length) {
        return time.nanoTime() + length.toNanos();
    }
}
