package dev.holdfast;

/** How far a failed attempt got: whether the provider may have done the work. */
public enum Delivery {
    /** No byte of the request left. Repeating is free. */
    NEVER_SENT,
    /** Sent on a connection that was most likely dead already. */
    PROBABLY_UNSENT,
    /** The provider answered: it knows what it did. */
    ANSWERED,
    /** Sent, and no answer came: the work may have been done, and billed. */
    AMBIGUOUS
}
