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
import dev.holdfast.core.internal.breaker.BreakerEvent.Reported;
import dev.holdfast.core.internal.breaker.BreakerEvent.Succeeded;
import dev.holdfast.core.internal.breaker.Phase.Closed;
import dev.holdfast.core.internal.breaker.Phase.Disabled;
import dev.holdfast.core.internal.breaker.Phase.ForcedOpen;
import dev.holdfast.core.internal.breaker.Phase.HalfOpen;
import dev.holdfast.core.internal.breaker.Phase.MetricsOnly;
import dev.holdfast.core.internal.breaker.Phase.Open;
import dev.holdfast.core.internal.breaker.Phase.ProbedElsewhere;
import dev.holdfast.spi.BreakerStore.BreakerSnapshot;
import java.time.Duration;
import java.util.Optional;

/**
 * The breaker's state machine as a pure function: the same snapshot, event, time and drawn number give the same snapshot,
 * and an event that changes nothing gives an equal one back. What windows count is told by events.
 */
public final class BreakerTransitions {
    /** How long a client waits for the word of another one that probes: that one may be dead. */
    private static final Duration LONGEST_LEASE = Duration.ofSeconds(10);

    private final BreakerPolicy policy;
    private final Optional<Rates> rates;
    private final long maxOpenNanos;
    private final long probeTimeoutNanos;

    public BreakerTransitions(BreakerPolicy policy) {
        this.policy = policy;
        this.rates = policy.window().map(Rates::new);
        this.maxOpenNanos = policy.maxOpenTime().toNanos();
        this.probeTimeoutNanos = policy.probeTimeout().toNanos();
    }

    public Snapshot initial(long nowNanos, long drawn) {
        return Snapshot.of(phaseOf(policy.initialState(), Term.FOREVER, nowNanos), generation(0, drawn), 0, 0);
    }

    public Snapshot next(Snapshot snapshot, BreakerEvent event, long nowNanos, long drawn) {
        return switch (event) {
            case Asked() -> asked(snapshot, nowNanos, drawn);
            case Ordered(BreakerState state, Term term) -> ordered(snapshot, state, term, nowNanos, drawn);
            case Lapsed() ->
                snapshot.phase().term().isOver(nowNanos)
                        ? move(snapshot, phaseOf(initialState(), Term.FOREVER, nowNanos), 0, drawn)
                        : snapshot;
            case Heard(BreakerSnapshot shared) ->
                shared.generation() == snapshot.generation() ? snapshot : heard(snapshot, shared, nowNanos);
            case Reported report ->
                report.generation() == snapshot.generation() ? reported(snapshot, report, nowNanos, drawn) : snapshot;
        };
    }

    private BreakerState initialState() {
        return policy.initialState();
    }

    Duration lease() {
        Duration probeTimeout = policy.probeTimeout();
        return probeTimeout.compareTo(LONGEST_LEASE) < 0 ? probeTimeout : LONGEST_LEASE;
    }

    /** {@return whether who asks is rejected, so that {@link BreakerEvent.Asked} would change nothing} */
    public boolean refuses(Snapshot snapshot, long nowNanos) {
        return snapshot.phase().refuses(nowNanos, policy.maxProbes());
    }

    private Snapshot asked(Snapshot snapshot, long nowNanos, long drawn) {
        if (refuses(snapshot, nowNanos)) {
            return snapshot;
        }
        return switch (snapshot.phase()) {
            case Open open -> probed(snapshot, nowNanos, drawn);
            case ProbedElsewhere elsewhere -> probed(snapshot, nowNanos, drawn);
            case HalfOpen halfOpen -> snapshot.with(probing(halfOpen.withoutExpired(nowNanos), nowNanos));
            case Closed closed -> snapshot;
            case ForcedOpen forced -> snapshot;
            case Disabled disabled -> snapshot;
            case MetricsOnly metrics -> snapshot;
        };
    }

    private Snapshot probed(Snapshot snapshot, long nowNanos, long drawn) {
        return move(snapshot, probing(HalfOpen.FRESH, nowNanos), snapshot.openings(), drawn);
    }

