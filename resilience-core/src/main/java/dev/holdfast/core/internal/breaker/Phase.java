package dev.holdfast.core.internal.breaker;

import dev.holdfast.BreakerState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a breaker is in, with exactly the data that belongs to it, so that no number outlives its state. */
public sealed interface Phase {
    BreakerState state();

    default boolean admitsAll() {
        return false;
    }

    /** {@return when a call will be admitted at the latest; empty if it is now, or nobody knows} */
    default OptionalLong freeAtNanos() {
        return term().ends() ? OptionalLong.of(term().untilNanos()) : OptionalLong.empty();
    }

    /** {@return how long it holds, if someone ordered it} */
    default Term term() {
        return Term.FOREVER;
    }

    /** {@return what attempts are counted in; null where they are not counted} */
    default @Nullable SampleWindow window() {
        return null;
    }

    default int failuresInARow() {
        SampleWindow counted = window();
        return counted == null ? 0 : counted.failuresInARow();
    }

    default int probesOutstanding() {
        return 0;
    }

    /** {@return whether the next call may end it} */
    default boolean isOver(long nowNanos) {
        return false;
    }

    /** {@return whether the next call is rejected} */
    default boolean refuses(long nowNanos, int maxProbes) {
        return !admitsAll() && !isOver(nowNanos);
    }

    /** Admits and counts. */
    record Closed(SampleWindow window) implements Phase {
        @Override
        public BreakerState state() {
            return BreakerState.CLOSED;
        }

        @Override
        public boolean admitsAll() {
            return true;
        }
    }

    /** Rejects until a time. */
    sealed interface Timed extends Phase {
        long untilNanos();

        @Override
        default OptionalLong freeAtNanos() {
            return OptionalLong.of(untilNanos());
        }

        @Override
        default boolean isOver(long nowNanos) {
            return nowNanos - untilNanos() >= 0;
        }
    }

    /** The provider has failed too often. */
    record Open(long untilNanos) implements Timed {
        @Override
        public BreakerState state() {
            return BreakerState.OPEN;
        }
    }

    /** Another client probes for the whole fleet; rejects until it tells, or has had its time. */
    record ProbedElsewhere(long untilNanos) implements Timed {
        @Override
        public BreakerState state() {
            return BreakerState.HALF_OPEN;
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

        @Override
        public boolean refuses(long nowNanos, int maxProbes) {
            return live(nowNanos) >= maxProbes;
        }

        boolean isProbing(long nowNanos) {
            return live(nowNanos) > 0;
        }

        private int live(long nowNanos) {
            int live = 0;
            for (Probe probe : outstanding) {
                live += probe.isExpired(nowNanos) ? 0 : 1;
            }
            return live;
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

    /** Rejects until someone says otherwise, or its term is over. */
    record ForcedOpen(Term term) implements Phase {
        @Override
        public BreakerState state() {
            return BreakerState.FORCED_OPEN;
        }
    }

    /** Admits, counts nothing. */
    record Disabled(Term term) implements Phase {
        @Override
        public BreakerState state() {
            return BreakerState.DISABLED;
        }

        @Override
        public boolean admitsAll() {
            return true;
        }
    }

    /** Admits and counts, never rejects. */
    record MetricsOnly(SampleWindow window, Term term) implements Phase {
        @Override
        public BreakerState state() {
            return BreakerState.METRICS_ONLY;
        }

        @Override
        public boolean admitsAll() {
            return true;
        }
    }
}
