package dev.holdfast.core.internal.stream;

import dev.holdfast.ModelAnswer;
import dev.holdfast.StreamEvent;
import org.jspecify.annotations.Nullable;

/** Events as they come, up to their good or bad end. Used by one thread at a time. */
public interface EventFlow {
    /**
     * The next event.
     *
     * @return the event; null once the stream came to its good end
     * @throws StreamBrokenException if it came to a bad one, after every event that came before
     * @throws InterruptedException if the thread was interrupted while it waited
     */
    @Nullable
    StreamEvent next() throws StreamBrokenException, InterruptedException;

    /** Whether the next event is here; false where that is not known, and at an end. */
    default boolean isReady() {
        return false;
    }

    /** The answer as far as it came. */
    ModelAnswer answer();
}
