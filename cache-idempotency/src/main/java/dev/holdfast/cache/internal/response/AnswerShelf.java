package dev.holdfast.cache.internal.response;

import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.Target;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.cache.internal.store.AnswerWeight;
import dev.holdfast.cache.internal.store.StoreWarning;
import dev.holdfast.spi.ResponseCache;
import dev.holdfast.spi.ResponseCache.CacheKey;
import dev.holdfast.spi.ResponseCache.CachedAnswer;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Stands between a call and the store, so that a store that is down costs a warning and never an answer. */
public final class AnswerShelf {
    private static final double JITTER = 0.1;
    /** What is kept for longer than a hundred years is kept for ever. */
    private static final Duration EVER = Duration.ofDays(36_525);

    private static final String CONSEQUENCE = "calls go on without it";

    private final ResponseCache cache;
    private final CachePolicy policy;
    private final Timekeeper timekeeper;
    private final RandomGenerator random;
    private final Counters counters;
    private final StoreWarning warning;
    private final AtomicLong purges = new AtomicLong();

    /** Creates a shelf on a store. */
    public AnswerShelf(
            ResponseCache cache, CachePolicy policy, Timekeeper timekeeper, RandomGenerator random, Counters counters) {
        this.cache = cache;
        this.policy = policy;
        this.timekeeper = timekeeper;
        this.random = random;
        this.counters = counters;
        this.warning = new StoreWarning("response cache", timekeeper);
    }

    /** What is stored: an answer as its provider gave it, whose form may be another than that of the request. */
    public Shelved find(CacheKey key) {
        try {
            return cache.get(key)
                    .map(found -> Shelved.of(found, timekeeper.now()))
                    .orElse(Shelved.NOTHING);
        } catch (RuntimeException | Error e) {
            failed("could not be read", e);
            return Shelved.NOTHING;
        }
    }

    /** What was found, or what is still there of it after a purge. */
    public Shelved unlessPurged(CacheKey key, Shelved found, long purgesBefore) {
        return found.stored().isEmpty() || purges.get() == purgesBefore ? found : find(key);
    }

    /** How often something was purged; told again to {@link #keep} it says whether an answer is older than a purge. */
    public long purges() {
        return purges.get();
    }

    /** Keeps a good answer, unless it is too heavy or was asked for before a purge. */
    public void keep(CacheKey key, ModelRequest request, ModelResponse response, long purgesBefore) {
        if (!GoodAnswer.isStorable(request, response)) {
            counters.countNotStored();
            return;
        }
        CachedAnswer answer = dated(response, response.servedBy().orElseThrow(), policy.ttlOf(request.model()));
        if (AnswerWeight.of(answer) > policy.maxAnswerBytes() || purges.get() != purgesBefore) {
            counters.countNotStored();
            return;
        }
        put(key, answer, purgesBefore);
    }

    /** Either a purge sees what is put here, or it is seen here. */
    private void put(CacheKey key, CachedAnswer answer, long purgesBefore) {
        try {
            cache.put(key, answer);
            counters.countStored();
            if (purges.get() != purgesBefore) {
                cache.purge(key.scope());
            }
        } catch (RuntimeException | Error e) {
            failed("could not be written", e);
        }
    }

    /**
     * Forgets a scope, also what is being asked for at this time.
     *
     * @throws RuntimeException what the store throws: what should be forgotten may still be there
     */
    public void purge(String scope) {
        purges.incrementAndGet();
        cache.purge(scope);
    }

    private CachedAnswer dated(ModelResponse response, Target servedBy, Duration ttl) {
        Instant now = timekeeper.now();
        double factor = 1 + JITTER * (2 * random.nextDouble() - 1);
        Instant freshUntil = now.plusMillis(Math.max(1, (long) (bounded(ttl).toMillis() * factor)));
        return new CachedAnswer(
                response.answer(), servedBy, now, freshUntil, freshUntil.plus(bounded(policy.staleIfError())));
    }

    /** Sums with it are instants still. */
    private static Duration bounded(Duration length) {
        return length.compareTo(EVER) < 0 ? length : EVER;
    }

    private void failed(String what, Throwable error) {
        counters.countStoreFailure();
        warning.warn(what, error, CONSEQUENCE);
    }

    @Override
    public String toString() {
        return cache.toString();
    }
}
