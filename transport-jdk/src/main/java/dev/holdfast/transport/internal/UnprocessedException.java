package dev.holdfast.transport.internal;

/** The request was certainly not processed: there was one stream too many, or the server says so. */
final class UnprocessedException extends Exception {
    private static final long serialVersionUID = 1L;

    UnprocessedException(Throwable cause) {
        super(cause);
    }
}
