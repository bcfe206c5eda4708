package dev.holdfast.core.internal.limit;

import dev.holdfast.Priority;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits: a line for each class, first come first. Interactive calls go first, but of every {@code 1 + }{@value #PASSES}
 * turns that are taken while both classes wait, one is a batch call's: none waits for ever.
 *
 * @param interactive who is waited for
 * @param batch who lets others pass
 * @param passed how many turns interactive calls took before the first of the batch calls
 */
record Line(SumTree<Waiter> interactive, SumTree<Waiter> batch, int passed) {
    static final int PASSES = 4;

    static final Line EMPTY = new Line(SumTree.empty(), SumTree.empty(), 0);

    boolean isEmpty() {
        return interactive.isEmpty() && batch.isEmpty();
    }

    long count() {
        return interactive.count() + batch.count();
    }

    /** {@return who has the next turn; null if nobody waits} */
    @Nullable
    Waiter first() {
        return firstClass() == Priority.BATCH ? batch.first() : interactive.first();
    }

    private Priority firstClass() {
        boolean batchIsNext = !batch.isEmpty() && (interactive.isEmpty() || passed >= PASSES);
        return batchIsNext ? Priority.BATCH : Priority.INTERACTIVE;
    }

    /** {@return whether a newcomer has nobody before it} */
    boolean isOpenTo(Priority priority) {
        return interactive.isEmpty()
                && (priority == Priority.INTERACTIVE ? passed < PASSES || batch.isEmpty() : batch.isEmpty());
    }

    /** {@return the line without the first, who has had the turn} */
    Line served() {
        if (firstClass() == Priority.BATCH) {
            return new Line(interactive, batch.without(batch.firstIndex()), 0);
        }
        return new Line(interactive.without(interactive.firstIndex()), batch, batch.isEmpty() ? 0 : passed + 1);
    }

    /** {@return the line after a newcomer was let past those who wait} */
    Line passedBy(Priority priority) {
        return priority == Priority.INTERACTIVE && !batch.isEmpty() ? new Line(interactive, batch, passed + 1) : this;
    }

    Line plus(Waiter waiter) {
        return waiter.priority() == Priority.BATCH
                ? new Line(interactive, batch.plus(waiter, 1, waiter.need()), passed)
                : new Line(interactive.plus(waiter, 1, waiter.need()), batch, passed);
    }

    /** {@return the index of the one that came last in its class} */
    long lastIndex(Priority priority) {
        return of(priority).lastIndex();
    }

    Line without(Priority priority, long index) {
        if (priority == Priority.INTERACTIVE) {
            return new Line(interactive.without(index), batch, passed);
        }
        SumTree<Waiter> left = batch.without(index);
        return new Line(interactive, left, left.isEmpty() ? 0 : passed);
    }

    boolean holds(Priority priority, long index) {
        return of(priority).leaf(index) != null;
    }

    /** {@return how many go before a newcomer of the class; of a batch call that is so many as wait now} */
    long countAhead(Priority priority) {
        return interactive.count()
                + (priority == Priority.BATCH
                        ? batch.count()
                        : Math.min(batch.count(), (interactive.count() + passed) / PASSES));
    }

    /** {@return what those want who go before a newcomer of the class for certain} */
    long ahead(Priority priority, Weight weight) {
        return interactive.sum(weight) + (priority == Priority.BATCH ? batch.sum(weight) : 0);
    }

    /** Those who go before a newcomer of the class, in the order of their turns. */
    void forEachAhead(Priority priority, Consumer<Waiter> action) {
        Line left = this;
        for (Waiter first = left.first(); first != null && !left.isOpenTo(priority); first = left.first()) {
            action.accept(first);
            left = left.served();
        }
    }

    private SumTree<Waiter> of(Priority priority) {
        return priority == Priority.BATCH ? batch : interactive;
    }

    void forEach(Consumer<Waiter> action) {
        interactive.forEach(action);
        batch.forEach(action);
    }
}
