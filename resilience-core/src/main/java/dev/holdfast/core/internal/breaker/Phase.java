package dev.holdfast.core.internal.breaker;

import dev.holdfast.BreakerState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** What a breaker is in, with exactly the data that belongs to it, so that no number outlives its state. */
public sealed interface Phase {
    BreakerState state();

    /** {@return when a call will be admitted at the latest; empty if it is now, or nobody knows} */
    default OptionalLong freeAtNanos() {
        return OptionalLong.empty();
    }

    default int failuresInARow() {
        return 0;
    }

    default int probesOutstanding() {
        return 0;
    }

    /** Admits and counts. */
    record Closed(Tally tally) implements Phase {
        static final Closed FRESH = new Closed(Tally.NONE);

        @Override
        public BreakerState state() {
            return BreakerState.CLOSED;
        }

        @Override
        public int failuresInARow() {
            return tally.failuresInARow;
        }

        public boolean hasFailures() {
            return tally.failuresInARow > 0;
        }
    }

    /** Rejects until a time. */
    record Open(long untilNanos) implements Phase {
        @Override
        public BreakerState state() {
            return BreakerState.OPEN;
        }

        @Override
        public OptionalLong freeAtNanos() {
            return OptionalLong.of(untilNanos);
        }

        public boolean isOver(long nowNanos) {
            return nowNanos - untilNanos >= 0;
        }
    }

    /** Admits a few probes; each holds a slot until it reports or its time is over. */
    record HalfOpen(List<Probe> outstanding, int successes, long nextProbe) implements Phase {
        static final HalfOpen FRESH = new HalfOpen(List.of(), 0, 0);

        @Override
        public BreakerState state() {
            return BreakerState.HALF_OPEN;
        }

        @Override
        public OptionalLong freeAtNanos() {
            return outstanding.isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(outstanding.getFirst().expiresAtNanos);
        }

        @Override
        public int probesOutstanding() {
            return outstanding.size();
        }

        /** {@return the id of the probe that was admitted last} */
        public long newest() {
            return nextProbe - 1;
        }

        HalfOpen withoutExpired(long nowNanos) {
            return keeping(probe -> !probe.isExpired(nowNanos));
        }

        HalfOpen withProbe(long expiresAtNanos) {
            var more = new ArrayList<>(outstanding);
            more.add(new Probe(nextProbe, expiresAtNanos));
            return new HalfOpen(List.copyOf(more), successes, nextProbe + 1);
        }

        HalfOpen withoutProbe(long id) {
            return keeping(probe -> probe.id != id);
        }

        private HalfOpen keeping(Predicate<Probe> kept) {
            return new HalfOpen(outstanding.stream().filter(kept).toList(), successes, nextProbe);
        }

        HalfOpen withSuccess() {
            return new HalfOpen(outstanding, successes + 1, nextProbe);
        }
    }

    /** A probe under way. */
    record Probe(long id, long expiresAtNanos) {
        boolean isExpired(long nowNanos) {
            return nowNanos - expiresAtNanos >= 0;
        }
    }

    /** Rejects until someone says otherwise. */
    record ForcedOpen() implements Phase {
        @Override
        public BreakerState state() {
            return BreakerState.FORCED_OPEN;
        }
    }

    /** Admits, counts nothing. */
    record Disabled() implements Phase {
        @Override
        public BreakerState state() {
            return BreakerState.DISABLED;
        }
    }

    /** Admits and counts, never rejects. */
    record MetricsOnly(Tally tally) implements Phase {
        @Override
        public BreakerState state() {
            return BreakerState.METRICS_ONLY;
        }

        @Override
        public int failuresInARow() {
            return tally.failuresInARow;
        }
    }

    /** What the reports of one generation add up to, carried through the same compare-and-set as the state. */
    record Tally(int failuresInARow) {
        static final Tally NONE = new Tally(0);

        Tally withFailure() {
            return new Tally(failuresInARow == Integer.MAX_VALUE ? failuresInARow : failuresInARow + 1);
        }

        boolean opens(int failureThreshold) {
            return failuresInARow >= failureThreshold;
        }
    }
}
