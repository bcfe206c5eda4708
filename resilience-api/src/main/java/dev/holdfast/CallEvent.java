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
     * A provider asked to be left alone until a time.
     *
     * @param at when
     * @param target the target whose answer said so
     * @param length for how long it rests
     * @param kind why
     */
    record CooldownStarted(Instant at, Target target, Duration length, FailureKind kind) implements CallEvent {}

    /**
     * Someone steered the client, or what was ordered ended by itself.
     *
     * @param at when
     * @param order what was ordered or ended, in words
     */
    record ControlChanged(Instant at, String order) implements CallEvent {}

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