    private HalfOpen probing(HalfOpen halfOpen, long nowNanos) {
        return halfOpen.withProbe(nowNanos + probeTimeoutNanos);
    }

    private Snapshot reported(Snapshot snapshot, Reported report, long nowNanos, long drawn) {
        return switch (snapshot.phase()) {
            case Closed closed ->
                report instanceof Reached(long generation, Sums sums, long suggestedNanos)
                        ? open(snapshot, suggestedNanos, nowNanos, drawn)
                        : snapshot;
            case HalfOpen halfOpen -> inHalfOpen(snapshot, halfOpen, report, nowNanos, drawn);
            case MetricsOnly metrics -> snapshot;
            case Open open -> snapshot;
            case ProbedElsewhere elsewhere -> snapshot;
            case ForcedOpen forced -> snapshot;
            case Disabled disabled -> snapshot;
        };
    }

    private Snapshot inHalfOpen(Snapshot snapshot, HalfOpen halfOpen, Reported report, long nowNanos, long drawn) {
        return switch (report) {
            case Failed failed -> open(snapshot, failed.suggestedNanos(), nowNanos, drawn);
            case Reached reached -> snapshot;
            case Ignored ignored -> snapshot.with(halfOpen.withoutProbe(ignored.probe()));
            case Succeeded succeeded when succeeded.slow() -> open(snapshot, 0, nowNanos, drawn);
            case Succeeded succeeded -> {
                HalfOpen better = halfOpen.withoutProbe(succeeded.probe()).withSuccess();
                yield better.successes() >= policy.successThreshold()
                        ? move(snapshot, phaseOf(BreakerState.CLOSED, Term.FOREVER, nowNanos), 0, drawn)
                        : snapshot.with(better);
            }
        };
    }

    private Snapshot open(Snapshot snapshot, long suggestedNanos, long nowNanos, long drawn) {
        int openings = snapshot.openings() == Integer.MAX_VALUE ? Integer.MAX_VALUE : snapshot.openings() + 1;
        long nanos = Math.min(maxOpenNanos, Math.max(openNanos(openings, drawn), suggestedNanos));
        return move(snapshot, new Open(nowNanos + nanos), openings, drawn);
    }

    /** {@return {@code openTime * openFactor^(openings - 1)}, at most the longest, then spread by the drawn number} */
    long openNanos(int openings, long drawn) {
        double grown = (double) policy.openTime().toNanos() * StrictMath.pow(policy.openFactor(), openings - 1.0);
        double capped = Math.min((double) maxOpenNanos, grown);
        double unit = (drawn >>> 11) * 0x1.0p-53;
        double spread = capped * (1 + policy.jitter() * (2 * unit - 1));
        return Math.min(maxOpenNanos, (long) spread);
    }

    private Snapshot ordered(Snapshot snapshot, BreakerState state, Term term, long nowNanos, long drawn) {
        Snapshot moved = move(snapshot, phaseOf(state, term, nowNanos), 0, drawn);
        if (state != snapshot.state()) {
            return moved;
        }
        boolean same = snapshot.phase().term().equals(term);
        return same && (state == BreakerState.FORCED_OPEN || state == BreakerState.DISABLED)
                ? snapshot
                : Snapshot.of(moved.phase(), moved.generation(), snapshot.sequence(), 0);
    }

    /** What someone ordered here outranks what others found; a probe of our own goes on whoever else probes. */
    private Snapshot heard(Snapshot snapshot, BreakerSnapshot shared, long nowNanos) {
        return switch (snapshot.phase()) {
            case ForcedOpen forced -> snapshot;
            case Disabled disabled -> snapshot;
            case MetricsOnly metrics -> snapshot;
            case Closed closed when shared.state() == BreakerState.CLOSED -> snapshot;
            case HalfOpen halfOpen
            when shared.state() == BreakerState.HALF_OPEN && halfOpen.isProbing(nowNanos) -> snapshot;
            case Closed closed -> adopted(snapshot, shared, nowNanos);
            case HalfOpen halfOpen -> adopted(snapshot, shared, nowNanos);
            case Open open -> adopted(snapshot, shared, nowNanos);
            case ProbedElsewhere elsewhere -> adopted(snapshot, shared, nowNanos);
        };
    }

