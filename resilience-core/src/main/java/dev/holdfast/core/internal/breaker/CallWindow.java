package dev.holdfast.core.internal.breaker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The last so many calls. One long, the head, holds what was counted since the beginning: calls in its low 30 bits, failures in
 * the next 17, slow calls in the upper 17. The ring remembers the head as it was after each of the last calls, so that the
 * difference of two heads is what lies between them: fields that overflow cancel out, since a window holds fewer calls
 * than a field can.
 *
 * <p>Who counts a call first writes the head he found into the ring, for whoever moved it there and has not done so yet, and
 * then moves the head by compare-and-set. Thus what a window reports is exact at every moment, not only when nobody writes.
 */
final class CallWindow implements SampleWindow {
    private static final int CALL_BITS = 30;
    private static final int OTHER_BITS = 17;
    private static final long CALLS = (1L << CALL_BITS) - 1;
    private static final long OTHERS = (1L << OTHER_BITS) - 1;
    private static final VarHandle HEAD = headHandle();
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);

    private final int calls;
    private final Rates rates;
    private final long[] ring;
    private final int mask;
    private volatile long head;

    CallWindow(int calls, Rates rates) {
        this(calls, rates, 0);
    }

    /** Begins at any head, so that a test need not count to where its fields overflow. */
    CallWindow(int calls, Rates rates, long head) {
        this.calls = calls;
        this.rates = rates;
        this.ring = new long[Integer.highestOneBit(calls) << 1];
        this.mask = ring.length - 1;
        this.head = head;
        Arrays.fill(ring, head);
    }

    @Override
    public @Nullable Sums record(boolean failed, boolean slow, long nowNanos) {
        long sample = 1 + (failed ? 1L << CALL_BITS : 0) + (slow ? 1L << (CALL_BITS + OTHER_BITS) : 0);
        while (true) {
            long before = head;
            remember(before);
            long after = before + sample;
            long held = after - at(before + 1 - calls);
            if (HEAD.compareAndSet(this, before, after)) {
                return rates.metBy(callsOf(held), failuresOf(held), slowOf(held)) ? unpacked(held) : null;
            }
        }
    }

    @Override
    public Sums sums(long nowNanos) {
        while (true) {
            long now = head;
            long held = now - at(now - calls);
            if (head == now) {
                return unpacked(held);
            }
        }
    }

    /** A slot only ever moves on: who was delayed must not put an old head over a newer one. */
    private void remember(long now) {
        int slot = (int) now & mask;
        long known = (long) SLOT.getVolatile(ring, slot);
        while (isOlder(known, now)) {
            if (SLOT.compareAndSet(ring, slot, known, now)) {
                return;
            }
            known = (long) SLOT.getVolatile(ring, slot);
        }
    }

    private static boolean isOlder(long one, long other) {
        return (int) ((callsOf(other) - callsOf(one)) << 2) > 0;
    }

    /** {@return the head after so many calls; the first one for what was before it, whose slots are not written yet} */
    private long at(long count) {
        return (long) SLOT.getVolatile(ring, (int) count & mask);
    }

    private static long callsOf(long packed) {
        return packed & CALLS;
    }

    private static long failuresOf(long packed) {
        return packed >>> CALL_BITS & OTHERS;
    }

    private static long slowOf(long packed) {
        return packed >>> (CALL_BITS + OTHER_BITS);
    }

    private static Sums unpacked(long packed) {
        return new Sums(callsOf(packed), failuresOf(packed), slowOf(packed));
    }

    private static VarHandle headHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(CallWindow.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
