package dev.holdfast.cache.internal.flight;

import dev.holdfast.CallOptions;
import dev.holdfast.Priority;
import dev.holdfast.spi.ResponseCache.CacheKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/** Which calls may share a flight: those that would be made and treated alike, not only answered alike. */
record FlightKey(
        CacheKey key,
        boolean stores,
        Optional<String> idempotencyKey,
        Optional<Duration> timeout,
        Optional<Boolean> retry,
        Optional<Boolean> fallback,
        Optional<BigDecimal> maxCostUsd,
        Priority priority) {
    static FlightKey of(CacheKey key, boolean stores, CallOptions options) {
        return new FlightKey(
                key,
                stores,
                options.idempotencyKey(),
                options.timeout(),
                options.retry(),
                options.fallback(),
                options.maxCostUsd(),
                options.priority().orElse(Priority.INTERACTIVE));
    }
}
