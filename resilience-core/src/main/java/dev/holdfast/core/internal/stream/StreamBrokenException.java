package dev.holdfast.core.internal.stream;

import dev.holdfast.Failure;

/** A stream that came to no good end. */
public final class StreamBrokenException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    /**
     * Creates the exception, which is for control alone and has no stack trace.
     *
     * @param failure what went wrong
     */
    public StreamBrokenException(Failure failure) {
        super(failure.toString(), null, false, false);
        this.failure = failure;
    }

    /** What went wrong. */
    public Failure failure() {
        return failure;
    }
}
