package dev.holdfast;

import java.util.Locale;

/** Why an attempt was made. */
public enum AttemptReason {
    /** It is the call's first choice, tried for the first time. */
    FIRST,
    /** The same target again. */
    RETRY,
    /** The same model on another endpoint, or with another credential. */
    FAILOVER,
    /** Another model. */
    FALLBACK,
    /** A second attempt in parallel. */
    HEDGE;

    /** {@return the word in logs and metrics: {@code "retry"}} */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
