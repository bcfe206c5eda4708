/**
 * Answers a call that was answered before, and does no call twice.
 *
 * <pre>{@code
 * var cache = new CaffeineResponseCache(64 << 20);
 * var client = ResilientClient.builder()
 *         .endpoint(endpoint)
 *         .interceptor(ResponseCaching.of(cache, CachePolicy.defaults()))
 *         .build();
 * }</pre>
 *
 * <p>Start at {@link dev.holdfast.cache.ResponseCaching}: it says which calls use the cache and which answers are kept;
 * {@link dev.holdfast.cache.CanonicalRequest} says when two requests are the same.
 * {@link dev.holdfast.cache.CaffeineResponseCache} and {@link dev.holdfast.cache.CaffeineIdempotencyStore} keep their
 * contents in memory; other stores implement {@link dev.holdfast.spi.ResponseCache} and
 * {@link dev.holdfast.spi.IdempotencyStore}.
 */
package dev.holdfast.cache;
