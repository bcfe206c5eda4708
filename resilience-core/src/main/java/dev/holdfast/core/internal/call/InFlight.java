package dev.holdfast.core.internal.call;

import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The calls in flight: refuses more than there may be, tells close when the last is gone, and ends those that stay. */
final class InFlight {
    private static final int CLOSED = 1 << 30;

    private final int most;
    private final Timekeeper timekeeper;
    private final Signal drained;
    private final Set<Stay> stays = ConcurrentHashMap.newKeySet();
    /** The count, and {@link #CLOSED} on top once no more may enter. */
    private final AtomicInteger count = new AtomicInteger();

    InFlight(int most, Timekeeper timekeeper) {
        this.most = most;
        this.timekeeper = timekeeper;
        this.drained = timekeeper.newSignal();
    }

    /** Lets a call in, unless there are too many; whoever got in leaves by {@link Stay#leave()}, on the same thread. */
    Optional<Stay> tryEnter() {
        int now = count.get();
        while (now < most) {
            if (count.compareAndSet(now, now + 1)) {
                var stay = new Stay(Thread.currentThread());
                stays.add(stay);
                return Optional.of(stay);
            }
            now = count.get();
        }
        return Optional.empty();
    }

    boolean isClosed() {
        return count.get() >= CLOSED;
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

    /** Interrupts whoever is still there. */
    void evict() {
        stays.forEach(Stay::evict);
    }

    /** One call in flight, on its thread. */
    final class Stay {
        private final Thread thread;
        private final AtomicInteger state = new AtomicInteger();

        private static final int HERE = 0;
        private static final int EVICTING = 1;
        private static final int EVICTED = 2;
        private static final int GONE = 3;

        private Stay(Thread thread) {
            this.thread = thread;
        }

        private void evict() {
            if (state.compareAndSet(HERE, EVICTING)) {
                thread.interrupt();
                state.set(EVICTED);
            }
        }

        /** Leaves. An interrupt that came from here is not left on the thread, which is the caller's. */
        void leave() {
            if (!state.compareAndSet(HERE, GONE)) {
                while (state.get() == EVICTING) {
                    Thread.onSpinWait();
                }
                Thread.interrupted();
            }
            stays.remove(this);
            if (count.decrementAndGet() == CLOSED) {
                drained.set();
            }
        }
    }
}
