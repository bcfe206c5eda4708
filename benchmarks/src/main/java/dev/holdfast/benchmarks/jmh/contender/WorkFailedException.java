package dev.holdfast.benchmarks.jmh.contender;

/** The work went wrong. Made once, without a stack trace. */
public final class WorkFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    static final WorkFailedException ONLY = new WorkFailedException();

    private WorkFailedException() {
        super("failed", null, false, false);
    }
}
