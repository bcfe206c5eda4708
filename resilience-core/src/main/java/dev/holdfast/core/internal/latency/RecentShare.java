package dev.holdfast.core.internal.latency;

import dev.holdfast.spi.Timekeeper;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** How many of the last minutes' events were of a kind: those of the last one to two spans of five minutes. Lock-free. */
public final class RecentShare {
    private static final long SPAN_NANOS = 300_000_000_000L;
    private static final long ONE = 1L << Integer.SIZE;

    private final Timekeeper time;
    private final AtomicReference<Spans> spans;

    public RecentShare(Timekeeper time) {
        this.time = time;
        long now = time.nanoTime();
        this.spans = new AtomicReference<>(new Spans(new Count(now), new Count(now)));
    }

    /**
     * What was counted.
     *
     * @param all how many
     * @param some how many of them were of the kind
     */
    public record Reading(long all, long some) {
        /** {@return the share, 0 to 1; 0 of nothing} */
        public double share() {
            return all == 0 ? 0 : (double) some / all;
        }
    }

    private record Spans(Count current, Count previous) {
        Spans at(long nowNanos) {
            long age = nowNanos - current.startedNanos;
            if (age < SPAN_NANOS) {
                return this;
            }
            return new Spans(new Count(nowNanos), age < 2 * SPAN_NANOS ? current : new Count(nowNanos));
        }
    }

    /** All in the upper half, some in the lower: they are read together. */
    private static final class Count {
        private final long startedNanos;
        private final AtomicLong both = new AtomicLong();

        Count(long startedNanos) {
            this.startedNanos = startedNanos;
        }
    }

    public void add(boolean ofTheKind) {
        current().both.addAndGet(ofTheKind ? ONE + 1 : ONE);
    }

    private Count current() {
        long now = time.nanoTime();
        Spans seen = spans.get();
        if (now - seen.current.startedNanos >= SPAN_NANOS) {
            spans.compareAndSet(seen, seen.at(now));
        }
        return spans.get().current;
    }

    /** {@return what was counted lately} */
    public Reading read() {
        Spans now = spans.get().at(time.nanoTime());
        long current = now.current.both.get();
        long previous = now.previous.both.get();
        return new Reading(
                (current >>> Integer.SIZE) + (previous >>> Integer.SIZE),
                (current & (ONE - 1)) + (previous & (ONE - 1)));
    }
}
