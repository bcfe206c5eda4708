package dev.holdfast.gateway.internal.http;

/** A body that is not taken: too large, or not whole. */
public final class BodyRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * Creates the exception.
     *
     * @param status what the client is answered: 400 or 413
     * @param message what is wrong and what was expected
     */
    public BodyRefusedException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** {@return what the client is answered} */
    public int status() {
        return status;
    }

    /** {@return what is wrong and what was expected} */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
