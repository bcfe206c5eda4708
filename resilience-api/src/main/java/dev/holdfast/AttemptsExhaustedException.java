package dev.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * Attempts, targets or retry budget are used up. The kind is that of the last failure.
 */
public final class AttemptsExhaustedException extends CallException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what happened, for people
     * @param failure the last failure
     * @param trail what the call did
     * @param cause what it was caused by; null where nothing was
     */
    public AttemptsExhaustedException(String message, Failure failure, CallTrail trail, @Nullable Throwable cause) {
        super(message, failure, trail, cause);
    }
}
