package dev.holdfast.core;

import dev.holdfast.BreakerState;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallRejectedException;
import dev.holdfast.CallTrail;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.core.internal.breaker.BreakerMachine;
import dev.holdfast.core.internal.breaker.SampleWindow;
import dev.holdfast.core.internal.breaker.Snapshot;
import dev.holdfast.core.internal.breaker.Sums;
import dev.holdfast.core.internal.breaker.Tally;
import dev.holdfast.core.internal.call.KindRules;
import dev.holdfast.spi.Timekeeper;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps calls away from a target that fails. While {@link BreakerState#CLOSED} it admits every call and counts; after
 * {@linkplain BreakerPolicy#failureThreshold() enough failures} it is {@link BreakerState#OPEN} and rejects; when the
 * {@linkplain BreakerPolicy#openTime() open time} has passed, the next call makes it {@link BreakerState#HALF_OPEN} and
 * is admitted as the first of a few {@linkplain BreakerPolicy#maxProbes() probes}, which decide whether it closes or opens
 * again.
 *
 * <pre>{@code
 * var breaker = CircuitBreaker.of("search", BreakerPolicy.defaults(), Timekeeper.system());
 * String answer = breaker.call(() -> search.ask(question)); // CallRejectedException while it is open
 * }</pre>
 *
 * <p>Who needs to say more than "it threw" takes a permit by {@link #acquire()} and ends it himself:
 * {@linkplain Permit#succeeded() succeeded}, {@linkplain Permit#failed(FailureReport) failed} or
 * {@linkplain Permit#ignored() ignored}. A permit has a say only in the state that issued it: what comes late, or twice,
 * changes nothing.
 *
 * <p>Safe for use by any number of threads; no method blocks. While it is closed and all goes well it reads no clock.
 */
public final class CircuitBreaker {
    private static final Logger LOG = LoggerFactory.getLogger(CircuitBreaker.class);
    private static final long NO_PROBE = BreakerMachine.NO_PROBE;
    private static final long NOT_BEGUN = BreakerMachine.NOT_BEGUN;
    private static final Duration LONGEST_TERM = Duration.ofDays(365);
    private static final Duration LONGEST_HINT = Duration.ofDays(1_000);

    private final String name;
    final BreakerMachine machine;
    private final Tally rejected = new Tally();

    private CircuitBreaker(
            String name, BreakerPolicy policy, Timekeeper timekeeper, RandomGenerator random, Listener listener) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: blank (expected: a name)");
        }
        this.name = name;
        this.machine = new BreakerMachine(
                policy,
                timekeeper,
                random,
                change -> tell(listener, new Transition(name, change.from(), change.to(), change.reason())));
    }

    /**
     * {@return a breaker whose transitions nobody hears of, with a generator of its own that no seed fixes}
     *
     * @param name what it guards, for messages and logs
     * @param policy when it opens and closes
     * @param timekeeper its clock
     */
    public static CircuitBreaker of(String name, BreakerPolicy policy, Timekeeper timekeeper) {
        return of(name, policy, timekeeper, new Random(), transition -> {});
    }

    /**
     * {@return a breaker}
     *
     * @param name what it guards, for messages and logs
     * @param policy when it opens and closes
     * @param timekeeper its clock
     * @param random numbers the generations and spreads the open time; safe for use by several threads
     * @param listener hears of each transition
     */
    public static CircuitBreaker of(
            String name, BreakerPolicy policy, Timekeeper timekeeper, RandomGenerator random, Listener listener) {
        return new CircuitBreaker(name, policy, timekeeper, random, listener);
    }

    /** {@return what it guards} */
    public String name() {
        return name;
    }

    /** {@return the policy it was made with} */
    public BreakerPolicy policy() {
        return machine.policy();
    }

    /**
     * Runs the work if the breaker admits it. An exception counts as a failure, but for those that say nothing about the
     * target: an interrupt, a cancel, a rejection further in, a deadline, a {@link CallException} that is the request's own
     * fault. An {@link Error} is not counted either.
     *
     * @param <T> what the work gives back
     * @param work what to do; allocates nothing of ours while the breaker is closed
     * @return what the work gave back
     * @throws CallRejectedException if the breaker is open; {@link CallException#retryAfter()} says for how long. It holds no
     *     stack trace
     * @throws Exception what the work threw
     */
    public <T> T call(Callable<T> work) throws Exception {
        Snapshot snapshot = machine.look();
        if (snapshot.admitsAll()) {
            return run(work, snapshot, NO_PROBE);
        }
        return switch (machine.ask(snapshot)) {
            case BreakerMachine.Admitted(Snapshot issuer, long probe) -> run(work, issuer, probe);
            case BreakerMachine.Refused refused -> throw rejection(rejected(refused));
        };
    }

    private <T> T run(Callable<T> work, Snapshot issuer, long probe) throws Exception {
        long startedNanos = machine.startNanos();
        T result;
        try {
            result = work.call();
        } catch (Throwable thrown) {
            if (countsAsFailure(thrown)) {
                machine.failed(issuer, issuer.window(), probe, false, suggestedNanos(thrown), startedNanos, NOT_BEGUN);
            } else {
                machine.ignored(issuer, probe);
            }
            throw thrown;
        }
        machine.succeeded(issuer, issuer.window(), probe, startedNanos, NOT_BEGUN);
        return result;
    }

    private boolean countsAsFailure(Throwable thrown) {
        return switch (thrown) {
            case InterruptedException interrupted -> false;
            case CancellationException cancelled -> false;
            case CallCancelledException cancelled -> false;
            case DeadlineExceededException late -> false;
            case CallException failed -> counts(failed.kind());
            case Exception other -> true;
            default -> false;
        };
    }

    private static long suggestedNanos(Throwable thrown) {
        return thrown instanceof CallException failed ? nanos(failed.failure().suggestedDelay()) : 0;
    }

    private CallRejectedException rejection(Open open) {
        String message = "circuit " + name + ": "
                + open.availableIn()
                        .map(in -> "open for " + in.toMillis() + " ms")
                        .orElse("forced open");
        var failure = new Failure(
                FailureKind.CIRCUIT_OPEN,
                FailureScope.ENDPOINT,
                Delivery.NEVER_SENT,
                message,
                OptionalInt.empty(),
                Optional.empty(),
                open.availableIn(),
                Optional.empty(),
                Optional.empty());
        return CallRejectedException.withoutStackTrace(message, failure, CallTrail.empty(name));
    }

    /**
     * {@return whether a failure of this kind counts: one that is the target's own fault, and a rate limit if the policy says
     * so}
     *
     * @param kind the kind
     */
    public boolean counts(FailureKind kind) {
        return KindRules.of(kind).breaker() || (kind == FailureKind.RATE_LIMITED && policy().countRateLimits());
    }

    /** {@return a permit, which must be ended, or how long the breaker goes on to reject} */
    public Admission acquire() {
        Snapshot snapshot = machine.look();
        if (snapshot.admitsAll()) {
            return permit(snapshot, NO_PROBE);
        }
        return switch (machine.ask(snapshot)) {
            case BreakerMachine.Admitted(Snapshot issuer, long probe) -> permit(issuer, probe);
            case BreakerMachine.Refused refused -> rejected(refused);
        };
    }

    private Permit permit(Snapshot issuer, long probe) {
        return probe == NO_PROBE && !machine.isTimed()
                ? new Permit(machine, issuer)
                : new FullPermit(machine, issuer, probe, machine.startNanos());
    }

    private Open rejected(BreakerMachine.Refused refused) {
        rejected.increment();
        return new Open(refused.nanos());
    }

    /**
     * {@return what {@link #acquire()} would say if it would reject now, else empty; takes nothing, counts nothing}
     */
    public Optional<Open> rejection() {
        return machine.refusal().map(refused -> new Open(refused.nanos()));
    }

    private static void tell(Listener listener, Transition transition) {
        LOG.debug("circuit {}", transition);
        try {
            listener.changed(transition);
        } catch (Throwable thrown) {
            LOG.warn("a listener threw at circuit {}", transition, thrown);
        }
    }

    /** {@return the state as the next {@link #acquire()} will find it: half-open as soon as the open time has passed} */
    public BreakerState state() {
        return machine.stateOf(machine.look());
    }

    /** {@return what there is to see, as of one moment} */
    public Status status() {
        Snapshot snapshot = machine.look();
        Sums sums = machine.sumsOf(snapshot);
        return new Status(
                name,
                machine.stateOf(snapshot),
                snapshot.phase().failuresInARow(),
                new Counts(sums.calls(), sums.failures(), sums.slow()),
                snapshot.phase().probesOutstanding(),
                snapshot.openings(),
                snapshot.sequence(),
                rejected.sum());
    }

    /** Leads back to the {@linkplain BreakerPolicy#initialState() initial state} and forgets every failure. */
    public void reset() {
        machine.order(policy().initialState());
    }

    /** Closes it and forgets every failure, whatever its initial state. */
    public void close() {
        machine.order(BreakerState.CLOSED);
    }

    /** Rejects everything until a reset. */
    public void forceOpen() {
        machine.order(BreakerState.FORCED_OPEN);
    }

    /**
     * Rejects everything for a while, then goes back to its initial state.
     *
     * @param lasting how long, above zero, at most 365 days
     */
    public void forceOpen(Duration lasting) {
        machine.order(BreakerState.FORCED_OPEN, term(lasting));
    }

    /** Admits everything and counts nothing until a reset. */
    public void disable() {
        machine.order(BreakerState.DISABLED);
    }

    /**
     * Admits everything and counts nothing for a while, then goes back to its initial state.
     *
     * @param lasting how long, above zero, at most 365 days
     */
    public void disable(Duration lasting) {
        machine.order(BreakerState.DISABLED, term(lasting));
    }

    /** Admits everything and counts until a reset. */
    public void observe() {
        machine.order(BreakerState.METRICS_ONLY);
    }

    private static Duration term(Duration lasting) {
        if (!lasting.isPositive() || lasting.compareTo(LONGEST_TERM) > 0) {
            throw new IllegalArgumentException(
                    "lasting: " + lasting + " (expected: > 0, at most " + LONGEST_TERM + ")");
        }
        return lasting;
    }

    /** {@return name and state} */
    @Override
    public String toString() {
        return "CircuitBreaker[" + name + ", " + machine.look().state() + "]";
    }

    /** A hint that is longer than any open time may be is cut. */
    private static long nanos(Optional<Duration> hint) {
        if (hint.isEmpty() || hint.get().isNegative()) {
            return 0;
        }
        return (hint.get().compareTo(LONGEST_HINT) > 0 ? LONGEST_HINT : hint.get()).toNanos();
    }

    /** What {@link #acquire()} says: a permit, or that the breaker is open. */
    public sealed interface Admission {}

    /**
     * The breaker rejects.
     *
     * @param availableInNanos how long until a call will be admitted, at most: the rest of the open time, or until the slot of
     *     the oldest probe is free at the latest; -1 while it is forced open
     */
    public record Open(long availableInNanos) implements Admission {
        /** {@return how long until a call will be admitted, at most; empty while it is forced open} */
        public Optional<Duration> availableIn() {
            boolean unknown = availableInNanos == BreakerMachine.UNKNOWN_NANOS;
            return unknown ? Optional.empty() : Optional.of(Duration.ofNanos(availableInNanos));
        }
    }

    /** Leave for one attempt. It ends once, as one of three things; ending it again does nothing. */
    public static sealed class Permit implements Admission permits FullPermit {
        private static final VarHandle ENDED = handle("ended");

        final BreakerMachine machine;
        private final Snapshot issuer;

        @SuppressWarnings("UnusedVariable") // by its handle
        private boolean ended;

        Permit(BreakerMachine machine, Snapshot issuer) {
            this.machine = machine;
            this.issuer = issuer;
        }

        long probe() {
            return NO_PROBE;
        }

        long startedNanos() {
            return 0;
        }

        long begunAfterNanos() {
            return NOT_BEGUN;
        }

        /** {@return whether this is a probe of a half-open breaker} */
        public final boolean isProbe() {
            return probe() != NO_PROBE;
        }

        /**
         * The answer begins, as a stream does with its first event: only what it took until now can be
         * {@linkplain BreakerWindow#slowCalls() slow}. Without this, all counts until the permit ends. Only the first time
         * counts; who sets no bound for slow calls need not call it.
         */
        public void answerBegan() {}

        /** The attempt went well. */
        public final void succeeded() {
            SampleWindow window = issuer.window();
            if (isFirstEnd()) {
                machine.succeeded(issuer, window, probe(), startedNanos(), begunAfterNanos());
            }
        }

        /** The attempt failed, and that is all there is to say. */
        public final void failed() {
            failed(false, 0);
        }

        /**
         * The attempt failed through the target's fault.
         *
         * @param report what else is known
         */
        public final void failed(FailureReport report) {
            failed(report.repeated(), nanos(report.suggestedDelay()));
        }

        private void failed(boolean repeated, long suggestedNanos) {
            SampleWindow window = issuer.window();
            if (isFirstEnd()) {
                machine.failed(issuer, window, probe(), repeated, suggestedNanos, startedNanos(), begunAfterNanos());
            }
        }

        /** The attempt says nothing about the target: cancelled, interrupted, never sent, or the request's own fault. */
        public final void ignored() {
            if (isFirstEnd()) {
                machine.ignored(issuer, probe());
            }
        }

        private boolean isFirstEnd() {
            return ENDED.compareAndSet(this, false, true);
        }

        private static VarHandle handle(String field) {
            try {
                return MethodHandles.lookup().findVarHandle(Permit.class, field, boolean.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    /**
     * What is known of a failure.
     *
     * @param repeated whether an earlier attempt of the same call failed on this target: it then does not count again
     *     while the breaker is closed, so that one poisoned prompt cannot open it
     * @param suggestedDelay how long the server asked to wait: the breaker stays open at least that long, up to
     *     {@link BreakerPolicy#maxOpenTime()}
     */
    public record FailureReport(boolean repeated, Optional<Duration> suggestedDelay) {}

    /** Hears of transitions. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Called once for each transition, in their order, one at a time, by a thread whose call or report caused one. What it
         * throws is logged and changes nothing.
         *
         * @param transition what changed
         */
        void changed(Transition transition);
    }

    /**
     * A change of state.
     *
     * @param name whose breaker
     * @param from the state it left
     * @param to the state it is in
     * @param reason why, for people
     */
    public record Transition(String name, BreakerState from, BreakerState to, String reason) {
        @Override
        public String toString() {
            return name + ": " + from + " to " + to + ", " + reason;
        }
    }

    /**
     * What a window holds.
     *
     * @param calls how many calls: the failures and the successes
     * @param failures how many failed
     * @param slow how many were slow, failed or not
     */
    public record Counts(long calls, long failures, long slow) {
        /** {@return the share of failures, 0 to 1; 0 if there were no calls} */
        public double failureRate() {
            return calls == 0 ? 0 : (double) failures / calls;
        }

        /** {@return the share of slow calls, 0 to 1; 0 if there were no calls} */
        public double slowCallRate() {
            return calls == 0 ? 0 : (double) slow / calls;
        }
    }

    /**
     * What there is to see of a breaker.
     *
     * @param name what it guards
     * @param state its state
     * @param failuresInARow failures since the last success, while closed, where the policy has no window
     * @param window what the window holds, while closed, where the policy has one
     * @param probesOutstanding probes under way, while half-open
     * @param openings how often it opened in a row without closing
     * @param transitions how often it changed its state
     * @param rejected how many calls it rejected
     */
    public record Status(
            String name,
            BreakerState state,
            int failuresInARow,
            Counts window,
            int probesOutstanding,
            int openings,
            long transitions,
            long rejected) {}
}
