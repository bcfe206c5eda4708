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
import dev.holdfast.core.internal.breaker.BreakerEvent;
import dev.holdfast.core.internal.breaker.BreakerTransitions;
import dev.holdfast.core.internal.breaker.Phase;
import dev.holdfast.core.internal.breaker.Snapshot;
import dev.holdfast.core.internal.breaker.TransitionQueue;
import dev.holdfast.spi.Timekeeper;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
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
    private static final BreakerEvent ASKED = new BreakerEvent.Asked();
    private static final long NO_PROBE = -1;

    private final String name;
    private final BreakerPolicy policy;
    private final Timekeeper timekeeper;
    private final RandomGenerator random;
    private final BreakerTransitions transitions;
    private final AtomicReference<Snapshot> current;
    private final TransitionQueue<Transition> news;
    private final LongAdder rejected = new LongAdder();

    private CircuitBreaker(
            String name, BreakerPolicy policy, Timekeeper timekeeper, RandomGenerator random, Listener listener) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: blank (expected: a name)");
        }
        this.name = name;
        this.policy = policy;
        this.timekeeper = timekeeper;
        this.random = random;
        this.transitions = new BreakerTransitions(policy);
        this.current = new AtomicReference<>(transitions.initial(random.nextLong()));
        this.news = new TransitionQueue<>(transition -> tell(listener, transition));
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
        return policy;
    }

    /**
     * Runs the work if the breaker admits it. An exception counts as a failure, but for those that say nothing about the
     * target: an interrupt, a cancel, a rejection further in, a deadline, a {@link CallException} that is the request's own
     * fault. An {@link Error} is not counted either.
     *
     * @param <T> what the work gives back
     * @param work what to do; allocates nothing of ours while the breaker is closed
     * @return what the work gave back
     * @throws CallRejectedException if the breaker is open; {@link CallException#retryAfter()} says for how long
     * @throws Exception what the work threw
     */
    public <T> T call(Callable<T> work) throws Exception {
        Snapshot snapshot = current.get();
        if (snapshot.phase() instanceof Phase.Closed) {
            return run(work, snapshot.generation(), NO_PROBE);
        }
        return switch (acquire()) {
            case Permit permit -> run(work, permit.generation, permit.probe);
            case Open open -> throw rejection(open);
        };
    }

    private <T> T run(Callable<T> work, long generation, long probe) throws Exception {
        T result;
        try {
            result = work.call();
        } catch (Throwable thrown) {
            report(
                    countsAsFailure(thrown)
                            ? new BreakerEvent.Failed(generation, probe, false, suggestedNanos(thrown))
                            : new BreakerEvent.Ignored(generation, probe));
            throw thrown;
        }
        succeeded(generation, probe);
        return result;
    }

    private boolean countsAsFailure(Throwable thrown) {
        return switch (thrown) {
            case InterruptedException interrupted -> false;
            case CancellationException cancelled -> false;
            case CallCancelledException cancelled -> false;
            case DeadlineExceededException late -> false;
            case CallException failed -> countsAsFailure(failed.kind());
            case Exception other -> true;
            default -> false;
        };
    }

    private boolean countsAsFailure(FailureKind kind) {
        return switch (kind) {
            case OVERLOADED, SERVER_ERROR, TIMEOUT, CONNECTION, MALFORMED_RESPONSE, EMPTY_RESPONSE, TRUNCATED -> true;
            case RATE_LIMITED -> policy.countRateLimits();
            default -> false;
        };
    }

    private static long suggestedNanos(Throwable thrown) {
        return thrown instanceof CallException failed
                ? nanos(failed.failure().suggestedDelay().orElse(Duration.ZERO))
                : 0;
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
        return new CallRejectedException(message, failure, CallTrail.empty(name), null);
    }

    /** {@return a permit, which must be ended, or how long the breaker goes on to reject} */
    public Admission acquire() {
        while (true) {
            Snapshot snapshot = current.get();
            if (admitsAll(snapshot)) {
                return new Permit(this, snapshot.generation(), NO_PROBE);
            }
            long nowNanos = timekeeper.nanoTime();
            Snapshot next = transitions.next(snapshot, ASKED, nowNanos, drawn(snapshot, nowNanos));
            if (next.equals(snapshot)) {
                rejected.increment();
                return open(snapshot, nowNanos);
            }
            if (replace(snapshot, ASKED, next)) {
                return new Permit(this, next.generation(), ((Phase.HalfOpen) next.phase()).newest());
            }
        }
    }

    /**
     * {@return what {@link #acquire()} would say if it would reject now, else empty; takes nothing, counts nothing}
     */
    public Optional<Open> rejection() {
        Snapshot snapshot = current.get();
        if (admitsAll(snapshot)) {
            return Optional.empty();
        }
        long nowNanos = timekeeper.nanoTime();
        boolean rejects = transitions.next(snapshot, ASKED, nowNanos, 1).equals(snapshot);
        return rejects ? Optional.of(open(snapshot, nowNanos)) : Optional.empty();
    }

    private static boolean admitsAll(Snapshot snapshot) {
        return switch (snapshot.phase()) {
            case Phase.Closed closed -> true;
            case Phase.MetricsOnly metrics -> true;
            case Phase.Disabled disabled -> true;
            case Phase.Open open -> false;
            case Phase.HalfOpen halfOpen -> false;
            case Phase.ForcedOpen forced -> false;
        };
    }

    /** A number is drawn only for an event that can move the breaker. */
    private long drawn(Snapshot snapshot, long nowNanos) {
        return snapshot.phase() instanceof Phase.Open open && open.isOver(nowNanos) ? random.nextLong() : 0;
    }

    private static Open open(Snapshot snapshot, long nowNanos) {
        return new Open(snapshot.phase().freeAtNanos().stream()
                .mapToObj(at -> Duration.ofNanos(Math.max(0, at - nowNanos)))
                .findFirst());
    }

    private void succeeded(long generation, long probe) {
        Snapshot snapshot = current.get();
        if (snapshot.generation() == generation
                && (!(snapshot.phase() instanceof Phase.Closed closed) || closed.hasFailures())) {
            report(new BreakerEvent.Succeeded(generation, probe));
        }
    }

    private void report(BreakerEvent.Reported event) {
        Snapshot snapshot = current.get();
        if (snapshot.generation() != event.generation()) {
            return;
        }
        long nowNanos = timekeeper.nanoTime();
        apply(event, nowNanos, random.nextLong());
    }

    private void apply(BreakerEvent event, long nowNanos, long drawn) {
        Snapshot snapshot;
        Snapshot next;
        do {
            snapshot = current.get();
            next = transitions.next(snapshot, event, nowNanos, drawn);
        } while (!next.equals(snapshot) && !replace(snapshot, event, next));
    }

    /** Only who wins the compare-and-set has news to tell. */
    private boolean replace(Snapshot snapshot, BreakerEvent event, Snapshot next) {
        if (!current.compareAndSet(snapshot, next)) {
            return false;
        }
        if (next.sequence() != snapshot.sequence()) {
            String reason = transitions.reason(snapshot, event, next);
            news.offer(next.sequence(), new Transition(name, snapshot.state(), next.state(), reason));
        }
        return true;
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
        return stateOf(current.get());
    }

    private BreakerState stateOf(Snapshot snapshot) {
        return snapshot.phase() instanceof Phase.Open open && open.isOver(timekeeper.nanoTime())
                ? BreakerState.HALF_OPEN
                : snapshot.state();
    }

    /** {@return what there is to see, as of one moment} */
    public Status status() {
        Snapshot snapshot = current.get();
        return new Status(
                name,
                stateOf(snapshot),
                snapshot.phase().failuresInARow(),
                snapshot.phase().probesOutstanding(),
                snapshot.openings(),
                snapshot.sequence(),
                rejected.sum());
    }

    /** Leads back to the {@linkplain BreakerPolicy#initialState() initial state} and forgets every failure. */
    public void reset() {
        order(policy.initialState());
    }

    /** Closes it and forgets every failure, whatever its initial state. */
    public void close() {
        order(BreakerState.CLOSED);
    }

    /** Rejects everything until a reset. */
    public void forceOpen() {
        order(BreakerState.FORCED_OPEN);
    }

    /** Admits everything and counts nothing until a reset. */
    public void disable() {
        order(BreakerState.DISABLED);
    }

    /** Admits everything and counts until a reset. */
    public void observe() {
        order(BreakerState.METRICS_ONLY);
    }

    private void order(BreakerState state) {
        apply(new BreakerEvent.Ordered(state), 0, random.nextLong());
    }

    /** {@return name and state} */
    @Override
    public String toString() {
        return "CircuitBreaker[" + name + ", " + current.get().state() + "]";
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofDays(1_000)) > 0
                ? Duration.ofDays(1_000).toNanos()
                : Math.max(0, duration.toNanos());
    }

    /** What {@link #acquire()} says: a permit, or that the breaker is open. */
    public sealed interface Admission {}

    /**
     * The breaker rejects.
     *
     * @param availableIn how long until a call will be admitted, at most: the rest of the open time, or until the slot of
     *     the oldest probe is free at the latest; empty while it is forced open
     */
    public record Open(Optional<Duration> availableIn) implements Admission {}

    /** Leave for one attempt. It ends once, as one of three things; ending it again does nothing. */
    public static final class Permit implements Admission {
        private static final VarHandle ENDED = endedHandle();

        private final CircuitBreaker breaker;
        private final long generation;
        private final long probe;

        @SuppressWarnings("UnusedVariable") // by its handle
        private volatile boolean ended;

        private Permit(CircuitBreaker breaker, long generation, long probe) {
            this.breaker = breaker;
            this.generation = generation;
            this.probe = probe;
        }

        /** {@return whether this is a probe of a half-open breaker} */
        public boolean isProbe() {
            return probe != NO_PROBE;
        }

        /** The attempt went well. */
        public void succeeded() {
            if (end()) {
                breaker.succeeded(generation, probe);
            }
        }

        /** The attempt failed, and that is all there is to say. */
        public void failed() {
            failed(FailureReport.PLAIN);
        }

        /**
         * The attempt failed through the target's fault.
         *
         * @param report what else is known
         */
        public void failed(FailureReport report) {
            if (end()) {
                long suggested = nanos(report.suggestedDelay().orElse(Duration.ZERO));
                breaker.report(new BreakerEvent.Failed(generation, probe, report.repeated(), suggested));
            }
        }

        /** The attempt says nothing about the target: cancelled, interrupted, never sent, or the request's own fault. */
        public void ignored() {
            if (end() && isProbe()) {
                breaker.report(new BreakerEvent.Ignored(generation, probe));
            }
        }

        private boolean end() {
            return ENDED.compareAndSet(this, false, true);
        }

        private static VarHandle endedHandle() {
            try {
                return MethodHandles.lookup().findVarHandle(Permit.class, "ended", boolean.class);
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
    public record FailureReport(boolean repeated, Optional<Duration> suggestedDelay) {
        static final FailureReport PLAIN = new FailureReport(false, Optional.empty());
    }

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
     * What there is to see of a breaker.
     *
     * @param name what it guards
     * @param state its state
     * @param failuresInARow failures since the last success, while closed
     * @param probesOutstanding probes under way, while half-open
     * @param openings how often it opened in a row without closing
     * @param transitions how often it changed its state
     * @param rejected how many calls it rejected
     */
    public record Status(
            String name,
            BreakerState state,
            int failuresInARow,
            int probesOutstanding,
            int openings,
            long transitions,
            long rejected) {}
}
