package dev.holdfast.core.internal;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.RejectedExecutionException;

/** Time whose threads do not start. */
public record NoThreads(ManualTime time) implements Timekeeper {
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
        throw new RejectedExecutionException("no thread");
    }

    @Override
    public Signal newSignal() {
        return time.newSignal();
    }
}
