package dev.holdfast.core;

/** Which of several equally healthy endpoints {@link EndpointStrategy#FAILOVER} prefers. */
public enum EndpointOrder {
    /** In the order they were given: calls leave the first one while it does badly, and return to it by themselves. */
    AS_GIVEN,
    /** By their mean latency; those not measured yet first, in the order they were given. */
    FASTEST,
    /** The one that served last, while it does well; then by latency. */
    LAST_GOOD
}
