package dev.holdfast.core.internal.call;

import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.core.KindPolicy;
import dev.holdfast.core.RetryPolicy;
import java.util.OptionalInt;

/**
 * What each kind of failure allows, in one table.
 *
 * @param sameTarget whether the same target may be tried again
 * @param otherEndpoint whether the same model on another endpoint, or with another key, may help
 * @param otherModel whether another model may help
 * @param breaker whether the breaker hears of a failure
 */
public record KindRules(SameTarget sameTarget, boolean otherEndpoint, boolean otherModel, boolean breaker) {
    /** When the same target may be tried again. */
    public enum SameTarget {
        NEVER,
        ALWAYS,
        /** Once more at most, and only if no other target is left. */
        ONCE_IF_ALONE,
        /** Once, with a key that was issued anew. */
        WITH_FRESH_KEY
    }

    private static final KindRules TRANSIENT = new KindRules(SameTarget.ALWAYS, true, true, true);
    private static final KindRules LIMITED = new KindRules(SameTarget.ALWAYS, true, true, false);
    private static final KindRules TIMED_OUT = new KindRules(SameTarget.ONCE_IF_ALONE, true, true, true);
    private static final KindRules USED_UP = new KindRules(SameTarget.NEVER, true, true, false);
    private static final KindRules KEY_REFUSED = new KindRules(SameTarget.WITH_FRESH_KEY, true, true, false);
    private static final KindRules WRONG_MODEL = new KindRules(SameTarget.NEVER, false, true, false);
    private static final KindRules FINAL = new KindRules(SameTarget.NEVER, false, false, false);

    public static KindRules of(FailureKind kind) {
        return switch (kind) {
            case OVERLOADED, SERVER_ERROR, CONNECTION, MALFORMED_RESPONSE, EMPTY_RESPONSE, TRUNCATED -> TRANSIENT;
            case RATE_LIMITED, LOCAL -> LIMITED;
            case TIMEOUT -> TIMED_OUT;
            case QUOTA_EXHAUSTED, REDIRECT_REFUSED, PROXY_AUTH -> USED_UP;
            case AUTH, PERMISSION -> KEY_REFUSED;
            case MODEL_NOT_FOUND, CONTEXT_LENGTH -> WRONG_MODEL;
            case CIRCUIT_OPEN, OUT_OF_SERVICE, LIMIT_EXCEEDED, COOLING_DOWN, COST_LIMIT -> USED_UP;
            case CONTENT_POLICY,
                    INVALID_REQUEST,
                    CANCELLED,
                    CLIENT_OVERLOADED,
                    POLICY_REFUSED,
                    IDEMPOTENCY_CONFLICT,
                    IDEMPOTENCY_IN_FLIGHT,
                    IDEMPOTENCY_UNKNOWN,
                    STORE_UNAVAILABLE -> FINAL;
        };
    }

    /**
     * Whether the same target may be tried again after its last failure, by its kind and by the attempts made: the policy's
     * word on the kind bounds everything, then comes the server's own verdict, then the table.
     */
    static boolean allowsSameTarget(RetryPolicy policy, Failure failure, Candidate candidate, Track track) {
        return allowsKind(policy, failure, candidate, track) && leavesAttempts(policy, failure, candidate, track);
    }

    /** Whether a failure of the kind may be repeated at all. */
    static boolean allowsKind(RetryPolicy policy, Failure failure, Candidate candidate, Track track) {
        OptionalInt most = mostOf(policy, failure.kind());
        if (most.isPresent() && most.getAsInt() == 1) {
            return false;
        }
        return failure.shouldRetry().orElseGet(() -> switch (of(failure.kind()).sameTarget()) {
            case NEVER -> most.isPresent();
            case ALWAYS, ONCE_IF_ALONE -> true;
            case WITH_FRESH_KEY -> most.isPresent() || (candidate.refreshable() && track.keyRefusals() < 2);
        });
    }

    /** Whether fewer attempts were made than may be: by the kind's bound, else the model's, else the policy's. */
    static boolean leavesAttempts(RetryPolicy policy, Failure failure, Candidate candidate, Track track) {
        OptionalInt most = mostOf(policy, failure.kind());
        return most.isPresent()
                ? track.failures(failure.kind()) < most.getAsInt()
                : track.attempts() < candidate.model().maxAttempts().orElse(policy.maxAttempts());
    }

    private static OptionalInt mostOf(RetryPolicy policy, FailureKind kind) {
        KindPolicy otherwise = policy.kinds().get(kind);
        return otherwise == null ? OptionalInt.empty() : otherwise.maxAttempts();
    }
}
