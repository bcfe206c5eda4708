package dev.holdfast.transport.internal;

import dev.holdfast.Bytes;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The body of a request, which tells us what the client does not: that the connection stands (it asks for the length only
 * then, to write the head), and that it is about to repeat the request by itself. Over HTTP/1.1 that is refused; over HTTP/2 it does
 * so once where the server says that it did not process the request (RFC 9113, section 8.7), and nowhere else.
 */
final class OutgoingBody implements BodyPublisher {
    private final Bytes body;
    private final int most;
    private final Runnable onConnected;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final AtomicInteger handedOver = new AtomicInteger();
    private volatile long sentNanos;

    private enum State {
        WAITING,
        SENDING,
        ABANDONED
    }

    /**
     * @param body what is sent
     * @param most how often the client may send it
     * @param onConnected is run once, when the connection stands
     */
    OutgoingBody(Bytes body, int most, Runnable onConnected) {
        this.body = body;
        this.most = most;
        this.onConnected = onConnected;
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
            onConnected.run();
        } else if (state.get() == State.ABANDONED) {
            throw new IllegalStateException("the call was given up");
        }
        return body.size();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        if (handedOver.incrementAndGet() <= most) {
            subscriber.onSubscribe(new Slices(body.asByteBuffer(), subscriber));
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
