package dev.holdfast.core.internal.call;

import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Timekeeper.Signal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The calls in flight: refuses more than there may be, tells close when the last is gone, and ends those that stay. */
final class InFlight {
    private static final int CLOSED = 1 << 30;

    private final long mostBytes;
    private final Timekeeper timekeeper;
    private final Signal drained;
    /** Who is there, and whether it was interrupted from here. */
    private final ConcurrentHashMap<Stay, Boolean> stays = new ConcurrentHashMap<>();
    /** The count, and {@link #CLOSED} on top once no more may enter. */
    private final AtomicInteger count = new AtomicInteger();

    private final AtomicLong bytes = new AtomicLong();

    InFlight(long mostBytes, Timekeeper timekeeper) {
        this.mostBytes = mostBytes;
        this.timekeeper = timekeeper;
        this.drained = timekeeper.newSignal();
    }

    /**
     * Lets a call in, unless there are as many as may be just now; whoever got in leaves by {@link Stay#leave()}, a call on the same
     * thread.
     */
    Optional<Stay> tryEnter(int cap, long size) {
        if (!tryHold(size)) {
            return Optional.empty();
        }
        int now = count.get();
        while (now < cap) {
            if (count.compareAndSet(now, now + 1)) {
                var stay = new Stay(Thread.currentThread(), size);
                stays.put(stay, false);
                return Optional.of(stay);
            }
            now = count.get();
        }
        bytes.addAndGet(-size);
        return Optional.empty();
    }

    private boolean tryHold(long size) {
        long held = bytes.get();
        while (size <= mostBytes - held) {
            if (bytes.compareAndSet(held, held + size)) {
                return true;
            }
            held = bytes.get();
        }
        return false;
    }

    /** What is in the way of one more: for the words of a refusal. */
    String fullness(int cap) {
        return count.get() >= cap
                ? "maxInFlight: " + cap + " calls are in flight already"
                : "maxInFlightBytes: the requests in flight and this one hold more than " + mostBytes + " bytes";
    }

    int count() {
        return count.get() & ~CLOSED;
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

    /** Ends whoever is still there: interrupts calls and closes streams. */
    void evict() {
        for (Stay stay : stays.keySet()) {
            stays.computeIfPresent(stay, (each, evicted) -> each.interrupted());
            Runnable close = stay.close;
            if (close != null) {
                close.run();
            }
        }
    }

    /** One call in flight: on its thread, until it is handed over to a stream, which any thread may end. */
    final class Stay {
        private final Thread thread;
        private final long size;
        private volatile @Nullable Runnable close;

        private Stay(Thread thread, long size) {
            this.thread = thread;
            this.size = size;
        }

        private boolean interrupted() {
            if (close == null) {
                thread.interrupt();
            }
            return true;
        }

        /**
         * The call is a stream from here on.
         *
         * @param closing ends the stream, which then leaves
         */
        void handOver(Runnable closing) {
            Boolean evicted = stays.computeIfPresent(this, (each, before) -> {
                each.close = closing;
                return before;
            });
            if (Boolean.TRUE.equals(evicted)) {
                Thread.interrupted();
                closing.run();
            }
        }

        /** Leaves. An interrupt that came from here is not left on the thread, which is the caller's. */
        void leave() {
            if (Boolean.TRUE.equals(stays.remove(this)) && close == null) {
                Thread.interrupted();
            }
            bytes.addAndGet(-size);
            if (count.decrementAndGet() == CLOSED) {
                drained.set();
            }
        }
    }
}
