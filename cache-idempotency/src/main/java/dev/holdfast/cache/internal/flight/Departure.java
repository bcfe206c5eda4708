package dev.holdfast.cache.internal.flight;

import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallTrail;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.cache.internal.flight.Flight.Crashed;
import dev.holdfast.cache.internal.flight.Flight.Landing;
import org.jspecify.annotations.Nullable;

/** What a caller is told who leaves a flight before it lands. The last one also hears what the flight had done. */
final class Departure {
    private Departure() {}

    static CallException deadline(String callId, @Nullable Landing landing) {
        String message = "the deadline passed while the call was in flight";
        return new DeadlineExceededException(
                message, failure(FailureKind.TIMEOUT, message, landing), trail(callId, landing), cause(landing));
    }

    static CallException interrupted(String callId, @Nullable Landing landing) {
        String message = "interrupted while the call was in flight";
        return new CallCancelledException(
                message, failure(FailureKind.CANCELLED, message, landing), trail(callId, landing), cause(landing));
    }

    /** Of a flight that goes on, or that has not said what it did, one can only say that it may have done all. */
    private static Failure failure(FailureKind kind, String message, @Nullable Landing landing) {
        boolean idle = cause(landing) instanceof CallException e && !e.mayHaveBeenBilled();
        return Failure.of(kind, FailureScope.REQUEST, idle ? Delivery.NEVER_SENT : Delivery.AMBIGUOUS, message);
    }

    private static CallTrail trail(String callId, @Nullable Landing landing) {
        return cause(landing) instanceof CallException e
                ? new CallTrail(callId, e.attempts(), e.rejections(), e.retryAfter())
                : CallTrail.empty(callId);
    }

    private static @Nullable Throwable cause(@Nullable Landing landing) {
        return landing instanceof Crashed(Throwable cause) ? cause : null;
    }
}
