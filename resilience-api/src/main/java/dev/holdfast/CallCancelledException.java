package dev.holdfast;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The caller cancelled the call or closed the stream, or the thread was interrupted, whose interrupt flag is set again.
 */
public final class CallCancelledException extends CallException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what happened, for people
     * @param failure the last failure
     * @param trail what the call did
     * @param cause what it was caused by; null where nothing was
     */
    public CallCancelledException(String message, Failure failure, CallTrail trail, @Nullable Throwable cause) {
        super(message, failure, trail, cause);
    }

    /**
     * Creates the exception for a stream.
     *
     * @param message what happened, for people
     * @param failure what ended the stream
     * @param trail what the call did
     * @param partialAnswer what had arrived; empty where it cannot be told
     * @param cause what it was caused by; null where nothing was
     */
    public CallCancelledException(
            String message,
            Failure failure,
            CallTrail trail,
            Optional<ModelAnswer> partialAnswer,
            @Nullable Throwable cause) {
        super(message, failure, trail, partialAnswer, cause);
    }
}
