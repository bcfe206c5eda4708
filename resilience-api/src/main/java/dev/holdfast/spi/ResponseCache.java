package dev.holdfast.spi;

import dev.holdfast.ModelAnswer;
import dev.holdfast.Target;
import java.time.Instant;
import java.util.Optional;

/**
 * Keeps answers. Which answers are kept, under which key and for how long is decided before it is called.
 *
 * <p>Called by the thread of the call, before and after it. It may throw any unchecked exception: the call then goes on
 * without it. It must not compute inside a lock.
 */
public interface ResponseCache {
    /**
     * {@return the answer that is stored and not expired, else empty}
     *
     * @param key the key
     */
    Optional<CachedAnswer> get(CacheKey key);

    /**
     * Stores an answer, in place of an older one.
     *
     * @param key the key
     * @param answer the answer
     */
    void put(CacheKey key, CachedAnswer answer);

    /**
     * Forgets every answer of a scope.
     *
     * @param scope the scope
     */
    void purge(String scope);

    /**
     * What an answer is found by.
     *
     * @param scope whose it is; answers never cross scopes
     * @param digest a digest of the request, in hexadecimal: no prompt can be read from it
     */
    record CacheKey(String scope, String digest) {}

    /**
     * A stored answer.
     *
     * @param answer the answer
     * @param servedBy the target that gave it
     * @param storedAt when it was stored
     * @param freshUntil until when it answers calls; from then to its end it only stands in when the provider fails
     * @param expiresAt when it ends: until then the store keeps it, after it the store forgets it
     */
    record CachedAnswer(ModelAnswer answer, Target servedBy, Instant storedAt, Instant freshUntil, Instant expiresAt) {
        /**
         * An answer that is fresh to its end.
         *
         * @param answer the answer
         * @param servedBy the target that gave it
         * @param storedAt when it was stored
         * @param expiresAt when it ends
         */
        public CachedAnswer(ModelAnswer answer, Target servedBy, Instant storedAt, Instant expiresAt) {
            this(answer, servedBy, storedAt, expiresAt, expiresAt);
        }
    }
}
