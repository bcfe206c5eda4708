package dev.holdfast.core.internal;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Time that stands still until a test moves it; the test kit's own needs this module, and cannot be had here. */
public final class ManualTime implements Timekeeper {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicLong nanos;
    private final AtomicLong readings = new AtomicLong();
    private int waiting;

    public ManualTime() {
        this(0);
    }

    public ManualTime(long nanos) {
        this.nanos = new AtomicLong(nanos);
    }

    public void advance(Duration duration) {
        locked(() -> nanos.addAndGet(duration.toNanos()));
    }

    public void awaitWaiting(int threads) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = PATIENCE.toNanos();
            while (waiting < threads) {
                if (left <= 0) {
                    throw new AssertionError(
                            "waiting: " + waiting + " (expected: " + threads + " within " + PATIENCE + ")");
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    public long readings() {
        return readings.get();
    }

    @Override
    public long nanoTime() {
        readings.incrementAndGet();
        return nanos.get();
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanos.get());
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        new ManualSignal().await(nanos.get() + duration.toNanos());
    }

    @Override
    public Task start(String name, Runnable body) {
        return new ThreadTask(Thread.ofVirtual().name(name).start(body));
    }

    @Override
    public Signal newSignal() {
        return new ManualSignal();
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private record ThreadTask(Thread thread) implements Task {
        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public void join() throws InterruptedException {
            if (!thread.join(PATIENCE)) {
                throw new AssertionError(thread.getName() + ": running (expected: ended within " + PATIENCE + ")");
            }
        }
    }

    private final class ManualSignal implements Signal {
        private volatile boolean set;

        @Override
        public void set() {
            locked(() -> set = true);
        }

        @Override
        public boolean isSet() {
            return set;
        }

        @Override
        public boolean await(long deadlineNanos) throws InterruptedException {
            return await(true, deadlineNanos);
        }

        @Override
        public void await() throws InterruptedException {
            await(false, 0);
        }

        private boolean await(boolean timed, long deadlineNanos) throws InterruptedException {
            lock.lockInterruptibly();
            waiting++;
            changed.signalAll();
            try {
                while (!set && !(timed && nanos.get() - deadlineNanos >= 0)) {
                    changed.await();
                }
                return set;
            } finally {
                waiting--;
                lock.unlock();
            }
        }
    }
}
