package dev.holdfast.core.internal.latency;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How long something took lately, for quantiles. Buckets of a sixteenth of a power of two: what is read is up to 6.25 % above what
 * was recorded, or 66 us. Lately is the last one to two spans; a span lasts a minute, up to five while there is little to record.
 * Bounded (3 KB), lock-free, and without loss of samples but for those recorded while a span ends.
 */
public final class LatencyHistogram {
    /** Times are counted in units of 2^16 ns. */
    private static final int UNIT_SHIFT = 16;

    private static final int SUB_BITS = 4;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;
    private static final int MOST_BITS = 27;
    private static final long MOST = (1L << MOST_BITS) - 1;
    private static final int BUCKETS = (MOST_BITS - SUB_BITS + 1) * SUB_BUCKETS;
    private static final long SPAN_NANOS = 60_000_000_000L;
    private static final long LONGEST_SPAN_NANOS = 5 * SPAN_NANOS;
    private static final int ENOUGH = 100;

    private final Timekeeper time;
    private final AtomicReference<Spans> spans;

    public LatencyHistogram(Timekeeper time) {
        this.time = time;
        this.spans = new AtomicReference<>(new Spans(new Counts(time.nanoTime()), null));
    }

    private record Spans(Counts current, @Nullable Counts previous) {}

    private static final class Counts {
        private final long startedNanos;
        /** The last is the sum of all. */
        private final AtomicIntegerArray buckets = new AtomicIntegerArray(BUCKETS + 1);

        Counts(long startedNanos) {
            this.startedNanos = startedNanos;
        }

        int total() {
            return buckets.get(BUCKETS);
        }

        boolean isOver(long nowNanos) {
            long age = nowNanos - startedNanos;
            return age >= LONGEST_SPAN_NANOS || (age >= SPAN_NANOS && total() >= ENOUGH);
        }

        boolean isStale(long nowNanos, int spans) {
            return nowNanos - startedNanos >= (spans + 1) * LONGEST_SPAN_NANOS;
        }
    }

    /** Records one length; a negative one counts as zero. */
    public void record(long nanos) {
        Counts counts = current(time.nanoTime());
        counts.buckets.getAndIncrement(bucket(nanos));
        counts.buckets.getAndIncrement(BUCKETS);
    }

    private Counts current(long nowNanos) {
        Spans seen = spans.get();
        if (!seen.current.isOver(nowNanos)) {
            return seen.current;
        }
        spans.compareAndSet(seen, new Spans(new Counts(nowNanos), seen.current));
        return spans.get().current;
    }

    /**
     * {@return what a part of the samples did not pass; empty while there are too few}
     *
     * @param part which part, above 0, at most 1
     * @param minSamples how many it takes, at least 1
     */
    public Optional<Duration> quantile(double part, int minSamples) {
        Reading reading = read();
        return reading.samples() < minSamples ? Optional.empty() : Optional.of(reading.quantile(part));
    }

    /** {@return the samples as they are now} */
    public Reading read() {
        long now = time.nanoTime();
        Spans seen = spans.get();
        var sums = new int[BUCKETS];
        long samples = 0;
        if (!seen.current.isStale(now, 1)) {
            samples += add(seen.current, sums);
        }
        if (seen.previous != null && !seen.previous.isStale(now, 2)) {
            samples += add(seen.previous, sums);
        }
        return new Reading(sums, samples);
    }

    private static long add(Counts counts, int[] sums) {
        long samples = 0;
        if (counts.total() > 0) {
            for (int i = 0; i < BUCKETS; i++) {
                int count = counts.buckets.getPlain(i);
                sums[i] += count;
                samples += count;
            }
        }
        return samples;
    }

    /** Samples that do not change any more. */
    public static final class Reading {
        private final int[] counts;
        private final long samples;

        private Reading(int[] counts, long samples) {
            this.counts = counts;
            this.samples = samples;
        }

        public long samples() {
            return samples;
        }

        /** {@return what a part of the samples did not pass; zero if there are none} */
        public Duration quantile(double part) {
            long rank = Math.max(1, (long) StrictMath.ceil(part * samples));
            long below = 0;
            for (int i = 0; i < counts.length && samples > 0; i++) {
                below += counts[i];
                if (below >= rank) {
                    return Duration.ofNanos(upperNanos(i));
                }
            }
            return Duration.ZERO;
        }
    }

    private static int bucket(long nanos) {
        long units = Math.min(MOST, Math.max(0, nanos) >>> UNIT_SHIFT);
        if (units < SUB_BUCKETS) {
            return (int) units;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(units) - SUB_BITS;
        return (shift + 1) * SUB_BUCKETS + (int) (units >>> shift) - SUB_BUCKETS;
    }

    /** The first length that is too long for the bucket. */
    private static long upperNanos(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return (bucket + 1L) << UNIT_SHIFT;
        }
        int shift = bucket / SUB_BUCKETS - 1;
        return (SUB_BUCKETS + bucket % SUB_BUCKETS + 1L) << (shift + UNIT_SHIFT);
    }
}
