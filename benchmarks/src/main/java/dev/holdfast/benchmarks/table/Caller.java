package dev.holdfast.benchmarks.table;

/** Makes the calls of a run, so that the harness knows nothing of the client. */
@FunctionalInterface
interface Caller {
    /** Makes the call of a request, on the thread of that call. */
    Outcome call(int request);

    /** How a call ended: whether it was answered, after how many attempts, and what it was billed, in calls of the first model. */
    record Outcome(boolean served, int attempts, double billed) {}
}
