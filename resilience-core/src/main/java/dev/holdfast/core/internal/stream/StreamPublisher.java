package dev.holdfast.core.internal.stream;

import dev.holdfast.StreamEvent;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream for one subscriber, after the rules of Reactive Streams: read on a thread of its own, as much as was asked for,
 * signals one after the other.
 */
final class StreamPublisher implements Flow.Publisher<StreamEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(StreamPublisher.class);

    private final EventSource source;
    private final Timekeeper time;
    private final Consumer<Runnable> start;
    private final AtomicBoolean subscribed = new AtomicBoolean();

    StreamPublisher(EventSource source, Timekeeper time, Consumer<Runnable> start) {
        this.source = source;
        this.time = time;
        this.start = start;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super StreamEvent> subscriber) {
        Objects.requireNonNull(subscriber);
        if (subscribed.compareAndSet(false, true)) {
            var reading = new Reading(subscriber);
            start.accept(reading::run);
        } else {
            subscriber.onSubscribe(new Nothing());
            subscriber.onError(new IllegalStateException("the stream has its subscriber already (expected: one)"));
        }
    }

    /** The subscription of whoever came too late. */
    private static final class Nothing implements Flow.Subscription {
        @Override
        public void request(long count) {
            // there is nothing to ask for
        }

        @Override
        public void cancel() {
            // nor to cancel
        }
    }

    private final class Reading implements Flow.Subscription {
        private final Flow.Subscriber<? super StreamEvent> subscriber;
        private final AtomicLong demand = new AtomicLong();
        private volatile Signal asked = time.newSignal();
        private volatile boolean cancelled;
        private volatile @Nullable IllegalArgumentException misuse;

        Reading(Flow.Subscriber<? super StreamEvent> subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public void request(long count) {
            if (count <= 0) {
                misuse = new IllegalArgumentException("count: " + count + " (expected: > 0)");
            } else {
                demand.accumulateAndGet(count, (had, more) -> had + more < 0 ? Long.MAX_VALUE : had + more);
            }
            asked.set();
        }

        @Override
        public void cancel() {
            cancelled = true;
            source.close("the subscriber cancelled");
            asked.set();
        }

        void run() {
            source.whenOver(() -> asked.set());
            try {
                subscriber.onSubscribe(this);
                while (awaitDemand()) {
                    if (!deliver()) {
                        return;
                    }
                }
                IllegalArgumentException wrong = misuse;
                if (wrong != null && !cancelled) {
                    cancelled = true;
                    source.close("the subscriber asked for less than one event");
                    subscriber.onError(wrong);
                }
            } catch (InterruptedException e) {
                source.close("the thread was interrupted");
            } catch (Throwable e) {
                LOG.warn("a subscriber threw; its stream is closed", e);
                source.close("the subscriber threw " + e.getClass().getSimpleName());
            } finally {
                source.whenOver(() -> {}); // whoever keeps the publisher does not keep its subscriber
            }
        }

        /** Hands the next event over, or tells how the stream ended; false after that. */
        private boolean deliver() {
            StreamEvent event;
            try {
                event = source.pull();
            } catch (RuntimeException e) {
                if (!cancelled) {
                    subscriber.onError(e);
                }
                return false;
            }
            if (cancelled) {
                return false;
            }
            if (event == null) {
                subscriber.onComplete();
                return false;
            }
            demand.updateAndGet(left -> left == Long.MAX_VALUE || left == 0 ? left : left - 1);
            subscriber.onNext(event);
            return true;
        }

        /** Waits until something was asked for, or the stream has ended without; false if nothing is wanted any more. */
        private boolean awaitDemand() throws InterruptedException {
            while (isIdle()) {
                Signal next = time.newSignal();
                asked = next;
                if (isIdle()) {
                    next.await();
                }
            }
            return !cancelled && misuse == null;
        }

        private boolean isIdle() {
            return !cancelled && misuse == null && demand.get() == 0 && !source.isOver();
        }
    }
}
