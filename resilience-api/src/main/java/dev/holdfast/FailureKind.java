package dev.holdfast;

import java.util.Locale;

/**
 * What went wrong. Later versions add kinds: a switch over them keeps a default branch. The first group was sent and failed, the second is local, the third was rejected: never sent.
 */
public enum FailureKind {
    /** Too many requests or tokens for now; waiting helps. */
    RATE_LIMITED,
    /** The account is used up; waiting does not help. */
    QUOTA_EXHAUSTED,
    /** The provider has too much to do (503, 529). */
    OVERLOADED,
    /** The provider broke (500, 502, 504, 52x), or asks to try again (409, 425). */
    SERVER_ERROR,
    /** No answer in time, by our clock or the server's (408). */
    TIMEOUT,
    /** The connection could not be made or was lost. */
    CONNECTION,
    /** The answer is not what was agreed: no JSON, no choice. */
    MALFORMED_RESPONSE,
    /** The answer is good by its status and has no body. */
    EMPTY_RESPONSE,
    /** The answer ended before its end. */
    TRUNCATED,
    /** The key was refused. */
    AUTH,
    /** The key may not do this. */
    PERMISSION,
    /** A proxy wants authentication. */
    PROXY_AUTH,
    /** The server points somewhere a request with a key does not follow. */
    REDIRECT_REFUSED,
    /** The provider does not have this model. */
    MODEL_NOT_FOUND,
    /** The request is longer than the model's window. */
    CONTEXT_LENGTH,
    /** A policy of the provider refuses the content. */
    CONTENT_POLICY,
    /** The request is wrong; it would be anywhere. */
    INVALID_REQUEST,

    /** Something on our side, never the provider's fault: a pool, a stall. */
    LOCAL,
    /** The caller cancelled or was interrupted. */
    CANCELLED,

    /** The breaker is open. */
    CIRCUIT_OPEN,
    /** An operator has taken the endpoint out for a while: it is isolated or drained. */
    OUT_OF_SERVICE,
    /** A limit of ours is reached. */
    LIMIT_EXCEEDED,
    /** The target rests until a time that the provider named. */
    COOLING_DOWN,
    /** The client has as many calls in flight as it may. */
    CLIENT_OVERLOADED,
    /** An allow list leaves no target. */
    POLICY_REFUSED,
    /** The next attempt would pass the call's maximal cost. */
    COST_LIMIT,
    /** The idempotency key was used for another request; a server of ours answers 422. */
    IDEMPOTENCY_CONFLICT,
    /** Another call with the same idempotency key is in flight; a server of ours answers 409. */
    IDEMPOTENCY_IN_FLIGHT,
    /** An earlier call with the same idempotency key may have been executed; no one knows. */
    IDEMPOTENCY_UNKNOWN,
    /** The store that would keep a call from being made twice does not answer. */
    STORE_UNAVAILABLE;

    /** {@return the word in logs, metrics and JSON: {@code "rate_limited"}} */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return whether this is a rejection: nothing was sent} */
    public boolean isRejection() {
        return switch (this) {
            case CIRCUIT_OPEN,
                    OUT_OF_SERVICE,
                    LIMIT_EXCEEDED,
                    COOLING_DOWN,
                    CLIENT_OVERLOADED,
                    POLICY_REFUSED,
                    COST_LIMIT,
                    IDEMPOTENCY_CONFLICT,
                    IDEMPOTENCY_IN_FLIGHT,
                    IDEMPOTENCY_UNKNOWN,
                    STORE_UNAVAILABLE -> true;
            default -> false;
        };
    }
}
