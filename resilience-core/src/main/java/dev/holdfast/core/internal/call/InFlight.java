package dev.holdfast.core.internal.call;

import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The calls in flight: refuses more than there may be, tells close when the last is gone, and ends those that stay. */
final class InFlight {
    private static final int CLOSED = 1 << 30;

    private final int most;
    private final Timekeeper timekeeper;
    private final Signal drained;
    /** Who is there, and whether it was interrupted from here. */
    private final ConcurrentHashMap<Stay, Boolean> stays = new ConcurrentHashMap<>();
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
                stays.put(stay, false);
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
        stays.keySet().forEach(stay -> stays.computeIfPresent(stay, (each, evicted) -> each.interrupted()));
    }

    /** One call in flight, on its thread. */
    final class Stay {
        private final Thread thread;

        private Stay(Thread thread) {
            this.thread = thread;
        }

        private boolean interrupted() {
            thread.interrupt();
            return true;
        }

        /** Leaves. An interrupt that came from here is not left on the thread, which is the caller's. */
        void leave() {
            if (Boolean.TRUE.equals(stays.remove(this))) {
                Thread.interrupted();
            }
            if (count.decrementAndGet() == CLOSED) {
                drained.set();
            }
        }
    }
}
