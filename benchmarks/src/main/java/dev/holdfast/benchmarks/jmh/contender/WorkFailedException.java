package dev.holdfast.benchmarks.jmh.contender;

/** The work went wrong. Made once, without a stack trace. */
public final class WorkFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("StaticAssignmentOfThrowable") // what is measured is not how exceptions are made
    static final WorkFailedException ONLY = new WorkFailedException();

    private WorkFailedException() {
        super("failed", null, false, false);
    }
}
