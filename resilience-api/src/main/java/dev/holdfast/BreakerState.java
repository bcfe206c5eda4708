package dev.holdfast;

/** The state of a circuit breaker. */
public enum BreakerState {
    /** Attempts pass, and their outcomes are counted. */
    CLOSED,
    /** Attempts are rejected until the open time has passed. */
    OPEN,
    /** A few probes are let through to find out whether the target is back. */
    HALF_OPEN,
    /** Attempts are rejected until someone says otherwise. */
    FORCED_OPEN,
    /** Attempts pass, and nothing is counted. */
    DISABLED,
    /** Attempts pass and are counted; none is rejected. */
    METRICS_ONLY
}
