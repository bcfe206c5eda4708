package dev.holdfast.core.internal.breaker;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Failures since the last success. While all goes well it is only read. */
final class FailureRow implements SampleWindow {
    private final int threshold;
    private final AtomicInteger failures = new AtomicInteger();

    FailureRow(int threshold) {
        this.threshold = threshold;
    }

    @Override
    public @Nullable Sums record(boolean failed, boolean slow, long nowNanos) {
        if (failed) {
            int inARow = another();
            return inARow >= threshold ? new Sums(inARow, inARow, 0) : null;
        }
        if (failures.get() != 0) {
            failures.set(0);
        }
        return null;
    }

    private int another() {
        while (true) {
            int seen = failures.get();
            int more = seen == Integer.MAX_VALUE ? seen : seen + 1;
            if (failures.compareAndSet(seen, more)) {
                return more;
            }
        }
    }

    /** A row is no window: there is nothing that it holds a share of. */
    @Override
    public Sums sums(long nowNanos) {
        return Sums.NONE;
    }

    @Override
    public int failuresInARow() {
        return failures.get();
    }
}
