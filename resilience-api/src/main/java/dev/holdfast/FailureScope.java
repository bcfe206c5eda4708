package dev.holdfast;

/** Whom a failure concerns: what else would fail the same way. */
public enum FailureScope {
    /** This request, wherever it goes. */
    REQUEST,
    /** Every request for this model with this credential. */
    CREDENTIAL,
    /** Every request for this model, wherever it runs. */
    MODEL,
    /** Every request to this model on this endpoint. */
    ENDPOINT
}
