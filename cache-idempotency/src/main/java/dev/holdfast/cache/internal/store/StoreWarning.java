package dev.holdfast.cache.internal.store;

import dev.holdfast.spi.Timekeeper;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Says that a store fails, once and then at most every 10 seconds with a count. The exception's own words stay out: a
 * driver may print what it was sent.
 */
public final class StoreWarning {
    private static final System.Logger LOG = System.getLogger("dev.holdfast.cache");
    private static final long PAUSE_NANOS = 10_000_000_000L;

    private final String store;
    private final Timekeeper timekeeper;
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong nextNanos;

    /**
     * Creates a warning that was not yet given.
     *
     * @param store what is warned of
     */
    public StoreWarning(String store, Timekeeper timekeeper) {
        this.store = store;
        this.timekeeper = timekeeper;
        this.nextNanos = new AtomicLong(timekeeper.nanoTime());
    }

    /** Counts a failure and says so, unless it was said just now. */
    public void warn(String what, Throwable error, String consequence) {
        failures.incrementAndGet();
        long now = timekeeper.nanoTime();
        long next = nextNanos.get();
        if (now - next >= 0 && nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
            LOG.log(
                    Level.WARNING,
                    "{0}: {1} ({2}, {3} times since the last such line); {4}",
                    store,
                    what,
                    error.getClass().getName(),
                    failures.getAndSet(0),
                    consequence);
        }
    }
}
