package dev.holdfast.cache;

import java.time.Duration;

/**
 * How an {@link IdempotencyGuard} treats a call with an idempotency key of its caller's.
 *
 * @param lifetime how long a key is remembered, from when it was reserved
 * @param whenInFlight what a call does whose key is being executed
 * @param whenUnknown what a call does whose key may have been executed
 * @param onStoreFailure what a call does when the store throws
 */
public record IdempotencyPolicy(
        Duration lifetime, WhenInFlight whenInFlight, WhenUnknown whenUnknown, OnStoreFailure onStoreFailure) {
    /** What a call does whose key is being executed. */
    public enum WhenInFlight {
        /** Waits for the answer, to its deadline. */
        WAIT,
        /** Is refused with kind {@code idempotency_in_flight}. */
        REFUSE
    }

    /** What a call does whose key may have been executed. */
    public enum WhenUnknown {
        /** Is refused with kind {@code idempotency_unknown}, until the key is forgotten. */
        REFUSE,
        /**
         * Is executed, for providers that execute a key once: elsewhere it may be paid for twice. The provider has seen the key
         * on the target that the earlier call tried first; it settles the doubt only where this call tries the same one first,
         * as a client of one endpoint and one account does.
         */
        REPEAT
    }

    /** What a call does when the store throws. */
    public enum OnStoreFailure {
        /** Is executed as if there were no store; an event says so. */
        PROCEED,
        /** Is refused with kind {@code store_unavailable}, and nothing is sent. */
        REFUSE
    }

    /** Refuses a lifetime that is not positive. */
    public IdempotencyPolicy {
        if (!lifetime.isPositive()) {
            throw new IllegalArgumentException("lifetime: " + lifetime + " (expected: > 0)");
        }
    }

    /** {@return 24 hours; waits for what is in flight, refuses what is unknown, proceeds without the store} */
    public static IdempotencyPolicy defaults() {
        return new IdempotencyPolicy(
                Duration.ofHours(24), WhenInFlight.WAIT, WhenUnknown.REFUSE, OnStoreFailure.PROCEED);
    }

    /**
     * {@return this policy with another lifetime}
     *
     * @param changed how long a key is remembered
     */
    public IdempotencyPolicy withLifetime(Duration changed) {
        return new IdempotencyPolicy(changed, whenInFlight, whenUnknown, onStoreFailure);
    }

    /**
     * {@return this policy with another answer to keys in flight}
     *
     * @param changed what a call does whose key is being executed
     */
    public IdempotencyPolicy withWhenInFlight(WhenInFlight changed) {
        return new IdempotencyPolicy(lifetime, changed, whenUnknown, onStoreFailure);
    }

    /**
     * {@return this policy with another answer to keys in doubt}
     *
     * @param changed what a call does whose key may have been executed
     */
    public IdempotencyPolicy withWhenUnknown(WhenUnknown changed) {
        return new IdempotencyPolicy(lifetime, whenInFlight, changed, onStoreFailure);
    }

    /**
     * {@return this policy with another answer to a store that fails}
     *
     * @param changed what a call does when the store throws
     */
    public IdempotencyPolicy withOnStoreFailure(OnStoreFailure changed) {
        return new IdempotencyPolicy(lifetime, whenInFlight, whenUnknown, changed);
    }
}
