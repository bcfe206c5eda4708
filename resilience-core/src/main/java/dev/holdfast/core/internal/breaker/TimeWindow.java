package dev.holdfast.core.internal.breaker;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the last while. A call is one atomic addition to what was counted since the beginning: calls in the low 32 bits
 * of a long, failures in the high ones, fast and slow calls in a long each. Ten times in a window someone notes what had been
 * counted by then; what is counted now less what was counted when the oldest slice began is what the window holds. Nothing
 * is ever taken out, so nothing can be lost or taken out twice.
 */
final class TimeWindow implements SampleWindow {
    static final int SLICES = 10;
    private static final long CALLS = 0xFFFF_FFFFL;
    private static final int CALL_BITS = 32;

    private final long sliceNanos;
    private final Rates rates;
    private final AtomicLong fast = new AtomicLong();
    private final AtomicLong slow = new AtomicLong();
    private final AtomicReference<Slices> slices;

    TimeWindow(long lengthNanos, Rates rates, long nowNanos) {
        this.sliceNanos = lengthNanos / SLICES;
        this.rates = rates;
        this.slices = new AtomicReference<>(new Slices(nowNanos, new long[SLICES], new long[SLICES]));
    }

    /** What had been counted when each of the last slices began, oldest first. */
    private static final class Slices {
        private final long newestStartNanos;
        private final long[] fast;
        private final long[] slow;

        Slices(long newestStartNanos, long[] fast, long[] slow) {
            this.newestStartNanos = newestStartNanos;
            this.fast = fast;
            this.slow = slow;
        }

        Slices movedBy(long steps, long stepNanos, long fastNow, long slowNow) {
            int shift = (int) Math.min(steps, SLICES);
            return new Slices(
                    newestStartNanos + steps * stepNanos, moved(fast, shift, fastNow), moved(slow, shift, slowNow));
        }

        private static long[] moved(long[] marks, int shift, long now) {
            var next = new long[SLICES];
            System.arraycopy(marks, shift, next, 0, SLICES - shift);
            Arrays.fill(next, SLICES - shift, SLICES, now);
            return next;
        }
    }

    @Override
    public @Nullable Sums record(boolean failed, boolean isSlow, long nowNanos) {
        moveOn(nowNanos);
        (isSlow ? slow : fast).getAndAdd(1 + (failed ? 1L << CALL_BITS : 0));
        Slices now = slices.get();
        long heldFast = fast.get() - now.fast[0];
        long heldSlow = slow.get() - now.slow[0];
        long calls = callsOf(heldFast) + callsOf(heldSlow);
        long failures = failuresOf(heldFast) + failuresOf(heldSlow);
        return rates.metBy(calls, failures, callsOf(heldSlow)) ? new Sums(calls, failures, callsOf(heldSlow)) : null;
    }

    @Override
    public Sums sums(long nowNanos) {
        moveOn(nowNanos);
        Slices now = slices.get();
        long heldFast = fast.get() - now.fast[0];
        long heldSlow = slow.get() - now.slow[0];
        return new Sums(
                callsOf(heldFast) + callsOf(heldSlow), failuresOf(heldFast) + failuresOf(heldSlow), callsOf(heldSlow));
    }

    /** A clock that goes backwards moves nothing. */
    private void moveOn(long nowNanos) {
        Slices known = slices.get();
        long elapsed = nowNanos - known.newestStartNanos;
        while (elapsed >= sliceNanos) {
            Slices next = known.movedBy(elapsed / sliceNanos, sliceNanos, fast.get(), slow.get());
            if (slices.compareAndSet(known, next)) {
                return;
            }
            known = slices.get();
            elapsed = nowNanos - known.newestStartNanos;
        }
    }

    private static long callsOf(long packed) {
        return packed & CALLS;
    }

    private static long failuresOf(long packed) {
        return packed >>> CALL_BITS;
    }
}
