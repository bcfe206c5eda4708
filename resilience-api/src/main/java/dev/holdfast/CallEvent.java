package dev.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Something that happened in a call or to a target. Events of one call arrive in order, on the thread that caused them.
 * None holds a key, a prompt or an answer. Later versions add kinds: a switch over them keeps a default branch.
 */
public sealed interface CallEvent {
    /** {@return when it happened} */
    Instant at();

    /** An event of one call. */
    sealed interface OfCall extends CallEvent {
        /** {@return the id of the call} */
        String callId();
    }

    /**
     * A call began.
     *
     * @param at when
     * @param callId the id of the call
     * @param route the models it will try, and why
     */
    record CallStarted(Instant at, String callId, Route route) implements OfCall {}

    /**
     * An attempt is about to be sent.
     *
     * @param at when
     * @param callId the id of the call
     * @param number the attempt's number, from 1
     * @param reason why it is made
     * @param target where it goes
     */
    record AttemptStarted(Instant at, String callId, int number, AttemptReason reason, Target target)
            implements OfCall {}

    /**
     * An attempt ended: once for each that was started, also where it was cancelled or a part threw.
     *
     * @param at when
     * @param callId the id of the call
     * @param attempt the attempt, with what it used and cost
     * @param tenant the call's tenant; empty where it has none
     * @param tags the call's labels
     */
    record AttemptFinished(
            Instant at, String callId, Attempt attempt, Optional<String> tenant, Map<String, String> tags)
            implements OfCall {
        /** Copies the labels. */
        public AttemptFinished {
            tags = Map.copyOf(tags);
        }
    }

    /**
     * An attempt waits for its turn under a limit.
     *
     * @param at when
     * @param callId the id of the call
     * @param target whose limit
     * @param availableIn how long that takes if nobody else comes; empty where nobody can know
     */
    record AttemptQueued(Instant at, String callId, Target target, Optional<Duration> availableIn) implements OfCall {}

    /**
     * The call waits before its next attempt.
     *
     * @param at when
     * @param callId the id of the call
     * @param target where the next attempt goes
     * @param delay how long it waits
     * @param suggested whether the server asked for it
     */
    record RetryScheduled(Instant at, String callId, Target target, Duration delay, boolean suggested)
            implements OfCall {}

    /**
     * The call moves to another target.
     *
     * @param at when
     * @param callId the id of the call
     * @param from the target it leaves
     * @param to the target it goes to
     * @param reason {@link AttemptReason#FAILOVER} or {@link AttemptReason#FALLBACK}
     */
    record Moved(Instant at, String callId, Target from, Target to, AttemptReason reason) implements OfCall {}

    /**
     * A target was skipped without sending anything.
     *
     * @param at when
     * @param callId the id of the call
     * @param rejection which, and why
     */
    record TargetRejected(Instant at, String callId, Rejection rejection) implements OfCall {}

    /**
     * The retry budget of a target refused a retry.
     *
     * @param at when
     * @param callId the id of the call
     * @param target the target
     */
    record BudgetRefused(Instant at, String callId, Target target) implements OfCall {}

    /**
     * An attempt takes long, and what came of sending another beside it. Its own {@code AttemptStarted} and
     * {@code AttemptFinished} tell the rest.
     *
     * @param at when
     * @param callId the id of the call
     * @param slow the target that takes long
     * @param hedge the other target
     * @param step what happened
     */
    record Hedged(Instant at, String callId, Target slow, Target hedge, HedgeStep step) implements OfCall {}

    /**
     * A stored answer was replayed, or an answer was not stored.
     *
     * @param at when
     * @param callId the id of the call
     * @param outcome what the cache did
     */
    record CacheConsulted(Instant at, String callId, CacheOutcome outcome) implements OfCall {}

    /**
     * A call with an idempotency key of its caller's was held against what is known of that key.
     *
     * @param at when
     * @param callId the id of the call
     * @param outcome what came of it
     */
    record KeyConsulted(Instant at, String callId, KeyOutcome outcome) implements OfCall {}

