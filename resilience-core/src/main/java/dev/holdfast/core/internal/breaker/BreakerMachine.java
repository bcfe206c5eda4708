package dev.holdfast.core.internal.breaker;

import dev.holdfast.BreakerState;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.BreakerWindow;
import dev.holdfast.core.internal.breaker.BreakerEvent.Asked;
import dev.holdfast.core.internal.breaker.BreakerEvent.Failed;
import dev.holdfast.core.internal.breaker.BreakerEvent.Heard;
import dev.holdfast.core.internal.breaker.BreakerEvent.Ignored;
import dev.holdfast.core.internal.breaker.BreakerEvent.Lapsed;
import dev.holdfast.core.internal.breaker.BreakerEvent.Ordered;
import dev.holdfast.core.internal.breaker.BreakerEvent.Reached;
import dev.holdfast.core.internal.breaker.BreakerEvent.Succeeded;
import dev.holdfast.core.internal.breaker.Phase.Closed;
import dev.holdfast.core.internal.breaker.Phase.HalfOpen;
import dev.holdfast.spi.BreakerStore.BreakerSnapshot;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Holds the snapshot of one breaker and moves it by compare-and-set to where {@link BreakerTransitions} says. Nothing in here
 * blocks, but for a {@link FleetGate}, which is asked before the first probe where there is one.
 */
public final class BreakerMachine {
    public static final long NO_PROBE = -1;
    /** Nobody knows for how long. */
    public static final long UNKNOWN_NANOS = -1;
    /** The answer of an attempt begins with its end. */
    public static final long NOT_BEGUN = -1;

    private static final AtomicReferenceFieldUpdater<BreakerMachine, Snapshot> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(BreakerMachine.class, Snapshot.class, "current");
    private static final Asked ASKED = new Asked();
    private static final Lapsed LAPSED = new Lapsed();
    private static final long NOT_TIMED = -1;

    private final BreakerPolicy policy;
    private final Timekeeper timekeeper;
    private final RandomGenerator random;
    private final BreakerTransitions transitions;
    private final TransitionQueue<Change> news;
    private final long slowNanos;
    private final boolean windowHasSlices;
    private final AtomicBoolean claiming = new AtomicBoolean();
    private volatile FleetGate gate = FleetGate.ALONE;
    /** What all calls read first, so no object stands before it. */
    private volatile Snapshot current;

    /**
     * @param policy when it opens and closes
     * @param timekeeper its clock
     * @param random numbers the generations and spreads the open time
     * @param receiver hears of each transition once, in order; must not throw
     */
    public BreakerMachine(
            BreakerPolicy policy, Timekeeper timekeeper, RandomGenerator random, ChangeReceiver receiver) {
        this.policy = policy;
        this.timekeeper = timekeeper;
        this.random = random;
        this.transitions = new BreakerTransitions(policy);
        this.slowNanos = policy.window()
                .flatMap(BreakerWindow::slowCalls)
                .map(slow -> slow.longerThan().toNanos())
                .orElse(NOT_TIMED);
        this.windowHasSlices = policy.window()
                .filter(window -> window.span() instanceof BreakerWindow.LastTime)
                .isPresent();
        this.current = transitions.initial(windowHasSlices ? timekeeper.nanoTime() : 0, random.nextLong());
        this.news = new TransitionQueue<>(receiver::changed);
    }

    /** A transition. */
    public record Change(BreakerState from, BreakerState to, String reason) {}

    /** Hears of transitions. */
    @FunctionalInterface
    public interface ChangeReceiver {
        void changed(Change change);
    }

    /** What an attempt is told. */
    public sealed interface Answer {}

    /** It may go, by the word of that snapshot; {@code probe} is {@link #NO_PROBE} unless it is one. */
    public record Admitted(Snapshot issuer, long probe) implements Answer {}

    /** It may not, for so long; {@link #UNKNOWN_NANOS} if nobody knows. */
    public record Refused(long nanos) implements Answer {}

    /** Lets a gate decide who of a fleet probes. */
    void join(FleetGate fleet) {
        gate = fleet;
    }

    /** {@return the snapshot that holds now; a clock is read only where something ordered has an end} */
    public Snapshot look() {
        Snapshot snapshot = current;
        return snapshot.mayLapse() ? lapsed(snapshot) : snapshot;
    }

    private Snapshot lapsed(Snapshot snapshot) {
        long nowNanos = timekeeper.nanoTime();
        if (!snapshot.phase().term().isOver(nowNanos)) {
            return snapshot;
        }
        apply(LAPSED, nowNanos, random.nextLong());
        return current;
    }

    /** {@return whether anyone asks how long an attempt takes} */
    public boolean isTimed() {
        return slowNanos != NOT_TIMED;
    }

