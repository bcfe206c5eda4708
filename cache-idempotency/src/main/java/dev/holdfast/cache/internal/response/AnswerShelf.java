package dev.holdfast.cache.internal.response;

import dev.holdfast.ModelResponse;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.spi.ResponseCache;
import dev.holdfast.spi.ResponseCache.CacheKey;
import dev.holdfast.spi.ResponseCache.CachedAnswer;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Stands between a call and the store, so that a store that is down costs a warning and never an answer. */
public final class AnswerShelf {
    private static final double JITTER = 0.1;

    private final ResponseCache cache;
    private final CachePolicy policy;
    private final Timekeeper timekeeper;
    private final RandomGenerator random;
    private final StoreWarning warning;

    /** Creates a shelf on a store. */
    public AnswerShelf(ResponseCache cache, CachePolicy policy, Timekeeper timekeeper, RandomGenerator random) {
        this.cache = cache;
        this.policy = policy;
        this.timekeeper = timekeeper;
        this.random = random;
        this.warning = new StoreWarning(timekeeper);
    }

    /** The stored answer as the response of a call, else empty. */
    public Optional<ModelResponse> find(CacheKey key, String callId) {
        try {
            return cache.get(key).map(stored -> replay(stored, callId));
        } catch (RuntimeException e) {
            warning.warn("could not be read", e);
            return Optional.empty();
        }
    }

    /** Keeps an answer. */
    public void keep(CacheKey key, ModelResponse response) {
        response.servedBy().ifPresent(target -> {
            Instant now = timekeeper.now();
            put(key, new CachedAnswer(response.answer(), target, now, now.plus(jittered(policy.ttl()))));
        });
    }

    private void put(CacheKey key, CachedAnswer answer) {
        try {
            cache.put(key, answer);
        } catch (RuntimeException e) {
            warning.warn("could not be written", e);
        }
    }

    private Duration jittered(Duration ttl) {
        double factor = 1 + JITTER * (2 * random.nextDouble() - 1);
        return Duration.ofMillis(Math.max(1, (long) (ttl.toMillis() * factor)));
    }

    private static ModelResponse replay(CachedAnswer stored, String callId) {
        return new ModelResponse(
                        stored.answer(),
                        Optional.of(stored.servedBy()),
                        List.of(),
                        Optional.empty(),
                        false,
                        false,
                        Optional.empty(),
                        callId,
                        Optional.empty(),
                        List.of())
                .replayedFor(callId);
    }

    @Override
    public String toString() {
        return cache.toString();
    }
}
