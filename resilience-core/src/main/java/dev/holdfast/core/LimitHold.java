package dev.holdfast.core;

import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.core.internal.limit.Allotment;
import dev.holdfast.core.internal.limit.LimitCell;
import dev.holdfast.core.internal.limit.Need;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What one attempt took of a limiter, and how it ends once. Where it was taken from an allotment it is one small object. */
abstract class LimitHold {
    private static final VarHandle ENDED = handle("ended");
    private static final VarHandle SAMPLED = handle("sampled");

    /**
     * What is counted on its own.
     *
     * @param grant its index
     * @param startedNanos when it began, for {@link LimitCell#sample}
     */
    record Counted(long grant, Need need, long startedNanos) {}

    private final LimitCell cell;
    /** An {@link Allotment}, or {@link Counted}. */
    private final Object source;

    private final long tokens;

    @SuppressWarnings("UnusedVariable") // by its handle
    private boolean ended;

    @SuppressWarnings("UnusedVariable") // by its handle
    private boolean sampled;

    LimitHold(LimitCell cell, Allotment source, long tokens) {
        this.cell = cell;
        this.source = source;
        this.tokens = tokens;
    }

    LimitHold(LimitCell cell, Counted source) {
        this.cell = cell;
        this.source = source;
        this.tokens = source.need.total();
    }

    final long reserved() {
        return tokens;
    }

    private Need need() {
        return source instanceof Counted counted ? counted.need : new Need(tokens, 0);
    }

    private long grant() {
        return source instanceof Counted counted ? counted.grant : ((Allotment) source).index();
    }

    final void hear(RateLimitSnapshot snapshot) {
        cell.hear(grant(), snapshot);
    }

    final void sample(boolean dropped) {
        if (source instanceof Counted counted && SAMPLED.compareAndSet(this, false, true)) {
            cell.sample(counted.startedNanos, dropped);
        }
    }

    /** Less than zero counts as zero. */
    final void end(long used) {
        if (isFirstEnd() && !endsOpen(Math.max(0, used))) {
            Need need = need();
            cell.settle(grant(), need, need.withTotal(Math.max(0, used)));
        }
    }

    final void end(long input, long output) {
        Need used = cell.need(input, output);
        if (isFirstEnd() && !endsOpen(used.total())) {
            cell.settle(grant(), need(), used);
        }
    }

    final void undo() {
        if (isFirstEnd() && !(source instanceof Allotment allotment && allotment.cancel(tokens))) {
            cell.giveBack(grant(), need());
        }
    }

    private boolean isFirstEnd() {
        return ENDED.compareAndSet(this, false, true);
    }

    /** {@return whether what it was taken from is still open, so that nothing else is to do} */
    private boolean endsOpen(long used) {
        return tokens >= used && source instanceof Allotment allotment && allotment.end(tokens - used);
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(LimitHold.class, field, boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
