package dev.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * The call's deadline passed. The cause, where there is one, is the failure before; an attempt that the deadline cut may
 * have been billed.
 */
public final class DeadlineExceededException extends CallException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what happened, for people
     * @param failure the last failure
     * @param trail what the call did
     * @param cause what it was caused by; null where nothing was
     */
    public DeadlineExceededException(String message, Failure failure, CallTrail trail, @Nullable Throwable cause) {
        super(message, failure, trail, cause);
    }
}
