package dev.holdfast.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The machine's own time. */
enum SystemTimekeeper implements Timekeeper {
    INSTANCE;

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (duration.isPositive()) {
            Thread.sleep(duration);
        }
    }

    @Override
    public Task start(String name, Runnable body) {
        return new ThreadTask(Thread.ofVirtual().name(name).start(body));
    }

    @Override
    public Signal newSignal() {
        return new LatchSignal(new CountDownLatch(1));
    }

    @Override
    public String toString() {
        return "Timekeeper.system()";
    }

    private record ThreadTask(Thread thread) implements Task {
        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public void join() throws InterruptedException {
            thread.join();
        }
    }

    private record LatchSignal(CountDownLatch latch) implements Signal {
        @Override
        public void set() {
            latch.countDown();
        }

        @Override
        public boolean isSet() {
            return latch.getCount() == 0;
        }

        @Override
        public boolean await(long deadlineNanos) throws InterruptedException {
            return latch.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void await() throws InterruptedException {
            latch.await();
        }
    }
}
