package dev.holdfast.testkit;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Time that stands still until a test moves it: {@link #advance} wakes whoever waited for a time that has come.
 *
 * <pre>{@code
 * var time = new ManualTimekeeper();
 * var breaker = CircuitBreaker.of("search", BreakerPolicy.defaults(), time);
 * ...
 * time.advance(Duration.ofSeconds(30));
 * }</pre>
 *
 * <p>Threads are real: {@link #awaitWaiting} lets a test go on when as many as it expects have come to wait. For whole
 * clients, and for results that repeat to the last nanosecond, use the simulation's virtual time.
 */
public final class ManualTimekeeper implements Timekeeper {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Instant origin;
    private final long originNanos;
    private final AtomicLong nanos;
    private final AtomicLong readings = new AtomicLong();
    private int waiting;

    /** Starts at 0 ns, 2026-01-01T00:00:00Z. */
    public ManualTimekeeper() {
        this(0, Instant.parse("2026-01-01T00:00:00Z"));
    }

    /**
     * Starts where the test wants.
     *
     * @param nanos the first {@link #nanoTime()}
     * @param wall the first {@link #now()}
     */
    public ManualTimekeeper(long nanos, Instant wall) {
        this.nanos = new AtomicLong(nanos);
        this.origin = wall;
        this.originNanos = nanos;
    }

    /**
     * Moves time.
     *
     * @param duration by how much; less than zero sets it back
     */
    public void advance(Duration duration) {
        locked(() -> nanos.addAndGet(duration.toNanos()));
    }

    /**
     * Waits, in real time, until so many threads wait for this time.
     *
     * @param threads how many, in {@code sleep} and in a signal's {@code await} together
     * @throws InterruptedException if the thread is interrupted
     */
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

    /** {@return how often {@link #nanoTime()} was asked; for code that promises not to look} */
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
        return origin.plusNanos(nanos.get() - originNanos);
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
