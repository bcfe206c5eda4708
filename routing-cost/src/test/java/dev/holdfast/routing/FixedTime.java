package dev.holdfast.routing;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;

/** A time that stands still until it is moved, and waits for nobody. */
final class FixedTime implements Timekeeper {
    private Instant now;
    private long nanos = -5_000;

    FixedTime(Instant now) {
        this.now = now;
    }

    void advance(Duration length) {
        now = now.plus(length);
        nanos += length.toNanos();
    }

    void advanceNanos(long length) {
        advance(Duration.ofNanos(length));
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public void sleep(Duration duration) {
        throw new UnsupportedOperationException("waiting");
    }

    @Override
    public Task start(String name, Runnable body) {
        throw new UnsupportedOperationException("threads");
    }

    @Override
    public Signal newSignal() {
        throw new UnsupportedOperationException("signals");
    }
}
