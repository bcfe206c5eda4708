package dev.holdfast.cache.internal.response;

import dev.holdfast.spi.Timekeeper;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Says that a store fails, once and then at most every 10 seconds with a count. The exception's own words stay out: a
 * driver may print what it was sent.
 */
final class StoreWarning {
    private static final System.Logger LOG = System.getLogger("dev.holdfast.cache");
    private static final long PAUSE_NANOS = 10_000_000_000L;

    private final Timekeeper timekeeper;
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong nextNanos;

    StoreWarning(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
        this.nextNanos = new AtomicLong(timekeeper.nanoTime());
    }

    void warn(String what, RuntimeException error) {
        failures.incrementAndGet();
        long now = timekeeper.nanoTime();
        long next = nextNanos.get();
        if (now - next >= 0 && nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
            LOG.log(
                    Level.WARNING,
                    "response cache: {0} ({1}, {2} times since the last such line); calls go on without it",
                    what,
                    error.getClass().getName(),
                    failures.getAndSet(0));
        }
    }
}