    /**
     * A call ended.
     *
     * @param at when
     * @param callId the id of the call
     * @param took from its start to its end, waits included
     * @param attempts how many attempts it made
     * @param servedBy the target that answered; empty if none did
     * @param failure the last failure; empty if it was answered
     * @param cost what the answer cost; empty if unknown
     */
    record CallFinished(
            Instant at,
            String callId,
            Duration took,
            int attempts,
            Optional<Target> servedBy,
            Optional<Failure> failure,
            Optional<Cost> cost)
            implements OfCall {}

    /**
     * A breaker changed its state. One event for each transition, in their order.
     *
     * @param at when
     * @param target whose breaker
     * @param from the state it left
     * @param to the state it is in
     * @param reason why, for people
     */
    record BreakerChanged(Instant at, Target target, BreakerState from, BreakerState to, String reason)
            implements CallEvent {}

    /**
     * An endpoint, or a model on it, does better or worse than before.
     *
     * @param at when
     * @param endpoint the endpoint
     * @param model the model on it; empty for the endpoint as a whole
     * @param from how it did
     * @param to how it does
     * @param reason what was seen last, for people
     */
    record HealthChanged(
            Instant at, String endpoint, Optional<String> model, HealthStatus from, HealthStatus to, String reason)
            implements CallEvent {}

    /**
     * A provider asked to be left alone until a time.
     *
     * @param at when
     * @param target the target whose answer said so
     * @param length for how long it rests
     * @param kind why
     */
    record CooldownStarted(Instant at, Target target, Duration length, FailureKind kind) implements CallEvent {}

    /**
     * An endpoint was asked whether it is well. Whether that changes how it stands is told by {@link HealthChanged}.
     *
     * @param at when
     * @param endpoint the endpoint
     * @param healthy whether it lives
     * @param took how long it took
     * @param detail words for people
     */
    record EndpointProbed(Instant at, String endpoint, boolean healthy, Duration took, String detail)
            implements CallEvent {}

    /**
     * Someone steered the client, or what was ordered ended by itself.
     *
     * @param at when
     * @param order what was ordered or ended, in words
     */
    record ControlChanged(Instant at, String order) implements CallEvent {}

    /** What came of a hedge. */
    enum HedgeStep {
        /** It is about to be sent. */
        SENT,
        /** It answered first; the slow attempt is ended. */
        WON,
        /** The slow attempt answered after all, or the call ended: the hedge is ended. */
        LOST,
        /** It failed by itself. */
        FAILED,
        /** It was not sent, since the hedges of the slow target, or the retry budget of the other, are used up. */
        OVER_BUDGET,
        /** It was not sent, since the other target would have rejected it, or had it wait. */
        REJECTED
    }

    /** What a response cache did for a call. */
    enum CacheOutcome {
        /** A stored answer was replayed. */
        HIT,
        /** Nothing was stored. */
        MISS,
        /** The same call was in flight, and its answer was shared. */
        JOINED,
        /** The call does not use the cache. */
        BYPASS,
        /** The call failed, and a stored answer past its time stood in. */
        STALE
    }

    /** What an idempotency store said of a call's key. */
    enum KeyOutcome {
        /** The key was free: the call is executed. */
        RESERVED,
        /** The key was executed: its answer is replayed. */
        REPLAYED,
        /** No one knows whether the key was executed: the call is executed, perhaps again. */
        REPEATED,
        /** The key is being executed: the call waits. */
        WAITING,
        /** The key was used for another request: the call is refused. */
        CONFLICT,
        /** The key is being executed: the call is refused. */
        IN_FLIGHT,
        /** No one knows whether the key was executed: the call is refused. */
        UNKNOWN,
        /** The store does not answer: the call is executed, perhaps again. */
        UNGUARDED,
        /** The store does not answer: the call is refused. */
        STORE_UNAVAILABLE
    }
}
