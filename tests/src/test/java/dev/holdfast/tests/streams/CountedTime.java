package dev.holdfast.tests.streams;

import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.ForwardedTime;
import java.util.concurrent.atomic.AtomicInteger;

/** The machine's time, and how many of the threads that were started on it have not ended. */
final class CountedTime extends ForwardedTime {
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger started = new AtomicInteger();

    CountedTime() {
        super(Timekeeper.system());
    }

    int running() {
        return running.get();
    }

    int started() {
        return started.get();
    }

    @Override
    public Task start(String name, Runnable body) {
        running.incrementAndGet();
        started.incrementAndGet();
        return super.start(name, () -> {
            try {
                body.run();
            } finally {
                running.decrementAndGet();
            }
        });
    }
}
