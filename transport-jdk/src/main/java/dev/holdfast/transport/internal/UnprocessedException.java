package dev.holdfast.transport.internal;

/** The request was certainly not processed: there was one stream too many, or the server says so. */
final class UnprocessedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean local;

    UnprocessedException(Throwable cause, boolean local) {
        super(cause);
        this.local = local;
    }

    /** Whether it was the client here that saw no room, so that nothing left it. */
    boolean isLocal() {
        return local;
    }
}
