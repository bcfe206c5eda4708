package dev.holdfast.core;

import java.util.Arrays;
import java.util.Locale;

/** How a call chooses among the endpoints that serve a model. */
public enum EndpointStrategy {
    /** The first endpoint, with each of its keys, and no other. */
    PRIMARY_ONLY,
    /** The first healthy endpoint, then the degraded ones, then the unhealthy ones. */
    FAILOVER,
    /** The better of two that are drawn by their weight, by latency, errors and calls in flight. */
    LOAD_BALANCED;

    /** {@return the name in configuration: {@code "load-balanced"}} */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * {@return the strategy of that name}
     *
     * @param wireName the name in configuration
     * @throws IllegalArgumentException if there is none; the message names all
     */
    public static EndpointStrategy of(String wireName) {
        return Arrays.stream(values())
                .filter(each -> each.wireName().equals(wireName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("endpoint strategy: " + wireName + " (expected: one of "
                        + Arrays.stream(values())
                                .map(EndpointStrategy::wireName)
                                .toList() + ")"));
    }
}
