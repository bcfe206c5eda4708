package dev.holdfast.cache.internal.response;

import dev.holdfast.CallException;
import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import java.util.Iterator;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

/** A stream that passes on untouched, and someone who is told how it ended, once. */
public final class WatchedStream implements ModelStream {
    /** Hears of the end of a stream, on the thread that met it. */
    public interface Watcher {
        /** It came to its good end. */
        void completed(ModelResponse response);

        /** It failed, or was cancelled while it was read. */
        void failed(CallException failure);

        /** Nobody wanted the rest. */
        void closed();
    }

    private final ModelStream inner;
    private final Watcher watcher;
    private final AtomicBoolean told = new AtomicBoolean();

    /** A stream under watch. */
    public WatchedStream(ModelStream inner, Watcher watcher) {
        this.inner = inner;
        this.watcher = watcher;
    }

    @Override
    public Iterator<StreamEvent> iterator() {
        return new Watched(inner.iterator());
    }

    @Override
    public boolean isReady() {
        return inner.isReady();
    }

    @Override
    public Flow.Publisher<StreamEvent> publisher() {
        Flow.Publisher<StreamEvent> publisher = inner.publisher();
        return subscriber -> publisher.subscribe(new Passing(subscriber));
    }

    @Override
    public ModelResponse toResponse() {
        try {
            ModelResponse response = inner.toResponse();
            if (told.compareAndSet(false, true)) {
                watcher.completed(response);
            }
            return response;
        } catch (CallException e) {
            failed(e);
            throw e;
        }
    }

    @Override
    public void close() {
        inner.close();
        closed();
    }

    @Override
    public String toString() {
        return inner.toString();
    }

    private void completed() {
        if (told.compareAndSet(false, true)) {
            watcher.completed(inner.toResponse());
        }
    }

    private void failed(CallException failure) {
        if (told.compareAndSet(false, true)) {
            watcher.failed(failure);
        }
    }

    private void closed() {
        if (told.compareAndSet(false, true)) {
            watcher.closed();
        }
    }

    private final class Watched implements Iterator<StreamEvent> {
        private final Iterator<StreamEvent> events;

        Watched(Iterator<StreamEvent> events) {
            this.events = events;
        }

        @Override
        public boolean hasNext() {
            try {
                boolean more = events.hasNext();
                if (!more) {
                    completed();
                }
                return more;
            } catch (CallException e) {
                failed(e);
                throw e;
            }
        }

        @Override
        public StreamEvent next() {
            try {
                return events.next();
            } catch (CallException e) {
                failed(e);
                throw e;
            }
        }
    }

    private final class Passing implements Flow.Subscriber<StreamEvent> {
        private final Flow.Subscriber<? super StreamEvent> subscriber;

        Passing(Flow.Subscriber<? super StreamEvent> subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long count) {
                    subscription.request(count);
                }

                @Override
                public void cancel() {
                    subscription.cancel();
                    closed();
                }
            });
        }

        @Override
        public void onNext(StreamEvent event) {
            subscriber.onNext(event);
        }

        @Override
        public void onError(Throwable failure) {
            if (failure instanceof CallException e) {
                failed(e);
            } else {
                closed();
            }
            subscriber.onError(failure);
        }

        @Override
        public void onComplete() {
            completed();
            subscriber.onComplete();
        }
    }
}
