package dev.holdfast.cache.internal.flight;

import dev.holdfast.AttemptsExhaustedException;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallRejectedException;
import dev.holdfast.CallTrail;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.ProviderFailedException;
import dev.holdfast.StreamFailedException;
import java.util.List;
import java.util.Optional;

/**
 * The failure of a flight as a caller sees it who only joined: of the same sort, under its own id and with its own stack. The
 * attempts were the leader's: they stand in the cause, and are counted once.
 */
final class SharedFailure {
    private SharedFailure() {}

    static CallException of(CallException leaders, String callId) {
        String message = leaders.failure() + ", in the call " + leaders.callId() + " that this one had joined";
        var trail = new CallTrail(callId, List.of(), leaders.rejections());
        return switch (leaders) {
            case ProviderFailedException e -> new ProviderFailedException(message, e.failure(), trail, e);
            case AttemptsExhaustedException e -> new AttemptsExhaustedException(message, e.failure(), trail, e);
            case DeadlineExceededException e -> new DeadlineExceededException(message, e.failure(), trail, e);
            case CallRejectedException e -> new CallRejectedException(message, e.failure(), trail, e);
            case CallCancelledException e -> new CallCancelledException(message, e.failure(), trail, e);
            case StreamFailedException e -> new StreamFailedException(message, e.failure(), trail, Optional.empty(), e);
        };
    }
}
