package dev.holdfast;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A stream failed after its first meaningful event. By then it was committed, so nothing was tried again: what had arrived
 * is {@link #partialAnswer()}, and whether to ask anew, or to let the model go on from there, is the caller's to decide.
 */
public final class StreamFailedException extends CallException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what happened, for people
     * @param failure what ended the stream
     * @param trail what the call did
     * @param partialAnswer what had arrived; empty where it cannot be told
     * @param cause what it was caused by; null where nothing was
     */
    public StreamFailedException(
            String message,
            Failure failure,
            CallTrail trail,
            Optional<ModelAnswer> partialAnswer,
            @Nullable Throwable cause) {
        super(message, failure, trail, partialAnswer, cause);
    }
}
