package dev.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * The caller cancelled the call or its thread was interrupted; the thread's interrupt flag is set again.
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
}
