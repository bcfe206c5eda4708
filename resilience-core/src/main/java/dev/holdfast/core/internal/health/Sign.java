package dev.holdfast.core.internal.health;

import dev.holdfast.FailureKind;
import java.util.Locale;
import java.util.Optional;

/** What an exchange with an endpoint, a call's or a probe's, tells of its health. */
public enum Sign {
    /** It answered as it should. */
    GOOD,
    /** It answered that the request is wrong: it lives. */
    ALIVE,
    /** It lives, and a limit or quota is used up. */
    LIMITED,
    /** It lives, and refuses the key or does not know the model. */
    REFUSED,
    /** It answered that it cannot serve, or so that no one can use the answer. */
    BROKEN,
    /** It did not answer in time. */
    TIMED_OUT,
    /** It could not be reached, or the connection was lost. */
    UNREACHABLE;

    /** {@return the name in events and reports: {@code "timed out"}} */
    public String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** {@return what a failure tells; empty if it tells of us and not of the endpoint} */
    public static Optional<Sign> of(FailureKind kind) {
        return switch (kind) {
            case CONNECTION -> Optional.of(UNREACHABLE);
            case TIMEOUT -> Optional.of(TIMED_OUT);
            case OVERLOADED, SERVER_ERROR, MALFORMED_RESPONSE, EMPTY_RESPONSE, TRUNCATED -> Optional.of(BROKEN);
            case RATE_LIMITED, QUOTA_EXHAUSTED -> Optional.of(LIMITED);
            case AUTH, PERMISSION, MODEL_NOT_FOUND -> Optional.of(REFUSED);
            case CONTEXT_LENGTH, CONTENT_POLICY, INVALID_REQUEST -> Optional.of(ALIVE);
            case REDIRECT_REFUSED,
                    PROXY_AUTH,
                    LOCAL,
                    CANCELLED,
                    CIRCUIT_OPEN,
                    OUT_OF_SERVICE,
                    LIMIT_EXCEEDED,
                    COOLING_DOWN,
                    COST_LIMIT,
                    CLIENT_OVERLOADED,
                    POLICY_REFUSED,
                    IDEMPOTENCY_CONFLICT,
                    IDEMPOTENCY_IN_FLIGHT,
                    IDEMPOTENCY_UNKNOWN,
                    STORE_UNAVAILABLE -> Optional.empty();
        };
    }

    /** {@return whether it does not serve} */
    public boolean isFailure() {
        return this == BROKEN || this == TIMED_OUT || this == UNREACHABLE;
    }

    /** Whether healthy ones are preferred for a while, though it lives. */
    boolean isMark() {
        return this == LIMITED || this == REFUSED;
    }
}
