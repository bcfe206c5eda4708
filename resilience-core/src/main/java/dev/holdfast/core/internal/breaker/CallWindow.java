package dev.holdfast.core.internal.breaker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The last so many calls. One long, the head, holds what was counted since the beginning: from the top slow calls, failures and
 * calls, and below them what became of the calls of the group under way, two bits for each. A group is so many calls as
 * there is room for, at most {@value #LARGEST_GROUP}. The ring remembers the head as it was after each of the last groups,
 * which gives the counts after any call in it, and the difference of two counts is what lies between them: fields that overflow
 * cancel out, since a window holds fewer calls than a field can.
 *
 * <p>Who counts the first call of a group first writes the head he found into the ring, for whoever moved it there and has not
 * done so yet, and then moves the head by compare-and-set; all others only move the head. Thus what a window reports is exact
 * at every moment, not only when nobody writes.
 *
 * <p>A window full of good calls is the same after one more of them. That is seen by reading alone: while all is well nobody writes, and
 * threads do not wait for each other.
 */
final class CallWindow implements SampleWindow {
    private static final int LARGEST_GROUP = 8;
    /** As many calls have to pass before a head may come back to what it was. */
    private static final int LEAST_CALL_BITS = 24;

    private static final VarHandle HEAD = headHandle();
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);

    private final int calls;
    private final Rates rates;
    private final int group;
    private final int groupShift;
    private final int callsAt;
    private final int failuresAt;
    private final int slowAt;
    private final long callMask;
    private final long otherMask;
    private final long outcomes;
    /** What a window holds that is full of good calls. */
    private final long allGood;

    private final long[] ring;
    private final int mask;
    private volatile long head;

    CallWindow(int calls, Rates rates) {
        this(calls, rates, 0);
    }

    /** Begins at any head, but for the outcomes of a group, so that a test need not count to where its fields overflow. */
    CallWindow(int calls, Rates rates, long head) {
        this.calls = calls;
        this.rates = rates;
        int otherBits = Integer.SIZE - Integer.numberOfLeadingZeros(calls);
        int room = Long.SIZE - 2 * otherBits - LEAST_CALL_BITS;
        this.group = Integer.highestOneBit(Math.min(Math.min(LARGEST_GROUP, calls), room / 2));
        this.groupShift = Integer.numberOfTrailingZeros(group);
        this.callsAt = 2 * group;
        this.slowAt = Long.SIZE - otherBits;
        this.failuresAt = slowAt - otherBits;
        this.callMask = (1L << (failuresAt - callsAt)) - 1;
        this.otherMask = (1L << otherBits) - 1;
        this.outcomes = (1L << callsAt) - 1;
        this.allGood = (long) calls << callsAt;
        this.ring = new long[Integer.highestOneBit(calls / group + 1) << 1];
        this.mask = ring.length - 1;
        long first = head & -(1L << (callsAt + groupShift));
        this.head = first;
        // One call more than there were: the heads that are written later have whole groups, which tells them apart.
        Arrays.fill(ring, group == 1 ? first : first + (1L << callsAt));
    }

    /** {@return where the count of failures begins in a head, and above it that of slow calls} */
    int failuresAt() {
        return failuresAt;
    }

    int slowAt() {
        return slowAt;
    }

    @Override
    public @Nullable Sums record(boolean failed, boolean slow, long nowNanos) {
        if (!failed && !slow && isAllGood()) {
            return null;
        }
        while (true) {
            long before = head;
            long counted = callsOf(before);
            int inGroup = (int) counted & (group - 1);
            long after = before;
            if (inGroup == 0) {
                remember(before);
                after &= ~outcomes;
            }
            after += 1L << callsAt;
            if (failed) {
                after += 1L << failuresAt | 1L << inGroup;
            }
            if (slow) {
                after += 1L << slowAt | 1L << (group + inGroup);
            }
            long held = (after & ~outcomes) - countsAfter(counted + 1 - calls);
            if (HEAD.compareAndSet(this, before, after)) {
                return rates.metBy(callsOf(held), failuresOf(held), slowOf(held)) ? unpacked(held) : null;
            }
        }
    }

    /**
     * Whether the window is full and holds nothing but good calls, so that one more of them changes nothing. Most that are not
     * show it in the last group.
     */
    private boolean isAllGood() {
        long now = head;
        return (now & outcomes) == 0 && heldAt(now) == allGood && head == now;
    }

    /** {@return what the window held with that head, if it still is the head} */
    private long heldAt(long now) {
        return (now & ~outcomes) - countsAfter(callsOf(now) - calls);
    }

    @Override
    public Sums sums(long nowNanos) {
        while (true) {
            long now = head;
            long held = heldAt(now);
            if (head == now) {
                return unpacked(held);
            }
        }
    }

    /** A slot only ever moves on: who was delayed must not put an old head over a newer one. */
    private void remember(long now) {
        int slot = (int) (callsOf(now) >>> groupShift) & mask;
        long known = (long) SLOT.getVolatile(ring, slot);
        while (isOlder(known, now)) {
            if (SLOT.compareAndSet(ring, slot, known, now)) {
                return;
            }
            known = (long) SLOT.getVolatile(ring, slot);
        }
    }

    private boolean isOlder(long one, long other) {
        long more = callsOf(other) - callsOf(one) & callMask;
        return more != 0 && more <= callMask >>> 1;
    }

    /**
     * {@return the counts after so many calls, without outcomes}
     *
     * <p>They are those at the end of that call's group, less what came after it in the group. What was before the first call is
     * as it was then.
     */
    private long countsAfter(long count) {
        long groups = (count + group - 1) >> groupShift;
        long end = (long) SLOT.getVolatile(ring, (int) groups & mask);
        int rest = (int) ((groups << groupShift) - count);
        if ((callsOf(end) & (group - 1)) != 0) {
            return (end & ~outcomes) - (1L << callsAt);
        }
        long last = ((1L << rest) - 1) << (group - rest);
        long failures = Long.bitCount(end & last);
        long counts = (end & ~outcomes) - ((long) rest << callsAt) - (failures << failuresAt);
        long slow = end >>> group & last;
        return slow == 0 ? counts : counts - ((long) Long.bitCount(slow) << slowAt);
    }

    private long callsOf(long packed) {
        return packed >>> callsAt & callMask;
    }

    private long failuresOf(long packed) {
        return packed >>> failuresAt & otherMask;
    }

    private long slowOf(long packed) {
        return packed >>> slowAt;
    }

    private Sums unpacked(long packed) {
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
