package dev.holdfast;

/** An earlier failure of a call, as the cause of the exception that ended it. */
public final class FailedAttemptException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    /**
     * Creates the exception.
     *
     * @param failure the earlier failure
     */
    public FailedAttemptException(Failure failure) {
        super(failure.toString(), null, false, false);
        this.failure = failure;
    }

    /** {@return the earlier failure} */
    public Failure failure() {
        return failure;
    }
}
