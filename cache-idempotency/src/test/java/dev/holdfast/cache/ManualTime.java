package dev.holdfast.cache;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;

/** Time that stands until a test moves it; threads are real and wait for it. */
final class ManualTime implements Timekeeper {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Object monitor = new Object();
    private long nanos = -5_000_000_000L;
    private final long origin = nanos;
    private int waiting;

    @Override
    public long nanoTime() {
        synchronized (monitor) {
            return nanos;
        }
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanoTime() - origin);
    }

    void advance(Duration duration) {
        synchronized (monitor) {
            nanos += duration.toNanos();
            monitor.notifyAll();
        }
    }

    /** Waits until that many threads wait in signals or sleeps. */
    void awaitWaiting(int threads) throws InterruptedException {
        synchronized (monitor) {
            while (waiting != threads) {
                monitor.wait();
            }
        }
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        newSignal().await(nanoTime() + duration.toNanos());
    }

    @Override
    public Task start(String name, Runnable body) {
        Thread thread = Thread.ofVirtual().name(name).start(body);
        return new Task() {
            @Override
            public void interrupt() {
                thread.interrupt();
            }

            @Override
            public void join() throws InterruptedException {
                thread.join();
            }
        };
    }

    @Override
    public Signal newSignal() {
        return new ManualSignal();
    }

    private final class ManualSignal implements Signal {
        private boolean set;

        @Override
        public void set() {
            synchronized (monitor) {
                set = true;
                monitor.notifyAll();
            }
        }

        @Override
        public boolean isSet() {
            synchronized (monitor) {
                return set;
            }
        }

        @Override
        public boolean await(long deadlineNanos) throws InterruptedException {
            synchronized (monitor) {
                waiting++;
                monitor.notifyAll();
                try {
                    while (!set && deadlineNanos - nanos > 0) {
                        monitor.wait();
                    }
                } finally {
                    waiting--;
                    monitor.notifyAll();
                }
                return set;
            }
        }

        @Override
        public void await() throws InterruptedException {
            await(nanoTime() + Long.MAX_VALUE / 2);
        }
    }
}
