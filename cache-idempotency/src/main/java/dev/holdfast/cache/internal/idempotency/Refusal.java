package dev.holdfast.cache.internal.idempotency;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallRejectedException;
import dev.holdfast.CallTrail;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import org.jspecify.annotations.Nullable;

/** What a caller is told whose call is not executed. Nothing of it was sent. */
final class Refusal {
    private Refusal() {}

    static CallException conflict(String callId) {
        return rejected(
                callId,
                FailureKind.IDEMPOTENCY_CONFLICT,
                "the idempotency key was used for another request (expected: a key for each request)",
                null);
    }

    static CallException inFlight(String callId) {
        return rejected(
                callId,
                FailureKind.IDEMPOTENCY_IN_FLIGHT,
                "another call with this idempotency key is being executed",
                null);
    }

    static CallException unknown(String callId) {
        return rejected(
                callId,
                FailureKind.IDEMPOTENCY_UNKNOWN,
                "an earlier call with this idempotency key may have been executed, and its answer is lost",
                null);
    }

    static CallException storeUnavailable(String callId, Throwable cause) {
        return rejected(
                callId,
                FailureKind.STORE_UNAVAILABLE,
                "the idempotency store threw " + cause.getClass().getSimpleName()
                        + ", and without it the call might be executed twice",
                cause);
    }

    static CallException tooLate(String callId) {
        String message = "the deadline passed while another call with this idempotency key was being executed";
        return new DeadlineExceededException(
                message, failure(FailureKind.TIMEOUT, message), CallTrail.empty(callId), null);
    }

    static CallException interrupted(String callId) {
        String message = "interrupted while another call with this idempotency key was being executed";
        return new CallCancelledException(
                message, failure(FailureKind.CANCELLED, message), CallTrail.empty(callId), null);
    }

    private static CallException rejected(String callId, FailureKind kind, String message, @Nullable Throwable cause) {
        Failure failure = failure(kind, message);
        return new CallRejectedException(failure.toString(), failure, CallTrail.empty(callId), cause);
    }

    private static Failure failure(FailureKind kind, String message) {
        return Failure.of(kind, FailureScope.REQUEST, Delivery.NEVER_SENT, message);
    }
}
