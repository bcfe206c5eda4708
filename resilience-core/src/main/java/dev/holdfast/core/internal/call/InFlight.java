package dev.holdfast.core.internal.call;

import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the calls in flight, refuses more than there may be, and tells close when the last is gone. */
final class InFlight {
    private static final int CLOSED = 1 << 30;

    private final int most;
    private final Timekeeper timekeeper;
    private final Signal drained;
    /** The count, and {@link #CLOSED} on top once no more may enter. */
    private final AtomicInteger count = new AtomicInteger();

    InFlight(int most, Timekeeper timekeeper) {
        this.most = most;
        this.timekeeper = timekeeper;
        this.drained = timekeeper.newSignal();
    }

    /** Lets a call in, unless there are too many; whoever got in calls {@link #leave()}. */
    boolean tryEnter() {
        int now = count.get();
        while (now < most) {
            if (count.compareAndSet(now, now + 1)) {
                return true;
            }
            now = count.get();
        }
        return false;
    }

    boolean isClosed() {
        return count.get() >= CLOSED;
    }

    void leave() {
        if (count.decrementAndGet() == CLOSED) {
            drained.set();
        }
    }

    /** Lets no more in. Says whether this call did it. */
    boolean close() {
        int before = count.getAndUpdate(now -> now | CLOSED);
        if (before == 0) {
            drained.set();
        }
        return before < CLOSED;
    }

    boolean awaitDrained(Duration grace) throws InterruptedException {
        return drained.await(timekeeper.nanoTime() + grace.toNanos());
    }
}
