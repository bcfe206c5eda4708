package dev.holdfast.simulation.internal.provider;

/** What came in is no request that HTTP allows; the status says why. */
final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String reason;

    BadRequestException(int status, String reason) {
        super(status + " " + reason);
        this.status = status;
        this.reason = reason;
    }

    int status() {
        return status;
    }

    String reason() {
        return reason;
    }
}
