package dev.holdfast;

import java.util.Iterator;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * A streamed answer, for one consumer. It is there once its first meaningful event has arrived: until then a failure is
 * retried unseen, or goes to another target. From then on the stream is committed, and a failure is thrown to the consumer
 * with what had arrived ({@link CallException#partialAnswer()}). A stream that breaks off never looks like one that ended.
 *
 * <pre>{@code
 * try (ModelStream stream = client.stream(request)) {
 *     for (StreamEvent event : stream) {
 *         if (event instanceof StreamEvent.TextDelta(String text)) {
 *             System.out.print(text);
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>Read it on one thread at a time; {@link #close()} may come from any, aborts the exchange, and gives a reader that waits
 * a {@link CallCancelledException}. Interrupting the reader ends the stream likewise. A stream holds its connection and its
 * permits until it ends: read it to its end or close it. One that nobody touches for its total timeout is cancelled.
 */
public interface ModelStream extends Iterable<StreamEvent>, AutoCloseable {
    /**
     * {@return the events; callable once. Its methods throw {@link CallException} if the stream fails, after every event that
     * arrived before}
     *
     * @throws IllegalStateException at a second call, or beside {@link #publisher()}
     */
    @Override
    Iterator<StreamEvent> iterator();

    /**
     * {@return whether the next event is here, so that asking for it does not wait; false where that is not known, and at the end}.
     * Whoever passes events on gathers by it what came in one piece. Only for the thread that reads.
     */
    default boolean isReady() {
        return false;
    }

    /**
     * Hands every event to the consumer, on the calling thread.
     *
     * @param consumer takes the events
     * @throws CallException if the stream fails
     */
    @Override
    default void forEach(Consumer<? super StreamEvent> consumer) {
        Iterable.super.forEach(consumer);
    }

    /**
     * {@return the events as a publisher for one subscriber: they are read on a thread of its own as it asks for them, a failure
     * is its {@code onError}, and its cancelling closes the stream}
     *
     * @throws IllegalStateException beside {@link #iterator()}
     */
    Flow.Publisher<StreamEvent> publisher();

    /**
     * Reads what is left, to the end. May follow an iteration.
     *
     * @return the response to the whole call, equal in content to the one that is not streamed
     * @throws CallException if the stream fails, or was closed before its end
     * @throws IllegalStateException if a subscriber is reading
     */
    ModelResponse toResponse();

    /** Aborts the exchange if it is still open. Does nothing the second time. */
    @Override
    void close();
}
