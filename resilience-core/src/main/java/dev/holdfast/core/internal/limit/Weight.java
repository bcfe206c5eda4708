package dev.holdfast.core.internal.limit;

/** What is counted against a limit. */
public enum Weight {
    REQUESTS,
    /** Input and output together. */
    TOKENS,
    INPUT,
    OUTPUT
}
