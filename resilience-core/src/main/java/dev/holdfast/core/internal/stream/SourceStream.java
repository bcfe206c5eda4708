package dev.holdfast.core.internal.stream;

import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TransportReply;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A stream as its consumer sees it: one iteration, or one subscriber, or read as a whole. */
public final class SourceStream implements ModelStream {
    private final EventSource source;
    private final Timekeeper time;
    private final Consumer<Runnable> start;
    private final AtomicReference<Use> use = new AtomicReference<>(Use.NONE);

    private enum Use {
        NONE,
        ITERATED,
        PUBLISHED
    }

    private SourceStream(EventSource source, Timekeeper time, Consumer<Runnable> start) {
        this.source = source;
        this.time = time;
        this.start = start;
    }

    /**
     * A stream that has begun.
     *
     * @param time waits for demand
     * @param start starts a thread
     * @param first the events that have come already
     * @param flow the events to come
     * @param watch keeps the timers
     * @param reply the exchange
     * @param settlement takes back what the stream holds
     */
    public static SourceStream live(
            Timekeeper time,
            Consumer<Runnable> start,
            Collection<StreamEvent> first,
            EventFlow flow,
            StreamWatch watch,
            TransportReply reply,
            Settlement settlement) {
        return new SourceStream(new LiveSource(first, flow, watch, reply::close, settlement), time, start);
    }

    /**
     * A stream of an answer that is there as a whole.
     *
     * @param time waits for demand
     * @param start starts a thread
     * @param response the answer
     */
    public static SourceStream replayed(Timekeeper time, Consumer<Runnable> start, ModelResponse response) {
        return new SourceStream(new ReplayedSource(response), time, start);
    }

    @Override
    public Iterator<StreamEvent> iterator() {
        claim(Use.ITERATED);
        return new Events(source);
    }

    @Override
    public Flow.Publisher<StreamEvent> publisher() {
        claim(Use.PUBLISHED);
        return new StreamPublisher(source, time, start);
    }

    @Override
    public boolean isReady() {
        return source.isReady();
    }

    private void claim(Use wanted) {
        if (!use.compareAndSet(Use.NONE, wanted)) {
            throw new IllegalStateException(
                    "the stream has its consumer already (expected: one iterator or publisher)");
        }
    }

    @Override
    public ModelResponse toResponse() {
        if (use.get() == Use.PUBLISHED && !source.isOver()) {
            throw new IllegalStateException("a subscriber reads the stream (expected: none, or one that has read all)");
        }
        while (source.pull() != null) {
            // put together elsewhere
        }
        return source.response();
    }

    @Override
    public void close() {
        close("the stream was closed");
    }

    /**
     * Closes the stream and says why.
     *
     * @param why for people
     */
    public void close(String why) {
        source.close(why);
    }

    @Override
    public String toString() {
        return "ModelStream[" + (source.isOver() ? "over" : "open") + "]";
    }

    private static final class Events implements Iterator<StreamEvent> {
        private final EventSource source;
        private @Nullable StreamEvent next;
        private boolean over;

        Events(EventSource source) {
            this.source = source;
        }

        @Override
        public boolean hasNext() {
            if (next == null && !over) {
                next = source.pull();
                over = next == null;
            }
            return !over;
        }

        @Override
        public StreamEvent next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the stream has ended");
            }
            StreamEvent event = next;
            next = null;
            return java.util.Objects.requireNonNull(event);
        }
    }
}
