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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A body that is read with a timeout. At most {@value #AHEAD} pieces wait for the reader: whoever reads slowly slows the
 * server down and not the memory up.
 */
final class IncomingBody extends InputStream implements BodySubscriber<InputStream> {
    private static final int AHEAD = 4;

    private final Deadlines deadlines;
    private final BooleanSupplier transportClosed;
    private final Runnable over;
    private final LinkedBlockingQueue<Signal> arrived = new LinkedBlockingQueue<>();
    private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ArrayDeque<ByteBuffer> pieces = new ArrayDeque<>();
    private volatile @Nullable Signal last;
    private volatile boolean multiplexed;
    private volatile long promised = -1;
    private long received;

    private sealed interface Signal {
        record Data(List<ByteBuffer> pieces) implements Signal {}

        record End() implements Signal {}

        record Failed(Throwable cause) implements Signal {}

        record Closed() implements Signal {}
    }

    /**
     * @param deadlines how long reads may wait
     * @param transportClosed whether the transport was closed, which explains a failure
     * @param over is run when nothing more will come, perhaps more than once
     */
    IncomingBody(Deadlines deadlines, BooleanSupplier transportClosed, Runnable over) {
        this.deadlines = deadlines;
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
    }

    @Override
    public CompletionStage<InputStream> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        if (!subscription.compareAndSet(null, given) || closed.get()) {
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
        over.run();
    }

    @Override
    public void onComplete() {
        arrived.add(new Signal.End());
        over.run();
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
        ByteBuffer piece = pieces.peek();
        return piece == null ? 0 : piece.remaining();
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
        Signal known = last;
        if (known != null) {
            return known;
        }
        return closed.get() ? new Signal.Closed() : await();
    }

    private Signal await() throws IOException {
        try {
            Signal signal = arrived.poll(Math.max(0, deadlines.readLeft()), TimeUnit.NANOSECONDS);
            if (signal == null) {
                close();
                throw Faults.timeout(Delivery.AMBIGUOUS, "the body did not come in time");
            }
            return signal;
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while reading the body").initCause(e);
        }
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
        return last != null || arrived.stream().anyMatch(signal -> !(signal instanceof Signal.Data));
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
        over.run();
    }
}
