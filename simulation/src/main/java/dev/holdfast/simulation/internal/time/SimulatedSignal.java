package dev.holdfast.simulation.internal.time;

import dev.holdfast.spi.Timekeeper;
import org.jspecify.annotations.Nullable;

/** A signal and the queue of those who wait for it, first come first woken. The queue is guarded by the scheduler's lock. */
final class SimulatedSignal implements Timekeeper.Signal {
    private final Scheduler scheduler;
    private final long originNanos;

    volatile boolean set;
    private @Nullable SimulatedTask first;
    private @Nullable SimulatedTask last;

    SimulatedSignal(Scheduler scheduler, long originNanos) {
        this.scheduler = scheduler;
        this.originNanos = originNanos;
    }

    @Override
    public void set() {
        scheduler.set(this);
    }

    @Override
    public boolean isSet() {
        return set;
    }

    @Override
    public boolean await(long deadlineNanos) throws InterruptedException {
        long left = deadlineNanos - originNanos - scheduler.nowNanos();
        return scheduler.await(this, left);
    }

    @Override
    public void await() throws InterruptedException {
        scheduler.await(this, Scheduler.FOREVER);
    }

    void enqueue(SimulatedTask task) {
        task.awaited = this;
        task.previous = last;
        if (last == null) {
            first = task;
        } else {
            last.next = task;
        }
        last = task;
    }

    void remove(SimulatedTask task) {
        SimulatedTask before = task.previous;
        SimulatedTask after = task.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        task.awaited = null;
        task.previous = null;
        task.next = null;
    }

    @Nullable
    SimulatedTask first() {
        return first;
    }
}
