package dev.holdfast.cache;

import dev.holdfast.cache.internal.store.StoreWarning;
import dev.holdfast.spi.ResponseCache;
import dev.holdfast.spi.Timekeeper;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Two caches as one: a near one that is asked first, as in this process's memory, and a far one behind it, as what several
 * processes share. What only the far one has is kept near too, to its own end.
 *
 * <p>One that fails is warned of, once and then at most every 10 seconds, and the other goes on alone; only {@link #purge}
 * tells, after it has purged what it can, since an answer that should be forgotten and is not must not go unnoticed. A purge
 * reaches the near cache of this process only: those of other processes keep their answers to their end. As safe for many
 * threads as the two are.
 */
public final class TieredResponseCache implements ResponseCache {
    private final ResponseCache near;
    private final ResponseCache far;
    private final StoreWarning nearWarning;
    private final StoreWarning farWarning;
    private final AtomicLong purges = new AtomicLong();

    private TieredResponseCache(ResponseCache near, ResponseCache far, Timekeeper timekeeper) {
        this.near = near;
        this.far = far;
        this.nearWarning = new StoreWarning("near response cache", timekeeper);
        this.farWarning = new StoreWarning("far response cache", timekeeper);
    }

    /**
     * {@return a cache of two levels, on the machine's own time}
     *
     * @param near asked first
     * @param far asked for what the near one does not have
     */
    public static TieredResponseCache of(ResponseCache near, ResponseCache far) {
        return of(near, far, Timekeeper.system());
    }

    /**
     * {@return a cache of two levels}
     *
     * @param near asked first
     * @param far asked for what the near one does not have
     * @param timekeeper tells when a warning may be repeated
     */
    public static TieredResponseCache of(ResponseCache near, ResponseCache far, Timekeeper timekeeper) {
        return new TieredResponseCache(near, far, timekeeper);
    }

    @Override
    public Optional<CachedAnswer> get(CacheKey key) {
        Optional<CachedAnswer> found = ask(() -> near.get(key), nearWarning);
        if (found.isPresent()) {
            return found;
        }
        long before = purges.get();
        Optional<CachedAnswer> behind = ask(() -> far.get(key), farWarning);
        behind.ifPresent(answer -> keepNear(key, answer, before));
        return behind;
    }

    /** What was found before a purge must not come back by it: either the purge sees it, or it sees the purge. */
    private void keepNear(CacheKey key, CachedAnswer answer, long purgesBefore) {
        tell(() -> near.put(key, answer), nearWarning);
        if (purges.get() != purgesBefore) {
            tell(() -> near.purge(key.scope()), nearWarning);
        }
    }

    @Override
    public void put(CacheKey key, CachedAnswer answer) {
        tell(() -> near.put(key, answer), nearWarning);
        tell(() -> far.put(key, answer), farWarning);
    }

    @Override
    public void purge(String scope) {
        try {
            far.purge(scope);
        } finally {
            purges.incrementAndGet();
            near.purge(scope);
        }
    }

    @Override
    public String toString() {
        return "TieredResponseCache[" + near + ", " + far + "]";
    }

    private static Optional<CachedAnswer> ask(Supplier<Optional<CachedAnswer>> cache, StoreWarning warning) {
        try {
            return cache.get();
        } catch (RuntimeException | Error e) {
            warning.warn("could not be read", e, "the other level goes on");
            return Optional.empty();
        }
    }

    private static void tell(Runnable change, StoreWarning warning) {
        try {
            change.run();
        } catch (RuntimeException | Error e) {
            warning.warn("could not be written", e, "the other level goes on");
        }
    }
}
