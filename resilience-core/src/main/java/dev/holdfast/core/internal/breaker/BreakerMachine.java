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
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/**
 * Holds the snapshot of one breaker and moves it by compare-and-set to where {@link BreakerTransitions} says. Nothing in here
 * blocks, but for a {@link FleetGate}, which is asked before the first probe where there is one.
 */
public final class BreakerMachine {
    public static final long NO_PROBE = -1;
    private static final Asked ASKED = new Asked();
    private static final Lapsed LAPSED = new Lapsed();
    private static final Refused NOBODY_KNOWS = new Refused(Optional.empty());
    private static final long NOT_TIMED = -1;

    private final BreakerPolicy policy;
    private final Timekeeper timekeeper;
    private final RandomGenerator random;
    private final BreakerTransitions transitions;
    private final AtomicReference<Snapshot> current;
    private final TransitionQueue<Change> news;
    private final long slowNanos;
    private final boolean windowHasSlices;
    private final AtomicBoolean claiming = new AtomicBoolean();
    private volatile FleetGate gate = FleetGate.ALONE;

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
        this.current = new AtomicReference<>(
                transitions.initial(windowHasSlices ? timekeeper.nanoTime() : 0, random.nextLong()));
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

    /** It may go; {@code probe} is {@link #NO_PROBE} unless it is one. */
    public record Admitted(long generation, long probe) implements Answer {}

    /** It may not; empty if nobody knows for how long. */
    public record Refused(Optional<Duration> availableIn) implements Answer {}

    /** Lets a gate decide who of a fleet probes. */
    void join(FleetGate fleet) {
        gate = fleet;
    }

    /** {@return the snapshot that holds now; a clock is read only where something ordered has an end} */
    public Snapshot look() {
        Snapshot snapshot = current.get();
        return snapshot.phase().term().ends() ? lapsed(snapshot) : snapshot;
    }

    private Snapshot lapsed(Snapshot snapshot) {
        long nowNanos = timekeeper.nanoTime();
        if (!snapshot.phase().term().isOver(nowNanos)) {
            return snapshot;
        }
        apply(LAPSED, nowNanos, random.nextLong());
        return current.get();
    }

    /** {@return when an attempt that starts now began; 0 if no one will ask how long it took} */
    public long startNanos() {
        return slowNanos == NOT_TIMED ? 0 : timekeeper.nanoTime();
    }

    /** Asks for leave in any state. */
    public Answer ask() {
        boolean claimed = false;
        while (true) {
            Snapshot snapshot = look();
            if (snapshot.admitsAll()) {
                return new Admitted(snapshot.generation(), NO_PROBE);
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
                    return new Refused(Optional.of(FleetGate.PATIENCE));
                }
                claimed = true;
                if (!claim(next, nowNanos)) {
                    continue;
                }
            }
            if (replace(snapshot, ASKED, next)) {
                return new Admitted(next.generation(), ((HalfOpen) next.phase()).newest());
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
        return free.isPresent()
                ? new Refused(Optional.of(Duration.ofNanos(Math.max(0, free.getAsLong() - nowNanos))))
                : NOBODY_KNOWS;
    }

    public void succeeded(long generation, long probe, long startedNanos) {
        Snapshot snapshot = current.get();
        if (snapshot.generation() != generation) {
            return;
        }
        SampleWindow window = snapshot.phase().window();
        if (window != null) {
            sample(snapshot, window, false, startedNanos, 0);
        } else {
            long nowNanos = timekeeper.nanoTime();
            apply(new Succeeded(generation, probe, isSlow(startedNanos, nowNanos)), nowNanos, random.nextLong());
        }
    }

    /** An attempt that was repeated on this target is one failure, however often it tries. */
    public void failed(long generation, long probe, boolean repeated, long suggestedNanos, long startedNanos) {
        Snapshot snapshot = current.get();
        if (snapshot.generation() != generation) {
            return;
        }
        SampleWindow window = snapshot.phase().window();
        if (window == null) {
            apply(new Failed(generation, probe, suggestedNanos), timekeeper.nanoTime(), random.nextLong());
        } else if (!repeated) {
            sample(snapshot, window, true, startedNanos, suggestedNanos);
        }
    }

    public void ignored(long generation, long probe) {
        if (probe != NO_PROBE && current.get().generation() == generation) {
            apply(new Ignored(generation, probe), timekeeper.nanoTime(), 0);
        }
    }

    private void sample(
            Snapshot snapshot, SampleWindow window, boolean failed, long startedNanos, long suggestedNanos) {
        long nowNanos = windowHasSlices || slowNanos != NOT_TIMED ? timekeeper.nanoTime() : 0;
        Sums tooMuch = window.record(failed, isSlow(startedNanos, nowNanos), nowNanos);
        if (tooMuch != null && snapshot.phase() instanceof Closed) {
            var reached = new Reached(snapshot.generation(), tooMuch, suggestedNanos);
            apply(reached, timekeeper.nanoTime(), random.nextLong());
        }
    }

    private boolean isSlow(long startedNanos, long nowNanos) {
        return slowNanos != NOT_TIMED && nowNanos - startedNanos > slowNanos;
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
        SampleWindow window = snapshot.phase().window();
        return window == null ? Sums.NONE : window.sums(windowHasSlices ? timekeeper.nanoTime() : 0);
    }

    private Snapshot apply(BreakerEvent event, long nowNanos, long drawn) {
        Snapshot snapshot;
        Snapshot next;
        do {
            snapshot = current.get();
            next = transitions.next(snapshot, event, nowNanos, drawn);
        } while (!next.equals(snapshot) && !replace(snapshot, event, next));
        return next;
    }

    /** Only who wins the compare-and-set has news to tell. */
    private boolean replace(Snapshot snapshot, BreakerEvent event, Snapshot next) {
        if (!current.compareAndSet(snapshot, next)) {
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