    /** {@return when an attempt that starts now began; 0 if no one will ask how long it took} */
    public long startNanos() {
        return isTimed() ? timekeeper.nanoTime() : 0;
    }

    /** {@return how long ago an attempt began whose answer begins now; 0 if no one will ask} */
    public long sinceNanos(long startedNanos) {
        return isTimed() ? Math.max(0, timekeeper.nanoTime() - startedNanos) : 0;
    }

    /** {@return how long other clients wait for the word of this one while it probes, unless it tells them again} */
    Duration lease() {
        return transitions.lease();
    }

    /** {@return whether a probe that holds its slot still is under way} */
    boolean isProbing() {
        return current.phase() instanceof HalfOpen halfOpen && halfOpen.isProbing(timekeeper.nanoTime());
    }

    /** Asks for leave in any state, having just {@linkplain #look() looked}. */
    public Answer ask(Snapshot seen) {
        if (seen.ruling() == Snapshot.Ruling.REFUSES) {
            long nowNanos = timekeeper.nanoTime();
            long leftNanos = ((Phase.Open) seen.phase()).untilNanos() - nowNanos;
            if (leftNanos > 0) {
                return new Refused(leftNanos);
            }
        }
        return askSlowly(seen);
    }

    private Answer askSlowly(Snapshot seen) {
        boolean claimed = false;
        for (Snapshot snapshot = seen; ; snapshot = look()) {
            if (snapshot.admitsAll()) {
                return new Admitted(snapshot, NO_PROBE);
            }
            long nowNanos = timekeeper.nanoTime();
            if (transitions.refuses(snapshot, nowNanos)) {
                return refused(snapshot, nowNanos);
            }
            boolean moves = snapshot.phase().isOver(nowNanos);
            Snapshot next = transitions.next(snapshot, ASKED, nowNanos, moves ? random.nextLong() : 0);
            if (moves && gate.isShared()) {
                // One thread at a time asks, and what it hears may have moved the state.
                if (claimed || !claiming.compareAndSet(false, true)) {
                    return new Refused(FleetGate.PATIENCE.toNanos());
                }
                claimed = true;
                if (!claim(next, nowNanos)) {
                    continue;
                }
            }
            if (replace(snapshot, ASKED, next)) {
                gate.probes();
                return new Admitted(next, ((HalfOpen) next.phase()).newest());
            }
        }
    }

    private boolean claim(Snapshot next, long nowNanos) {
        try {
            return gate.mayProbe(shared(next, nowNanos));
        } finally {
            claiming.set(false);
        }
    }

    /** {@return what {@link #ask} would say if it would refuse now, else empty; takes nothing} */
    public Optional<Refused> refusal() {
        Snapshot snapshot = look();
        if (snapshot.admitsAll()) {
            return Optional.empty();
        }
        long nowNanos = timekeeper.nanoTime();
        return transitions.refuses(snapshot, nowNanos) ? Optional.of(refused(snapshot, nowNanos)) : Optional.empty();
    }

    private static Refused refused(Snapshot snapshot, long nowNanos) {
        OptionalLong free = snapshot.phase().freeAtNanos();
        return new Refused(free.isPresent() ? Math.max(0, free.getAsLong() - nowNanos) : UNKNOWN_NANOS);
    }

    /**
     * The attempt went well. What comes too late goes into a window that nobody looks at any more.
     *
     * @param issuer the snapshot that admitted it
     * @param window the issuer's: who ends a permit reads it before the atomic step that all later reads wait for
     * @param startedNanos what {@link #startNanos()} said
     * @param begunAfterNanos how long after that its answer began, or {@link #NOT_BEGUN}
     */
    public void succeeded(
            Snapshot issuer, @Nullable SampleWindow window, long probe, long startedNanos, long begunAfterNanos) {
        if (window != null) {
            sample(issuer, window, false, 0, startedNanos, begunAfterNanos);
        } else if (isCurrent(issuer)) {
            long nowNanos = timekeeper.nanoTime();
            boolean slow = isSlow(startedNanos, begunAfterNanos, nowNanos);
            apply(new Succeeded(issuer.generation(), probe, slow), nowNanos, random.nextLong());
        }
    }

