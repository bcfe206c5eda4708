package dev.holdfast.routing;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;

/** Time that stands still. Nothing here waits or starts a thread. */
record FixedTime(Instant now) implements Timekeeper {
    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    public void sleep(Duration duration) {
        throw new UnsupportedOperationException("sleep");
    }

    @Override
    public Task start(String name, Runnable body) {
        throw new UnsupportedOperationException("start");
    }

    @Override
    public Signal newSignal() {
        throw new UnsupportedOperationException("newSignal");
    }
}
