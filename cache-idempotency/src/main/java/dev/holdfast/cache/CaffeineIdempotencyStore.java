package dev.holdfast.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.holdfast.cache.internal.idempotency.KeyRecord;
import dev.holdfast.cache.internal.idempotency.KeyRecord.Phase;
import dev.holdfast.spi.IdempotencyStore;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * Remembers keys in memory. A key is remembered for the lifetime it was reserved or taken over with, whatever becomes of it,
 * and no sooner forgotten: a store that is full refuses new keys with an {@link IllegalStateException} instead of dropping one
 * that may still be executing.
 *
 * <p>A token ends with its reservation: whoever comes with an older one changes nothing. Safe for use by many threads; it
 * starts none and waits for nothing.
 */
public final class CaffeineIdempotencyStore implements IdempotencyStore {
    private final long maxKeys;
    private final AtomicLong tokens = new AtomicLong();
    private final Cache<Key, KeyRecord> keys;

    /**
     * Creates an empty store on the machine's own time.
     *
     * @param maxKeys how many keys it remembers at once
     */
    public CaffeineIdempotencyStore(long maxKeys) {
        this(maxKeys, Timekeeper.system());
    }

    /**
     * Creates an empty store.
     *
     * @param maxKeys how many keys it remembers at once; callers that race for the last place may pass it by their number
     * @param timekeeper where time comes from
     */
    public CaffeineIdempotencyStore(long maxKeys, Timekeeper timekeeper) {
        if (maxKeys < 1) {
            throw new IllegalArgumentException("maxKeys: " + maxKeys + " (expected: >= 1)");
        }
        this.maxKeys = maxKeys;
        this.keys = Caffeine.newBuilder()
                .expireAfter(new Lifetimes())
                .ticker(timekeeper::nanoTime)
                .executor(Runnable::run)
                .build();
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the store is full and does not know the key
     */
    @Override
    public Reservation reserve(Key key, String fingerprint, Duration lifetime) {
        if (!lifetime.isPositive()) {
            throw new IllegalArgumentException("lifetime: " + lifetime + " (expected: > 0)");
        }
        KeyRecord known = keys.getIfPresent(key);
        if (known == null) {
            refuseIfFull();
            var fresh = KeyRecord.reserved("local-" + tokens.incrementAndGet(), fingerprint, lifetime);
            known = keys.asMap().putIfAbsent(key, fresh);
            if (known == null) {
                return new Reserved(fresh.token());
            }
        }
        return known.seenBy(fingerprint);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if the store is full and does not know the key
     */
    @Override
    public Reservation takeOver(Key key, String fingerprint, Duration lifetime) {
        Reservation seen = reserve(key, fingerprint, lifetime);
        while (seen instanceof Unknown) {
            KeyRecord known = keys.getIfPresent(key);
            var fresh = KeyRecord.reserved("local-" + tokens.incrementAndGet(), fingerprint, lifetime);
            if (known != null
                    && known.seenBy(fingerprint) instanceof Unknown
                    && keys.asMap().replace(key, known, fresh)) {
                return new Reserved(fresh.token());
            }
            seen = reserve(key, fingerprint, lifetime);
        }
        return seen;
    }

    @Override
    public void complete(Key key, String token, GivenAnswer answer) {
        change(key, token, record -> record.phase() == Phase.COMPLETED ? record : record.completed(answer));
    }

    @Override
    public void release(Key key, String token) {
        KeyRecord record = keys.getIfPresent(key);
        if (record != null && record.belongsTo(token) && record.phase() == Phase.IN_FLIGHT) {
            keys.asMap().remove(key, record);
        }
    }

    @Override
    public void markUnknown(Key key, String token) {
        change(key, token, record -> record.phase() == Phase.IN_FLIGHT ? record.unknown() : record);
    }

    @Override
    public String toString() {
        return "CaffeineIdempotencyStore[" + keys.estimatedSize() + " keys]";
    }

    /** Replaces the record of a token, again if another thread of the same token came between. */
    private void change(Key key, String token, UnaryOperator<KeyRecord> change) {
        KeyRecord record = keys.getIfPresent(key);
        while (record != null && record.belongsTo(token) && !replace(key, record, change.apply(record))) {
            record = keys.getIfPresent(key);
        }
    }

    private boolean replace(Key key, KeyRecord before, KeyRecord after) {
        return before.equals(after) || keys.asMap().replace(key, before, after);
    }

    private void refuseIfFull() {
        if (keys.estimatedSize() < maxKeys) {
            return;
        }
        keys.cleanUp();
        if (keys.estimatedSize() >= maxKeys) {
            throw new IllegalStateException("keys remembered: " + maxKeys + " (expected: < " + maxKeys + ")");
        }
    }

    /** A lifetime begins with a reservation; what is reported of it afterwards leaves its end where it was. */
    private static final class Lifetimes implements Expiry<Key, KeyRecord> {
        @Override
        public long expireAfterCreate(Key key, KeyRecord record, long nowNanos) {
            return nanos(record.lifetime());
        }

        @Override
        public long expireAfterUpdate(Key key, KeyRecord record, long nowNanos, long leftNanos) {
            return record.phase() == Phase.IN_FLIGHT ? nanos(record.lifetime()) : leftNanos;
        }

        @Override
        public long expireAfterRead(Key key, KeyRecord record, long nowNanos, long leftNanos) {
            return leftNanos;
        }

        private static long nanos(Duration lifetime) {
            return lifetime.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? lifetime.toNanos() : Long.MAX_VALUE;
        }
    }
}
