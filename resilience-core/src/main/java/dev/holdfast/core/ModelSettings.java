package dev.holdfast.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

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
 * @param maxOutput how many tokens it writes at most: a request that asks for more is sent with this; empty where unknown
 * @param renamedParameters members of the request's document that it knows by another name, by their own
 * @param droppedParameters members of the request's document that it does not take
 * @param maxAttempts how many attempts one of its targets gets, the first included; empty for the retry policy's
 * @param endpointPolicy how its endpoints are chosen; empty for the client's
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
        Optional<String> family,
        OptionalLong maxOutput,
        Map<String, String> renamedParameters,
        List<String> droppedParameters,
        OptionalInt maxAttempts,
        Optional<EndpointPolicy> endpointPolicy) {
    private static final List<String> ESSENTIAL = List.of("model", "messages", "contents", "input", "stream");

    /** Refuses blank names, a timeout that is not positive, counts below 1 and parameters that cannot be named so. */
    public ModelSettings {
        notBlank("model name", name);
        timeout.ifPresent(value -> {
            if (!value.isPositive()) {
                throw new IllegalArgumentException("timeout of model: " + value + " (expected: > 0)");
            }
        });
        family.ifPresent(value -> notBlank("family of model", value));
        atLeastOne("contextWindow of model", contextWindow.orElse(1));
        atLeastOne("maxOutput of model", maxOutput.orElse(1));
        atLeastOne("maxAttempts of model", maxAttempts.orElse(1));
        renamedParameters.forEach((from, to) -> {
            parameter("renamedParameters of model", from);
            parameter("renamedParameters of model", to);
        });
        droppedParameters.forEach(value -> parameter("droppedParameters of model", value));
        endpoints = List.copyOf(endpoints);
        fallbacks = List.copyOf(fallbacks);
        renamedParameters = Map.copyOf(renamedParameters);
        droppedParameters = List.copyOf(droppedParameters);
    }

    private static void notBlank(String setting, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(setting + ": blank (expected: a name)");
        }
    }

    /** What a request is of is no parameter. */
    private static void parameter(String setting, String value) {
        notBlank(setting, value);
        if (ESSENTIAL.contains(value)) {
            throw new IllegalArgumentException(setting + ": " + value + " (expected: none of " + ESSENTIAL + ")");
        }
    }

    private static void atLeastOne(String setting, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(setting + ": " + value + " (expected: >= 1)");
        }
    }

    /**
     * {@return settings that set nothing}
     *
     * @param name the model
     */
    public static ModelSettings of(String name) {
        return new Draft(name).settings();
    }

    /**
     * {@return these settings with the endpoints that serve the model}
     *
     * @param names the endpoints' names, in the order they are tried; one that is named again counts once
     */
    public ModelSettings withEndpoints(String... names) {
        return with(
                draft -> draft.endpoints = List.of(names).stream().distinct().toList());
    }

    /**
     * {@return these settings with the name the endpoints know the model by}
     *
     * @param upstream the name
     */
    public ModelSettings withUpstreamName(String upstream) {
        return with(draft -> draft.upstreamName = Optional.of(upstream));
    }

    /**
     * {@return these settings with a timeout}
     *
     * @param length how long one attempt may take
     */
    public ModelSettings withTimeout(Duration length) {
        return with(draft -> draft.timeout = Optional.of(length));
    }

    /**
     * {@return these settings with a context window: a request that is estimated to be longer is not sent}
     *
     * @param tokens how many tokens the model takes, in and out, at least 1
     */
    public ModelSettings withContextWindow(long tokens) {
        return with(draft -> draft.contextWindow = OptionalLong.of(tokens));
    }

    /**
     * {@return these settings with a breaker of their own}
     *
     * @param policy the breaker
     */
    public ModelSettings withBreaker(BreakerPolicy policy) {
        return with(draft -> draft.breaker = Optional.of(policy));
    }

    /**
     * {@return these settings with limits}
     *
     * @param policy the limits
     */
    public ModelSettings withLimits(LimitPolicy policy) {
        return with(draft -> draft.limits = Optional.of(policy));
    }

    /**
     * {@return these settings with the models to try after this one}
     *
     * @param models the models, best first; each is one the client is told of
     */
    public ModelSettings withFallbacks(String... models) {
        return with(draft -> draft.fallbacks = List.of(models));
    }

    /**
     * {@return these settings with a family}
     *
     * @param models the name of the models that share rate limits and quotas
     */
    public ModelSettings withFamily(String models) {
        return with(draft -> draft.family = Optional.of(models));
    }

    /**
     * {@return these settings with a bound on output: a request that asks for more tokens is sent with this many, and the
     * response says so}
     *
     * @param tokens how many tokens the model writes at most, at least 1
     */
    public ModelSettings withMaxOutput(long tokens) {
        return with(draft -> draft.maxOutput = OptionalLong.of(tokens));
    }

    /**
     * {@return these settings with one more parameter that the model knows by another name}
     *
     * @param parameter the member's name in requests: {@code "max_tokens"}
     * @param upstream its name where this model is asked: {@code "max_completion_tokens"}
     */
    public ModelSettings withRenamed(String parameter, String upstream) {
        return with(draft -> {
            draft.renamedParameters = new LinkedHashMap<>(draft.renamedParameters);
            draft.renamedParameters.put(parameter, upstream);
        });
    }

    /**
     * {@return these settings with more parameters that the model does not take}
     *
     * @param parameters the members' names in requests: {@code "temperature"}
     */
    public ModelSettings withDropped(String... parameters) {
        return with(draft -> {
            draft.droppedParameters = new ArrayList<>(draft.droppedParameters);
            draft.droppedParameters.addAll(List.of(parameters));
        });
    }

    /**
     * {@return these settings with attempts of their own}
     *
     * @param attempts how many attempts one of the model's targets gets, the first included
     */
    public ModelSettings withMaxAttempts(int attempts) {
        return with(draft -> draft.maxAttempts = OptionalInt.of(attempts));
    }

    /**
     * {@return these settings with a choice of endpoints of their own}
     *
     * @param policy how the model's endpoints are chosen
     */
    public ModelSettings withEndpointPolicy(EndpointPolicy policy) {
        return with(draft -> draft.endpointPolicy = Optional.of(policy));
    }

    private ModelSettings with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.settings();
    }

    /** The components while one of them is changed. */
    private static final class Draft {
        private final String name;
        private List<String> endpoints = List.of();
        private Optional<String> upstreamName = Optional.empty();
        private Optional<Duration> timeout = Optional.empty();
        private OptionalLong contextWindow = OptionalLong.empty();
        private Optional<BreakerPolicy> breaker = Optional.empty();
        private Optional<LimitPolicy> limits = Optional.empty();
        private List<String> fallbacks = List.of();
        private Optional<String> family = Optional.empty();
        private OptionalLong maxOutput = OptionalLong.empty();
        private Map<String, String> renamedParameters = Map.of();
        private List<String> droppedParameters = List.of();
        private OptionalInt maxAttempts = OptionalInt.empty();
        private Optional<EndpointPolicy> endpointPolicy = Optional.empty();

        private Draft(String name) {
            this.name = name;
        }

        private Draft(ModelSettings from) {
            this.name = from.name;
            this.endpoints = from.endpoints;
            this.upstreamName = from.upstreamName;
            this.timeout = from.timeout;
            this.contextWindow = from.contextWindow;
            this.breaker = from.breaker;
            this.limits = from.limits;
            this.fallbacks = from.fallbacks;
            this.family = from.family;
            this.maxOutput = from.maxOutput;
            this.renamedParameters = from.renamedParameters;
            this.droppedParameters = from.droppedParameters;
            this.maxAttempts = from.maxAttempts;
            this.endpointPolicy = from.endpointPolicy;
        }

        private ModelSettings settings() {
            return new ModelSettings(
                    name,
                    endpoints,
                    upstreamName,
                    timeout,
                    contextWindow,
                    breaker,
                    limits,
                    fallbacks,
                    family,
                    maxOutput,
                    renamedParameters,
                    droppedParameters,
                    maxAttempts,
                    endpointPolicy);
        }
    }
}
