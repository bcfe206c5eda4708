package dev.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * Nothing was sent: every target was open, limited, cooling down or not allowed, or the client has too many calls in
 * flight. {@link #kind()} says which, {@link #retryAfter()} when the earliest is free.
 */
public final class CallRejectedException extends CallException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what happened, for people
     * @param failure the last failure
     * @param trail what the call did
     * @param cause what it was caused by; null where nothing was
     */
    public CallRejectedException(String message, Failure failure, CallTrail trail, @Nullable Throwable cause) {
        super(message, failure, trail, cause);
    }

    private CallRejectedException(String message, Failure failure, CallTrail trail) {
        super(message, failure, trail);
    }

    /**
     * {@return a rejection that holds no stack trace}: while something is open it rejects many calls a second, the message says
     * what was in the way, and a trace would cost several times what all the rest of the rejection does
     *
     * @param message what happened, for people
     * @param failure why it was rejected
     * @param trail what the call did
     */
    public static CallRejectedException withoutStackTrace(String message, Failure failure, CallTrail trail) {
        return new CallRejectedException(message, failure, trail);
    }
}
