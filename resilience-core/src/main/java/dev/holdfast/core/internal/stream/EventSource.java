package dev.holdfast.core.internal.stream;

import dev.holdfast.CallException;
import dev.holdfast.ModelResponse;
import dev.holdfast.StreamEvent;
import org.jspecify.annotations.Nullable;

/** Where the events of a stream come from. Pulled by one thread at a time, closed by any. */
interface EventSource {
    /**
     * The next event, waited for.
     *
     * @return the event; null at the good end, and from then on
     * @throws CallException if the stream failed or was closed
     */
    @Nullable
    StreamEvent pull();

    /** Whether the next event is here, so that pulling it does not wait. */
    boolean isReady();

    /** The response, once {@link #pull} said that the end has come. */
    ModelResponse response();

    /** Whether nothing more will come. */
    boolean isOver();

    /** Ends the stream if it has not ended. */
    void close(String why);

    /** What is done when the stream ends, whoever ends it; set before the first pull. */
    void whenOver(Runnable action);
}
