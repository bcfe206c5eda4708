package dev.holdfast.cache;

import dev.holdfast.CacheMode;
import java.time.Duration;

/**
 * Which calls use a cache, and for how long an answer is good.
 *
 * @param mode what calls do that name no mode of their own
 * @param ttl how long an answer is kept, give or take a tenth by chance, so that answers stored together do not end together
 * @param family which answers may stand for each other: clients whose endpoints are not interchangeable share a store only
 *     under different families
 * @param singleFlight whether calls that ask for the same at the same time are made once
 */
public record CachePolicy(CacheMode mode, Duration ttl, String family, boolean singleFlight) {
    /** Refuses a time to live that is not positive. */
    public CachePolicy {
        if (!ttl.isPositive()) {
            throw new IllegalArgumentException("ttl: " + ttl + " (expected: > 0)");
        }
    }

    /** {@return answers to deterministic requests, for 5 minutes, the same call in flight made once} */
    public static CachePolicy defaults() {
        return new CachePolicy(CacheMode.DETERMINISTIC_ONLY, Duration.ofMinutes(5), "default", true);
    }

    /**
     * {@return this policy with another mode}
     *
     * @param changed the mode
     */
    public CachePolicy withMode(CacheMode changed) {
        return new CachePolicy(changed, ttl, family, singleFlight);
    }

    /**
     * {@return this policy with another time to live}
     *
     * @param changed how long an answer is kept
     */
    public CachePolicy withTtl(Duration changed) {
        return new CachePolicy(mode, changed, family, singleFlight);
    }

    /**
     * {@return this policy with another family}
     *
     * @param changed the family
     */
    public CachePolicy withFamily(String changed) {
        return new CachePolicy(mode, ttl, changed, singleFlight);
    }

    /**
     * {@return this policy with single-flight on or off}
     *
     * @param changed whether calls that ask for the same at the same time are made once
     */
    public CachePolicy withSingleFlight(boolean changed) {
        return new CachePolicy(mode, ttl, family, changed);
    }
}
