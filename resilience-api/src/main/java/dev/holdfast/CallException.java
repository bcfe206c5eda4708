package dev.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A call that brought no answer. Unchecked and sealed: the subclass says how the call ended, {@link #kind()} what the
 * last thing was that went wrong.
 *
 * <pre>{@code
 * try {
 *     client.call(request);
 * } catch (CallRejectedException e) {
 *     // nothing was sent: e.retryAfter() says when it is worth trying again
 * } catch (CallException e) {
 *     log.warn("{} after {} attempts", e.kind(), e.attempts().size());
 * }
 * }</pre>
 *
 * <p>The message tells every target tried, with kind and status; it holds no key and no prompt. Only the message and the cause
 * survive serialisation.
 */
public abstract sealed class CallException extends RuntimeException
        permits ProviderFailedException,
                AttemptsExhaustedException,
                DeadlineExceededException,
                CallRejectedException,
                CallCancelledException,
                StreamFailedException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;
    private final transient CallTrail trail;
    private final transient Optional<ModelAnswer> partialAnswer;

    CallException(
            String message, Failure failure, CallTrail trail, @org.jspecify.annotations.Nullable Throwable cause) {
        this(message, failure, trail, Optional.empty(), cause);
    }

    CallException(
            String message,
            Failure failure,
            CallTrail trail,
            Optional<ModelAnswer> partialAnswer,
            @org.jspecify.annotations.Nullable Throwable cause) {
        super(message + trail.describe(), cause);
        this.failure = failure;
        this.trail = trail;
        this.partialAnswer = partialAnswer;
    }

    /** Without a cause and a stack trace. */
    CallException(String message, Failure failure, CallTrail trail) {
        super(message + trail.describe(), null, true, false);
        this.failure = failure;
        this.trail = trail;
        this.partialAnswer = Optional.empty();
    }

    /** {@return what the last thing was that went wrong} */
    public FailureKind kind() {
        return failure.kind();
    }

    /** {@return the last failure, with the provider's code, status and words} */
    public Failure failure() {
        return failure;
    }

    /** {@return the HTTP status of the last failure, where there was one} */
    public java.util.OptionalInt status() {
        return failure.status();
    }

    /**
     * {@return how long, from when this was thrown, until it is worth trying again: until the first target is free of what
     * its server asked for, or of what rejected the call; empty where that is not known}
     */
    public Optional<Duration> retryAfter() {
        return trail.freeIn().or(failure::suggestedDelay);
    }

    /** {@return whether any attempt may have been executed and charged for although it brought no answer} */
    public boolean mayHaveBeenBilled() {
        return trail.attempts().stream()
                .flatMap(attempt -> attempt.failure().stream())
                .anyMatch(Failure::mayHaveBeenBilled);
    }

    /** {@return every attempt, in order; as many as were sent} */
    public List<Attempt> attempts() {
        return trail.attempts();
    }

    /** {@return the targets that were skipped without sending anything, in order} */
    public List<Rejection> rejections() {
        return trail.rejections();
    }

    /**
     * {@return what had arrived of a streamed answer before it broke off, assembled; empty for calls that are not streamed,
     * and where nothing meaningful had arrived}
     */
    public Optional<ModelAnswer> partialAnswer() {
        return partialAnswer;
    }

    /** {@return the id of the call, as its attempts carried it in {@code X-Request-ID}} */
    public String callId() {
        return trail.callId();
    }
}
