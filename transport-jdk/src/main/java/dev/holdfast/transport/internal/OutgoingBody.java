package dev.holdfast.transport.internal;

import dev.holdfast.Bytes;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The body of a request, which tells us what the client does not: that the connection stands (it asks for the length only
 * then, to write the head), and that it is about to repeat the request by itself, which is refused.
 */
final class OutgoingBody implements BodyPublisher {
    private final BodyPublisher content;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final AtomicBoolean handedOver = new AtomicBoolean();
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private volatile long sentNanos;

    private enum State {
        WAITING,
        SENDING,
        ABANDONED
    }

    OutgoingBody(Bytes body) {
        content = BodyPublishers.ofByteArray(body.toByteArray());
    }

    /** Completes when the connection stands. */
    CompletableFuture<Void> connected() {
        return connected;
    }

    /** Gives up unless sending has begun; afterwards nothing is sent any more. */
    boolean abandon() {
        return state.compareAndSet(State.WAITING, State.ABANDONED);
    }

    boolean isSent() {
        return state.get() == State.SENDING;
    }

    long sentNanos() {
        return sentNanos;
    }

    @Override
    public long contentLength() {
        if (state.compareAndSet(State.WAITING, State.SENDING)) {
            sentNanos = System.nanoTime();
            connected.complete(null);
        } else if (state.get() == State.ABANDONED) {
            throw new IllegalStateException("the call was given up");
        }
        return content.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        if (handedOver.compareAndSet(false, true)) {
            content.subscribe(subscriber);
        } else {
            subscriber.onSubscribe(NOTHING);
            subscriber.onError(new IOException("a request is not repeated by the transport"));
        }
    }

    private static final Flow.Subscription NOTHING = new Flow.Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
    };
}
