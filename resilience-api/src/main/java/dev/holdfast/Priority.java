package dev.holdfast;

/** Who goes first in a queue of ours. */
public enum Priority {
    /** Someone waits for the answer. */
    INTERACTIVE,
    /** No one waits; lets interactive calls pass. */
    BATCH
}
