package dev.holdfast.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.holdfast.spi.ResponseCache;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;

/**
 * Keeps answers in memory, within a weight. An answer weighs about what its document takes: two bytes for each character
 * of its JSON and a fixed 512 for the rest. The ones least likely to be asked for go first.
 *
 * <p>It starts no thread and waits for nothing. An answer ends on the timekeeper's monotonic clock: setting the wall clock
 * neither shortens nor lengthens what is already stored.
 */
public final class CaffeineResponseCache implements ResponseCache {
    private static final int FIXED_WEIGHT = 512;

    private final Timekeeper timekeeper;
    private final Cache<CacheKey, CachedAnswer> answers;

    /**
     * Creates an empty cache on the machine's own time.
     *
     * @param maxBytes how much the answers may weigh together
     */
    public CaffeineResponseCache(long maxBytes) {
        this(maxBytes, Timekeeper.system());
    }

    /**
     * Creates an empty cache.
     *
     * @param maxBytes how much the answers may weigh together
     * @param timekeeper where time comes from
     */
    public CaffeineResponseCache(long maxBytes, Timekeeper timekeeper) {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes: " + maxBytes + " (expected: >= 1)");
        }
        this.timekeeper = timekeeper;
        this.answers = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((CacheKey key, CachedAnswer answer) -> weight(answer))
                .expireAfter(Expiry.writing((CacheKey key, CachedAnswer answer) -> timeLeft(answer)))
                .ticker(timekeeper::nanoTime)
                .executor(Runnable::run)
                .build();
    }

    @Override
    public Optional<CachedAnswer> get(CacheKey key) {
        return Optional.ofNullable(answers.getIfPresent(key));
    }

    @Override
    public void put(CacheKey key, CachedAnswer answer) {
        answers.put(key, answer);
    }

    @Override
    public void purge(String scope) {
        answers.asMap().keySet().removeIf(key -> key.scope().equals(scope));
    }

    @Override
    public String toString() {
        return "CaffeineResponseCache[" + answers.estimatedSize() + " answers]";
    }

    private Duration timeLeft(CachedAnswer answer) {
        Duration left = Duration.between(timekeeper.now(), answer.expiresAt());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private static int weight(CachedAnswer answer) {
        long characters = answer.answer().document().toJson().length();
        return (int) Math.min(Integer.MAX_VALUE, FIXED_WEIGHT + 2 * characters);
    }
}