    private Snapshot adopted(Snapshot snapshot, BreakerSnapshot shared, long nowNanos) {
        long remaining = boundedNanos(shared.remainingOpen());
        return switch (shared.state()) {
            case CLOSED -> adopt(snapshot, phaseOf(BreakerState.CLOSED, Term.FOREVER, nowNanos), shared, 0);
            case OPEN -> adopt(snapshot, new Open(nowNanos + remaining), shared, Math.max(1, shared.openings()));
            case HALF_OPEN ->
                adopt(
                        snapshot,
                        new ProbedElsewhere(nowNanos + lease().toNanos()),
                        shared,
                        Math.max(1, shared.openings()));
            case FORCED_OPEN, DISABLED, METRICS_ONLY -> snapshot;
        };
    }

    /** A store may hold anything. */
    private long boundedNanos(Duration remaining) {
        if (remaining.compareTo(policy.maxOpenTime()) > 0) {
            return maxOpenNanos;
        }
        return remaining.isNegative() ? 0 : remaining.toNanos();
    }

    private static Snapshot adopt(Snapshot snapshot, Phase to, BreakerSnapshot shared, int openings) {
        long sequence = to.state() == snapshot.state() ? snapshot.sequence() : snapshot.sequence() + 1;
        return Snapshot.of(to, shared.generation(), sequence, openings);
    }

    private Phase phaseOf(BreakerState state, Term term, long nowNanos) {
        return switch (state) {
            case CLOSED -> new Closed(freshWindow(nowNanos));
            case FORCED_OPEN -> new ForcedOpen(term);
            case DISABLED -> new Disabled(term);
            case METRICS_ONLY -> new MetricsOnly(freshWindow(nowNanos), term);
            case OPEN, HALF_OPEN ->
                throw new IllegalArgumentException("state: " + state + " (expected: one that can be ordered)");
        };
    }

    private SampleWindow freshWindow(long nowNanos) {
        return policy.window()
                .map(window -> freshWindow(window, nowNanos))
                .orElseGet(() -> new FailureRow(policy.failureThreshold()));
    }

    private static SampleWindow freshWindow(BreakerWindow window, long nowNanos) {
        var rates = new Rates(window);
        return switch (window.span()) {
            case BreakerWindow.LastCalls(int calls) -> new CallWindow(calls, rates);
            case BreakerWindow.LastTime(Duration length) -> new TimeWindow(length.toNanos(), rates, nowNanos);
        };
    }

    private static Snapshot move(Snapshot snapshot, Phase to, int openings, long drawn) {
        return Snapshot.of(to, generation(snapshot.generation(), drawn), snapshot.sequence() + 1, openings);
    }

    /** {@return a number that is neither 0 nor the one before} */
    static long generation(long previous, long drawn) {
        long generation = drawn;
        while (generation == 0 || generation == previous) {
            generation++;
        }
        return generation;
    }

    /** {@return why the breaker went from one snapshot to the next, for people} */
    public String reason(Snapshot before, BreakerEvent event, Snapshot after) {
        return switch (event) {
            case Ordered ordered -> "by hand";
            case Lapsed lapsed -> "what was ordered has lapsed";
            case Heard heard -> "another client's breaker is";
            case Reached(long generation, Sums sums, long suggested) -> reached(sums);
            case Succeeded succeeded when after.state() == BreakerState.OPEN -> "a probe was slow";
            case Failed failed -> "a probe failed";
            case Succeeded succeeded -> policy.successThreshold() + " probes succeeded";
            case Asked asked -> "the open time has passed";
            case Ignored ignored -> "";
        };
    }

    private String reached(Sums sums) {
        if (rates.isEmpty()) {
            return policy.failureThreshold() + " failures in a row";
        }
        return rates.filter(rate -> rate.failuresMeet(sums)).isPresent()
                ? sums.failures() + " of " + sums.calls() + " calls failed"
                : sums.slow() + " of " + sums.calls() + " calls were slow";
    }
}
