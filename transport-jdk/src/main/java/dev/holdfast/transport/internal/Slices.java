package dev.holdfast.transport.internal;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;

/** Hands a body over in slices of {@value #SIZE} bytes, without a copy. The client asks for them one after the other. */
final class Slices implements Flow.Subscription {
    private static final int SIZE = 16 << 10;

    private final ByteBuffer content;
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final AtomicLong wanted = new AtomicLong();
    private volatile boolean over;

    Slices(ByteBuffer content, Flow.Subscriber<? super ByteBuffer> subscriber) {
        this.content = content;
        this.subscriber = subscriber;
    }

    /** Whoever raises the demand from nothing delivers, for the others and for requests made within. */
    @Override
    public void request(long n) {
        if (n < 1) {
            fail();
        } else if (wanted.getAndAccumulate(n, Slices::sum) == 0) {
            deliver();
        }
    }

    private void deliver() {
        do {
            if (over) {
                return;
            }
            if (content.hasRemaining()) {
                int size = Math.min(SIZE, content.remaining());
                ByteBuffer slice = content.slice(content.position(), size);
                content.position(content.position() + size);
                subscriber.onNext(slice);
            }
            if (!content.hasRemaining() && !over) {
                over = true;
                subscriber.onComplete();
            }
        } while (wanted.decrementAndGet() > 0);
    }

    private void fail() {
        if (!over) {
            over = true;
            subscriber.onError(new IllegalArgumentException("n: not positive (expected: > 0)"));
        }
    }

    @Override
    public void cancel() {
        over = true;
    }

    private static long sum(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
