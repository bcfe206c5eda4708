package dev.holdfast;

/** How far a failed attempt got: whether the provider may have done the work. */
public enum Delivery {
    /** No byte of the request left. Repeating is free. */
    NEVER_SENT,
    /** Sent on a connection that was most likely dead already. */
    PROBABLY_UNSENT,
    /** The provider answered and knows what it did: it refused, or it failed. */
    ANSWERED,
    /**
     * Sent, and nothing of use came back: no answer, one that is damaged, or the word of a gateway that does not know. The work
     * may have been done, and billed.
     */
    AMBIGUOUS
}
