package dev.holdfast.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.holdfast.cache.internal.store.AnswerWeight;
import dev.holdfast.spi.ResponseCache;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps answers in memory, within a weight. An answer weighs about what its objects take in memory, by a walk through its
 * document. The ones least likely to be asked for go first; one that alone is heavier than the cache is not kept.
 *
 * <p>It starts no thread and waits for nothing. An answer ends on the timekeeper's monotonic clock: setting the wall clock
 * neither shortens nor lengthens what is already stored. Safe for use by many threads.
 */
public final class CaffeineResponseCache implements ResponseCache {
    private final Timekeeper timekeeper;
    private final LongAdder evictions = new LongAdder();
    private final Cache<CacheKey, CachedAnswer> answers;

    /**
     * Creates an empty cache on the machine's own time.
     *
     * @param maxBytes how much the answers may weigh together, at least 1
     */
    public CaffeineResponseCache(long maxBytes) {
        this(maxBytes, Timekeeper.system());
    }

    /**
     * Creates an empty cache.
     *
     * @param maxBytes how much the answers may weigh together, at least 1
     * @param timekeeper where time comes from
     */
    public CaffeineResponseCache(long maxBytes, Timekeeper timekeeper) {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes: " + maxBytes + " (expected: >= 1)");
        }
        this.timekeeper = timekeeper;
        this.answers = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((CacheKey key, CachedAnswer answer) -> weight(key, answer))
                .expireAfter(Expiry.writing((CacheKey key, CachedAnswer answer) -> timeLeft(answer)))
                .evictionListener((key, answer, cause) -> countIfCrowdedOut(cause))
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

    /** {@return how many answers are kept now} */
    public long size() {
        answers.cleanUp();
        return answers.estimatedSize();
    }

    /** {@return what the answers that are kept now weigh together, in bytes} */
    public long weight() {
        answers.cleanUp();
        return answers.policy()
                .eviction()
                .map(Policy.Eviction::weightedSize)
                .orElseThrow()
                .orElseThrow();
    }

    /** {@return how many answers had to go before their time, since there was no room} */
    public long evictions() {
        return evictions.sum();
    }

    @Override
    public String toString() {
        return "CaffeineResponseCache[" + answers.estimatedSize() + " answers]";
    }

    private void countIfCrowdedOut(RemovalCause cause) {
        if (cause == RemovalCause.SIZE) {
            evictions.increment();
        }
    }

    private Duration timeLeft(CachedAnswer answer) {
        Duration left = Duration.between(timekeeper.now(), answer.expiresAt());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private static int weight(CacheKey key, CachedAnswer answer) {
        return (int) Math.min(
                Integer.MAX_VALUE, AnswerWeight.of(answer) + key.scope().length());
    }
}
