package dev.holdfast;

import java.util.Iterator;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * A streamed answer, for one consumer. Until its first meaningful event a failure is retried unseen; after it the stream
 * is committed, and a failure is thrown to the consumer with what had arrived.
 *
 * <p>Iterate on one thread; {@link #close()} may come from any and aborts the exchange. A stream that is neither read to
 * its end nor closed is cancelled at its total timeout.
 */
public interface ModelStream extends Iterable<StreamEvent>, AutoCloseable {
    /**
     * {@return the events; callable once}
     *
     * @throws IllegalStateException at a second call
     */
    @Override
    Iterator<StreamEvent> iterator();

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

    /** {@return the events as a publisher for one subscriber; read on a thread of its own} */
    Flow.Publisher<StreamEvent> publisher();

    /**
     * Reads to the end.
     *
     * @return the response, equal in content to the one that is not streamed
     * @throws CallException if the stream fails
     */
    ModelResponse toResponse();

    /** Aborts the exchange if it is still open. Does nothing the second time. */
    @Override
    void close();
}
