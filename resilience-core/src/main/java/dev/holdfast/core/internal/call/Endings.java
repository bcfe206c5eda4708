package dev.holdfast.core.internal.call;

import dev.holdfast.AttemptsExhaustedException;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallRejectedException;
import dev.holdfast.CallTrail;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.Delivery;
import dev.holdfast.FailedAttemptException;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.ProviderFailedException;
import dev.holdfast.Rejection;
import dev.holdfast.core.internal.call.NextMove.StopReason;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/** Turns the end of a call into the exception that tells it. */
final class Endings {
    private Endings() {}

    static CallException of(StopReason why, CallState state) {
        CallTrail trail = state.trail(retryAfter(why, state));
        return switch (why) {
            case REJECTED -> rejected(state);
            case DEADLINE -> deadline(state);
            case FINAL_FAILURE -> {
                Failure failure = lastFailure(state);
                yield new ProviderFailedException(failure.toString(), failure, trail, null);
            }
            case WAIT_TOO_LONG -> {
                Failure failure = lastFailure(state);
                String wait = failure.suggestedDelay()
                        .map(delay -> delay.toMillis() + " ms")
                        .orElse("");
                yield new ProviderFailedException(
                        failure + ", and asks for a longer wait (" + wait + ") than this call sleeps",
                        failure,
                        trail,
                        null);
            }
            case NO_TIME -> {
                Failure failure = lastFailure(state);
                yield new AttemptsExhaustedException(
                        failure + ", and the next wait would pass the deadline", failure, trail, null);
            }
            case EXHAUSTED -> {
                Failure failure = lastFailure(state);
                yield new AttemptsExhaustedException(
                        failure + "; attempts and targets are used up", failure, trail, null);
            }
        };
    }

    static CallException interrupted(CallState state) {
        Failure failure = Failure.of(
                FailureKind.CANCELLED,
                FailureScope.REQUEST,
                Delivery.NEVER_SENT,
                "the thread was interrupted, or the client closed");
        return new CallCancelledException("cancelled", failure, state.trail(state.untilFree()), null);
    }

    /** A call that never began: nothing was tried and nothing was sent. */
    static CallException refused(String callId, FailureKind kind, String message) {
        Failure failure = Failure.of(kind, FailureScope.REQUEST, Delivery.NEVER_SENT, message);
        return new CallRejectedException(failure.toString(), failure, CallTrail.empty(callId), null);
    }

    /**
     * How long from now until the first target is free. What waiting does not mend says so only where the server itself
     * asked to come back.
     */
    private static Optional<Duration> retryAfter(StopReason why, CallState state) {
        return why == StopReason.FINAL_FAILURE
                ? state.lastAttemptFailure().flatMap(Failure::suggestedDelay)
                : state.untilFree();
    }

    private static CallException rejected(CallState state) {
        boolean onPurpose = state.rejections().stream().allMatch(each -> each.kind() == FailureKind.OUT_OF_SERVICE);
        String words = onPurpose ? "every target was taken out of service by an operator" : "every target was skipped";
        Failure failure = Failure.of(earliest(state).kind(), FailureScope.ENDPOINT, Delivery.NEVER_SENT, words);
        return new CallRejectedException(failure.toString(), failure, state.trail(state.untilFree()), null);
    }

    /** The rejection that ends first; one of unknown end comes last. */
    private static Rejection earliest(CallState state) {
        return state.tracks().stream()
                .filter(track ->
                        track.rejection().isPresent() && track.freeAtNanos().isPresent())
                .min(Comparator.comparingLong(track -> track.freeAtNanos().orElseThrow() - state.nowNanos()))
                .flatMap(Track::rejection)
                .orElseGet(() -> state.rejections().getLast());
    }

    private static CallException deadline(CallState state) {
        Optional<Failure> last = state.lastAttemptFailure();
        boolean cut =
                last.filter(failure -> failure.kind() == FailureKind.TIMEOUT).isPresent();
        Failure failure = cut
                ? last.get()
                : Failure.of(FailureKind.TIMEOUT, FailureScope.REQUEST, Delivery.NEVER_SENT, "the deadline passed");
        return new DeadlineExceededException(
                "the call's deadline passed",
                failure,
                state.trail(state.untilFree()),
                earlierFailure(state, cut ? 1 : 0));
    }

    private static @org.jspecify.annotations.Nullable Throwable earlierFailure(CallState state, int skipped) {
        int index = state.attempts().size() - 1 - skipped;
        return index < 0
                ? null
                : state.attempts()
                        .get(index)
                        .failure()
                        .map(FailedAttemptException::new)
                        .orElse(null);
    }

    private static Failure lastFailure(CallState state) {
        return state.lastAttemptFailure().orElseThrow();
    }
}
