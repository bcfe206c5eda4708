package dev.holdfast.core.internal.breaker;

import dev.holdfast.BreakerState;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.internal.breaker.BreakerEvent.Asked;
import dev.holdfast.core.internal.breaker.BreakerEvent.Failed;
import dev.holdfast.core.internal.breaker.BreakerEvent.Ignored;
import dev.holdfast.core.internal.breaker.BreakerEvent.Ordered;
import dev.holdfast.core.internal.breaker.BreakerEvent.Reported;
import dev.holdfast.core.internal.breaker.BreakerEvent.Succeeded;
import dev.holdfast.core.internal.breaker.Phase.Closed;
import dev.holdfast.core.internal.breaker.Phase.Disabled;
import dev.holdfast.core.internal.breaker.Phase.ForcedOpen;
import dev.holdfast.core.internal.breaker.Phase.HalfOpen;
import dev.holdfast.core.internal.breaker.Phase.MetricsOnly;
import dev.holdfast.core.internal.breaker.Phase.Open;
import dev.holdfast.core.internal.breaker.Phase.Tally;

/**
 * The breaker's state machine as a pure function: the same snapshot, event, time and drawn number give the same snapshot,
 * and an event that changes nothing gives an equal one back.
 */
public final class BreakerTransitions {
    private final BreakerPolicy policy;
    private final long maxOpenNanos;
    private final long probeTimeoutNanos;

    public BreakerTransitions(BreakerPolicy policy) {
        this.policy = policy;
        this.maxOpenNanos = policy.maxOpenTime().toNanos();
        this.probeTimeoutNanos = policy.probeTimeout().toNanos();
    }

    public Snapshot initial(long drawn) {
        return new Snapshot(phaseOf(policy.initialState()), generation(0, drawn), 0, 0);
    }

    public Snapshot next(Snapshot snapshot, BreakerEvent event, long nowNanos, long drawn) {
        return switch (event) {
            case Asked() -> asked(snapshot, nowNanos, drawn);
            case Ordered(BreakerState state) -> ordered(snapshot, state, drawn);
            case Reported report ->
                report.generation() == snapshot.generation() ? reported(snapshot, report, nowNanos, drawn) : snapshot;
        };
    }

    private Snapshot asked(Snapshot snapshot, long nowNanos, long drawn) {
        return switch (snapshot.phase()) {
            case Open open
            when open.isOver(nowNanos) -> move(snapshot, probing(HalfOpen.FRESH, nowNanos), snapshot.openings(), drawn);
            case HalfOpen halfOpen -> {
                HalfOpen live = halfOpen.withoutExpired(nowNanos);
                yield live.outstanding().size() < policy.maxProbes()
                        ? snapshot.with(probing(live, nowNanos))
                        : snapshot;
            }
            case Open open -> snapshot;
            case Closed closed -> snapshot;
            case ForcedOpen forced -> snapshot;
            case Disabled disabled -> snapshot;
            case MetricsOnly metrics -> snapshot;
        };
    }

    private HalfOpen probing(HalfOpen halfOpen, long nowNanos) {
        return halfOpen.withProbe(nowNanos + probeTimeoutNanos);
    }

    private Snapshot reported(Snapshot snapshot, Reported report, long nowNanos, long drawn) {
        return switch (snapshot.phase()) {
            case Closed(Tally tally) -> inClosed(snapshot, tally, report, nowNanos, drawn);
            case HalfOpen halfOpen -> inHalfOpen(snapshot, halfOpen, report, nowNanos, drawn);
            case MetricsOnly(Tally tally) -> snapshot.with(new MetricsOnly(count(tally, report)));
            case Open open -> snapshot;
            case ForcedOpen forced -> snapshot;
            case Disabled disabled -> snapshot;
        };
    }

    private Snapshot inClosed(Snapshot snapshot, Tally tally, Reported report, long nowNanos, long drawn) {
        Tally counted = count(tally, report);
        return report instanceof Failed failed && counted.opens(policy.failureThreshold())
                ? open(snapshot, failed, nowNanos, drawn)
                : snapshot.with(new Closed(counted));
    }

    /** A call whose attempt had failed here before is one failure, however often it tries. */
    private static Tally count(Tally tally, Reported report) {
        return switch (report) {
            case Succeeded succeeded -> tally.failuresInARow() == 0 ? tally : Tally.NONE;
            case Failed failed -> failed.repeated() ? tally : tally.withFailure();
            case Ignored ignored -> tally;
        };
    }

    private Snapshot inHalfOpen(Snapshot snapshot, HalfOpen halfOpen, Reported report, long nowNanos, long drawn) {
        return switch (report) {
            case Failed failed -> open(snapshot, failed, nowNanos, drawn);
            case Ignored ignored -> snapshot.with(halfOpen.withoutProbe(ignored.probe()));
            case Succeeded succeeded -> {
                HalfOpen better = halfOpen.withoutProbe(succeeded.probe()).withSuccess();
                yield better.successes() >= policy.successThreshold()
                        ? move(snapshot, Closed.FRESH, 0, drawn)
                        : snapshot.with(better);
            }
        };
    }

    private Snapshot open(Snapshot snapshot, Failed failed, long nowNanos, long drawn) {
        int openings = snapshot.openings() == Integer.MAX_VALUE ? Integer.MAX_VALUE : snapshot.openings() + 1;
        long nanos = Math.min(maxOpenNanos, Math.max(openNanos(openings, drawn), failed.suggestedNanos()));
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

    private Snapshot ordered(Snapshot snapshot, BreakerState state, long drawn) {
        Snapshot moved = move(snapshot, phaseOf(state), 0, drawn);
        if (state != snapshot.state()) {
            return moved;
        }
        return state == BreakerState.FORCED_OPEN || state == BreakerState.DISABLED
                ? snapshot
                : new Snapshot(moved.phase(), moved.generation(), snapshot.sequence(), 0);
    }

    private static Phase phaseOf(BreakerState state) {
        return switch (state) {
            case CLOSED -> Closed.FRESH;
            case FORCED_OPEN -> new ForcedOpen();
            case DISABLED -> new Disabled();
            case METRICS_ONLY -> new MetricsOnly(Tally.NONE);
            case OPEN, HALF_OPEN ->
                throw new IllegalArgumentException("state: " + state + " (expected: one that can be ordered)");
        };
    }

    private static Snapshot move(Snapshot snapshot, Phase to, int openings, long drawn) {
        return new Snapshot(to, generation(snapshot.generation(), drawn), snapshot.sequence() + 1, openings);
    }

    private static long generation(long previous, long drawn) {
        long generation = drawn;
        while (generation == 0 || generation == previous) {
            generation++;
        }
        return generation;
    }

    /** {@return why the breaker went from one snapshot to the next, for people} */
    public String reason(Snapshot before, BreakerEvent event, Snapshot after) {
        if (event instanceof Ordered) {
            return "by hand";
        }
        return switch (after.state()) {
            case OPEN ->
                before.state() == BreakerState.HALF_OPEN
                        ? "a probe failed"
                        : policy.failureThreshold() + " failures in a row";
            case HALF_OPEN -> "the open time has passed";
            default -> policy.successThreshold() + " probes succeeded";
        };
    }
}
