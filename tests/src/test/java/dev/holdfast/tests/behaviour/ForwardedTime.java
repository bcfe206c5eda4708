package dev.holdfast.tests.behaviour;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;

/** Another's time, of which a test changes a part. */
public abstract class ForwardedTime implements Timekeeper {
    private final Timekeeper time;

    protected ForwardedTime(Timekeeper time) {
        this.time = time;
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
        return time.start(name, body);
    }

    @Override
    public Signal newSignal() {
        return time.newSignal();
    }
}
