package dev.holdfast.testkit;

import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes only while someone sleeps: a sleep moves it and returns at once. */
final class SleptTime implements Timekeeper {
    /** Far below zero, so that who compares readings wrongly is found out. */
    private static final long ORIGIN_NANOS = Long.MIN_VALUE + 1_000;

    private final AtomicLong slept = new AtomicLong();
    private final ManualTimekeeper still = new ManualTimekeeper();

    @Override
    public long nanoTime() {
        return ORIGIN_NANOS + slept.get();
    }

    @Override
    public Instant now() {
        return still.now().plusNanos(slept.get());
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        slept.addAndGet(Math.max(0, duration.toNanos()));
    }

    @Override
    public Task start(String name, Runnable body) {
        return still.start(name, body);
    }

    @Override
    public Signal newSignal() {
        return still.newSignal();
    }
}