    /**
     * An attempt that was repeated on this target is one failure, however often it tries.
     *
     * @param issuer the snapshot that admitted it
     * @param window the issuer's: who ends a permit reads it before the atomic step that all later reads wait for
     * @param startedNanos what {@link #startNanos()} said
     * @param begunAfterNanos how long after that its answer began, or {@link #NOT_BEGUN}
     */
    public void failed(
            Snapshot issuer,
            @Nullable SampleWindow window,
            long probe,
            boolean repeated,
            long suggestedNanos,
            long startedNanos,
            long begunAfterNanos) {
        if (window == null && isCurrent(issuer)) {
            apply(new Failed(issuer.generation(), probe, suggestedNanos), timekeeper.nanoTime(), random.nextLong());
        } else if (window != null && !repeated) {
            sample(issuer, window, true, suggestedNanos, startedNanos, begunAfterNanos);
        }
    }

    public void ignored(Snapshot issuer, long probe) {
        if (probe != NO_PROBE && isCurrent(issuer)) {
            apply(new Ignored(issuer.generation(), probe), timekeeper.nanoTime(), 0);
        }
    }

    private boolean isCurrent(Snapshot issuer) {
        return current.generation() == issuer.generation();
    }

    private void sample(
            Snapshot issuer,
            SampleWindow window,
            boolean failed,
            long suggestedNanos,
            long startedNanos,
            long begunAfterNanos) {
        long nowNanos = windowHasSlices || isTimed() ? timekeeper.nanoTime() : 0;
        boolean slow = isSlow(startedNanos, begunAfterNanos, nowNanos);
        Sums tooMuch = window.record(failed, slow, nowNanos);
        if (tooMuch != null && issuer.phase() instanceof Closed && isCurrent(issuer)) {
            var reached = new Reached(issuer.generation(), tooMuch, suggestedNanos);
            apply(reached, timekeeper.nanoTime(), random.nextLong());
        }
    }

    /** What counts is when the answer began, if that is known: how long it then takes is the answer's length. */
    private boolean isSlow(long startedNanos, long begunAfterNanos, long nowNanos) {
        return isTimed() && (begunAfterNanos < 0 ? nowNanos - startedNanos : begunAfterNanos) > slowNanos;
    }

    public void order(BreakerState state) {
        apply(new Ordered(state, Term.FOREVER), timekeeper.nanoTime(), random.nextLong());
    }

    public void order(BreakerState state, Duration lasting) {
        long nowNanos = timekeeper.nanoTime();
        apply(new Ordered(state, Term.until(nowNanos + lasting.toNanos())), nowNanos, random.nextLong());
    }

    /** Another client's breaker of the same target changed. {@return the generation that holds after it was heard} */
    long hear(BreakerSnapshot shared) {
        return apply(new Heard(shared), timekeeper.nanoTime(), 0).generation();
    }

    /** {@return a number that no transition has, for what is told again} */
    long newGeneration() {
        return BreakerTransitions.generation(current.generation(), random.nextLong());
    }

    /** {@return the part of the state that a fleet shares} */
    public BreakerSnapshot shared() {
        return shared(look(), timekeeper.nanoTime());
    }

    private static BreakerSnapshot shared(Snapshot snapshot, long nowNanos) {
        Duration remaining = snapshot.phase() instanceof Phase.Open open
                ? Duration.ofNanos(Math.max(0, open.untilNanos() - nowNanos))
                : Duration.ZERO;
        return new BreakerSnapshot(snapshot.state(), snapshot.generation(), remaining, snapshot.openings());
    }

    /** {@return the state as the next {@link #ask} will find it: half-open as soon as the open time has passed} */
    public BreakerState stateOf(Snapshot snapshot) {
        return snapshot.phase() instanceof Phase.Open open && open.isOver(timekeeper.nanoTime())
                ? BreakerState.HALF_OPEN
                : snapshot.state();
    }

    public Sums sumsOf(Snapshot snapshot) {
        SampleWindow window = snapshot.window();
        return window == null ? Sums.NONE : window.sums(windowHasSlices ? timekeeper.nanoTime() : 0);
    }

    private Snapshot apply(BreakerEvent event, long nowNanos, long drawn) {
        Snapshot snapshot;
        Snapshot next;
        do {
            snapshot = current;
            next = transitions.next(snapshot, event, nowNanos, drawn);
        } while (!next.equals(snapshot) && !replace(snapshot, event, next));
        return next;
    }

    /** Only who wins the compare-and-set has news to tell. */
    private boolean replace(Snapshot snapshot, BreakerEvent event, Snapshot next) {
        if (!CURRENT.compareAndSet(this, snapshot, next)) {
            return false;
        }
        if (next.sequence() != snapshot.sequence()) {
            String reason = transitions.reason(snapshot, event, next);
            news.offer(next.sequence(), new Change(snapshot.state(), next.state(), reason));
        }
        if (next.generation() != snapshot.generation()) {
            gate.moved();
        }
        return true;
    }

    /** {@return the policy it was made with} */
    public BreakerPolicy policy() {
        return policy;
    }
}
