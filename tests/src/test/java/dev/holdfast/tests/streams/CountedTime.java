package dev.holdfast.tests.streams;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/** The machine's time, and how many of the threads that were started on it have not ended. */
final class CountedTime implements Timekeeper {
    private final Timekeeper time = Timekeeper.system();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger started = new AtomicInteger();

    int running() {
        return running.get();
    }

    int started() {
        return started.get();
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    @Override
    public Instant now() {
        return time.now();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        time.sleep(duration);
    }

    @Override
    public Task start(String name, Runnable body) {
        running.incrementAndGet();
        started.incrementAndGet();
        return time.start(name, () -> {
            try {
                body.run();
            } finally {
                running.decrementAndGet();
            }
        });
    }

    @Override
    public Signal newSignal() {
        return time.newSignal();
    }
}
