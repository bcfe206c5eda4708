package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A body that is read with a timeout. At most {@value #AHEAD} pieces wait for the reader: whoever reads slowly slows the
 * server down and not the memory up. What the client does with it never waits: it may be done on the thread of its selector.
 */
final class IncomingBody extends InputStream implements BodySubscriber<IncomingBody> {
    private static final int AHEAD = 4;
    /** What nobody wants is worth its reading up to this size, and if it comes so soon, to keep the connection. */
    private static final long SMALL = 64 << 10;

    private static final long SOON_NANOS = 1_000_000_000;

    private final Alarms alarms;
    private final BooleanSupplier transportClosed;
    private final Runnable over;
    private final LinkedBlockingQueue<Signal> arrived = new LinkedBlockingQueue<>();
    private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ArrayDeque<ByteBuffer> pieces = new ArrayDeque<>();
    private final CompletableFuture<IncomingBody> ended = new CompletableFuture<>();
    private volatile @Nullable CompletableFuture<?> exchange;
    private volatile @Nullable Signal last;
    private volatile boolean multiplexed;
    private volatile long promised = -1;
    private volatile boolean misframed;
    private Deadlines deadlines;
    private long received;
    private long waits;

    private sealed interface Signal {
        record Data(List<ByteBuffer> pieces) implements Signal {}

        record End() implements Signal {}

        record Failed(Throwable cause) implements Signal {}

        record Closed() implements Signal {}

        /** A wait took too long: the one that has this number, and no later one. */
        record Late(long number) implements Signal {}

        default boolean isLast() {
            return !(this instanceof Data || this instanceof Late);
        }
    }

    /**
     * @param deadlines how long reads may wait
     * @param alarms end what waits too long
     * @param transportClosed whether the transport was closed, which explains a failure
     * @param over is run when nothing more will come, perhaps more than once
     */
    IncomingBody(Deadlines deadlines, Alarms alarms, BooleanSupplier transportClosed, Runnable over) {
        this.deadlines = deadlines;
        this.alarms = alarms;
        this.transportClosed = transportClosed;
        this.over = over;
    }

    /** Of HTTP/2 the client does not compare the body with the length that the head promises (RFC 9113, section 8.1.1). */
    void begin(Head head, String method) {
        multiplexed = head.version() == HttpClient.Version.HTTP_2;
        boolean bodiless = method.equals("HEAD") || head.status() == 304;
        if (multiplexed && !bodiless) {
            promised = head.headers().firstValueAsLong("Content-Length").orElse(-1);
        }
        misframed = !multiplexed && !bodiless && Framing.isAmbiguous(head);
    }

    /**
     * Says which future of the client ends with this body. The client ends it by a task of the common pool, unless it has ended before:
     * so it is ended here, which saves a thread its waking at every exchange.
     */
    void endsWith(CompletableFuture<?> future) {
        exchange = future;
    }

    @Override
    public CompletionStage<IncomingBody> getBody() {
        return ended;
    }

    private void end() {
        over.run();
        CompletableFuture<?> future = exchange;
        if (future != null) {
            future.complete(null);
        }
        ended.complete(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        // What is misframed is not read, so that the client cannot take it for whole and keep the connection.
        if (!subscription.compareAndSet(null, given) || closed.get() || misframed) {
            given.cancel();
        } else {
            given.request(AHEAD);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (!closed.get()) {
            arrived.add(new Signal.Data(buffers));
        }
    }

    @Override
    public void onError(Throwable cause) {
        arrived.add(new Signal.Failed(cause));
        end();
    }

    @Override
    public void onComplete() {
        arrived.add(new Signal.End());
        end();
    }

    /** The client ends an exchange without a word to the body if it had no time to begin it. */
    void exchangeEnded(Throwable failure) {
        if (subscription.get() == null) {
            onError(failure);
        }
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        while (pieces.isEmpty()) {
            if (!fill()) {
                return -1;
            }
        }
        ByteBuffer piece = pieces.element();
        int count = Math.min(length, piece.remaining());
        piece.get(target, offset, count);
        dropEmptyPieces();
        return count;
    }

    @Override
    public int available() {
        if (pieces.isEmpty() && arrived.peek() instanceof Signal.Data(List<ByteBuffer> buffers)) {
            return buffers.stream().mapToInt(ByteBuffer::remaining).sum();
        }
        ByteBuffer piece = pieces.peek();
        return piece == null ? 0 : piece.remaining();
    }

    /** Closes, and reads before what is there of a body that nobody wants. How it ends matters to nobody. */
    void discard() throws InterruptedException {
        deadlines = deadlines.soon(SOON_NANOS);
        try {
            skip(SMALL);
        } catch (InterruptedIOException e) {
            Thread.interrupted();
            throw (InterruptedException) new InterruptedException("interrupted at a redirect").initCause(e);
        } catch (IOException e) {
            // the connection is not kept
        } finally {
            close();
        }
    }

    /** Takes the next signal; false at the end of the body. */
    @SuppressWarnings("ReferenceEquality") // the same signal, not one like it
    private boolean fill() throws IOException {
        return switch (next()) {
            case Signal.Data(List<ByteBuffer> buffers) -> {
                pieces.addAll(buffers);
                count(buffers);
                dropEmptyPieces();
                yield true;
            }
            case Signal.End end -> {
                last = promised < 0 || received == promised
                        ? end
                        : new Signal.Failed(new EOFException("not as promised"));
                yield last != end && fill();
            }
            case Signal.Failed failed -> {
                last = failed;
                throw transportClosed.getAsBoolean()
                        ? Faults.closed(Delivery.AMBIGUOUS, failed.cause())
                        : Faults.ofBody(failed.cause(), multiplexed);
            }
            case Signal.Closed ignored ->
                throw new TransportException(Fault.CLOSED, Delivery.AMBIGUOUS, "the reply was closed", null);
            case Signal.Late ignored -> {
                close();
                throw Faults.timeout(Delivery.AMBIGUOUS, "the body did not come in time");
            }
        };
    }

    private void count(List<ByteBuffer> buffers) throws IOException {
        for (ByteBuffer buffer : buffers) {
            received += buffer.remaining();
        }
        if (promised >= 0 && received > promised) {
            close();
            throw new TransportException(
                    Fault.PROTOCOL, Delivery.AMBIGUOUS, "the body is longer than its Content-Length", null);
        }
    }

    private Signal next() throws IOException {
        if (misframed) {
            close();
            throw new TransportException(
                    Fault.PROTOCOL, Delivery.AMBIGUOUS, "the head of the answer does not say where it ends", null);
        }
        Signal known = last;
        if (known != null) {
            return known;
        }
        return closed.get() ? new Signal.Closed() : await();
    }

    private Signal await() throws IOException {
        try {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Signal signal = current(arrived.poll());
            return signal == null ? awaitLonger() : signal;
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while reading the body").initCause(e);
        }
    }

    private Signal awaitLonger() throws InterruptedException {
        var late = new Signal.Late(waits);
        LongSupplier ring = () -> {
            arrived.add(late);
            return 0;
        };
        try (Alarms.Alarm alarm = alarms.in(deadlines.readLeft(), ring)) {
            Signal signal = null;
            while (signal == null) {
                signal = current(arrived.take());
            }
            return signal;
        } finally {
            waits++;
        }
    }

    /** What came; nothing if it is the alarm of a wait that was over by then. */
    private @Nullable Signal current(@Nullable Signal signal) {
        return signal instanceof Signal.Late(long number) && number != waits ? null : signal;
    }

    /** Empty pieces go, and when the last of what came is used up, more is asked for. */
    private void dropEmptyPieces() {
        while (!pieces.isEmpty() && !pieces.element().hasRemaining()) {
            pieces.remove();
        }
        Flow.Subscription source = subscription.get();
        if (pieces.isEmpty() && source != null) {
            source.request(1);
        }
    }

    /** Whether the body was read to its end, or has arrived to its end without having been read. */
    private boolean isOver() {
        return last != null || arrived.stream().anyMatch(Signal::isLast);
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Flow.Subscription source = subscription.get();
        if (source != null && !isOver()) {
            source.cancel();
        }
        arrived.add(new Signal.Closed());
        end();
    }
}
