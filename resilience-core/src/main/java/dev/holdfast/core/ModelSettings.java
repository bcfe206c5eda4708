package dev.holdfast.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a client knows of one model. A model that no one configured is asked for at every endpoint, under its own name.
 *
 * @param name the model, as requests and routes name it
 * @param endpoints the endpoints that serve it, in the order they are tried; empty for all, in the client's order
 * @param upstreamName the name the endpoints know it by; empty for its own
 * @param timeout how long one attempt may take; empty for the client's
 * @param contextWindow how many tokens it takes, in and out; empty where unknown
 * @param breaker its breaker; empty for the client's
 * @param limits its limits; empty for none
 * @param fallbacks the models to try after it, best first
 * @param family whose rate limits and quotas it shares, with all models of that family on one account; empty for its own
 */
public record ModelSettings(
        String name,
        List<String> endpoints,
        Optional<String> upstreamName,
        Optional<Duration> timeout,
        OptionalLong contextWindow,
        Optional<BreakerPolicy> breaker,
        Optional<LimitPolicy> limits,
        List<String> fallbacks,
        Optional<String> family) {
    /** Refuses a blank name or family and a timeout that is not positive. */
    public ModelSettings {
        if (name.isBlank()) {
            throw new IllegalArgumentException("model name: blank (expected: a name)");
        }
        timeout.ifPresent(value -> {
            if (!value.isPositive()) {
                throw new IllegalArgumentException("timeout of model: " + value + " (expected: > 0)");
            }
        });
        family.ifPresent(value -> {
            if (value.isBlank()) {
                throw new IllegalArgumentException("family of model: blank (expected: a name)");
            }
        });
        endpoints = List.copyOf(endpoints);
        fallbacks = List.copyOf(fallbacks);
    }

    /**
     * {@return settings that set nothing}
     *
     * @param name the model
     */
    public static ModelSettings of(String name) {
        return new ModelSettings(
                name,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    /**
     * {@return these settings with the endpoints that serve the model}
     *
     * @param names the endpoints' names, in the order they are tried
     */
    public ModelSettings withEndpoints(String... names) {
        return new ModelSettings(
                name, List.of(names), upstreamName, timeout, contextWindow, breaker, limits, fallbacks, family);
    }

    /**
     * {@return these settings with the name the endpoints know the model by}
     *
     * @param upstream the name
     */
    public ModelSettings withUpstreamName(String upstream) {
        return new ModelSettings(
                name, endpoints, Optional.of(upstream), timeout, contextWindow, breaker, limits, fallbacks, family);
    }

    /**
     * {@return these settings with a timeout}
     *
     * @param length how long one attempt may take
     */
    public ModelSettings withTimeout(Duration length) {
        return new ModelSettings(
                name, endpoints, upstreamName, Optional.of(length), contextWindow, breaker, limits, fallbacks, family);
    }

    /**
     * {@return these settings with a context window}
     *
     * @param tokens how many tokens the model takes, in and out
     */
    public ModelSettings withContextWindow(long tokens) {
        return new ModelSettings(
                name, endpoints, upstreamName, timeout, OptionalLong.of(tokens), breaker, limits, fallbacks, family);
    }

    /**
     * {@return these settings with a breaker of their own}
     *
     * @param policy the breaker
     */
    public ModelSettings withBreaker(BreakerPolicy policy) {
        return new ModelSettings(
                name, endpoints, upstreamName, timeout, contextWindow, Optional.of(policy), limits, fallbacks, family);
    }

    /**
     * {@return these settings with limits}
     *
     * @param policy the limits
     */
    public ModelSettings withLimits(LimitPolicy policy) {
        return new ModelSettings(
                name, endpoints, upstreamName, timeout, contextWindow, breaker, Optional.of(policy), fallbacks, family);
    }

    /**
     * {@return these settings with the models to try after this one}
     *
     * @param models the models, best first
     */
    public ModelSettings withFallbacks(String... models) {
        return new ModelSettings(
                name, endpoints, upstreamName, timeout, contextWindow, breaker, limits, List.of(models), family);
    }

    /**
     * {@return these settings with a family}
     *
     * @param models the name of the models that share rate limits and quotas
     */
    public ModelSettings withFamily(String models) {
        return new ModelSettings(
                name, endpoints, upstreamName, timeout, contextWindow, breaker, limits, fallbacks, Optional.of(models));
    }
}
