package dev.holdfast.core.internal.breaker;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Delivers transitions one at a time and in their order, whichever thread wins the next one first: a thread that is
 * interrupted between its compare-and-set and its news must not be overtaken by the one that comes after it.
 *
 * @param <T> what is delivered
 */
public final class TransitionQueue<T> {
    private final ConcurrentHashMap<Long, T> early = new ConcurrentHashMap<>();
    private final AtomicInteger arrivals = new AtomicInteger();
    private final Consumer<T> receiver;
    private long next = 1;

    /** @param receiver must not throw */
    public TransitionQueue(Consumer<T> receiver) {
        this.receiver = receiver;
    }

    /** Delivers what is due, unless another thread does so already; {@code sequence} counts from 1 without a gap. */
    public void offer(long sequence, T transition) {
        early.put(sequence, transition);
        if (arrivals.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            deliver();
            seen = arrivals.addAndGet(-seen);
        } while (seen != 0);
    }

    private void deliver() {
        for (T due = early.remove(next); due != null; due = early.remove(next)) {
            next++;
            receiver.accept(due);
        }
    }
}
