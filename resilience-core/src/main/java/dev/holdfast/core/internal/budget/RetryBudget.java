package dev.holdfast.core.internal.budget;

import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.spi.Timekeeper;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Bounds the retries on one target by its first attempts: a bucket that starts full, earns a part of a retry with each
 * first attempt, and trickles full within a minute. While it is full, a first attempt reads no clock and writes nothing.
 */
public final class RetryBudget {
    private static final long ONE = 1_000_000_000;
    private static final long REFILL_NANOS = 60_000_000_000L;

    private final Timekeeper timekeeper;
    private final long earned;
    private final int reserve;
    private final long full;
    private final AtomicReference<Balance> balance;

    public RetryBudget(RetryBudgetPolicy policy, Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
        this.earned = Math.round(policy.ratio() * ONE);
        this.reserve = policy.reserve();
        this.full = Math.max(1, reserve) * ONE;
        this.balance = new AtomicReference<>(new Balance(reserve * ONE, timekeeper.nanoTime()));
    }

    /** What the first attempt on the target earns; it is never refused. */
    public void recordFirstAttempt() {
        add(earned);
    }

    /** {@return whether one more attempt is allowed; if not, nothing was taken} */
    public boolean tryWithdraw() {
        long nowNanos = timekeeper.nanoTime();
        while (true) {
            Balance before = balance.get();
            Balance refilled = refilled(before, nowNanos);
            if (refilled.units < ONE) {
                return false;
            }
            if (balance.compareAndSet(before, new Balance(refilled.units - ONE, refilled.asOfNanos))) {
                return true;
            }
        }
    }

    /** Puts back what was withdrawn for an attempt that was never sent. */
    public void giveBack() {
        add(ONE);
    }

    /** {@return how many retries are allowed now, not negative} */
    public double available() {
        return (double) refilled(balance.get(), timekeeper.nanoTime()).units / ONE;
    }

    private void add(long units) {
        Balance before;
        Balance after;
        do {
            before = balance.get();
            if (before.units == full) {
                return;
            }
            after = new Balance(Math.min(full, before.units + units), before.asOfNanos);
        } while (!balance.compareAndSet(before, after));
    }

    private Balance refilled(Balance before, long nowNanos) {
        long elapsed = Math.min(REFILL_NANOS, nowNanos - before.asOfNanos);
        if (elapsed <= 0) {
            return before;
        }
        // 60 s bring the whole reserve, so that one nanosecond brings a sixtieth of the reserve in billionths.
        return new Balance(Math.min(full, before.units + elapsed / 60 * reserve), nowNanos - elapsed % 60);
    }

    private record Balance(long units, long asOfNanos) {}
}
