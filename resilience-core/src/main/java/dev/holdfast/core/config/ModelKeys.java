package dev.holdfast.core.config;

import dev.holdfast.Price;
import dev.holdfast.core.ModelSettings;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A member of {@code models}. */
final class ModelKeys {
    static final Key<List<String>> ENDPOINTS = Key.of(
            "endpoints",
            Kinds.list(Kinds.TEXT),
            "the endpoints that serve it, in the order they are tried; all, if it is absent");
    static final Key<List<String>> FALLBACKS =
            Key.of("fallbacks", Kinds.list(Kinds.TEXT), "the models to try after it, best first");
    private static final Key<String> UPSTREAM = Key.of("upstream-name", Kinds.TEXT, "what its endpoints call it");
    private static final Key<Duration> TIMEOUT = Key.of("timeout", Kinds.DURATION, "how long one attempt may take");
    private static final Key<Long> WINDOW =
            Key.of("context-window", Kinds.whole(1, 1_000_000_000_000L), "how many tokens it takes, in and out");
    private static final Key<Long> MAX_OUTPUT = Key.of(
            "max-output",
            Kinds.whole(1, 1_000_000_000_000L),
            "how many tokens it writes at most; a request that asks for more is sent with this");
    private static final Key<Map<String, String>> RENAMED = Key.of(
            "renamed-parameters", Kinds.byName(Kinds.TEXT), "what it calls a parameter, by the name that requests use");
    private static final Key<List<String>> DROPPED =
            Key.of("dropped-parameters", Kinds.list(Kinds.TEXT), "parameters that it does not take");
    private static final Key<Integer> MAX_ATTEMPTS = Key.of(
            "max-attempts",
            Kinds.count(1, 1_000),
            "attempts on one of its targets, the first included; those of retry, if it is absent");
    private static final Key<String> FAMILY =
            Key.of("family", Kinds.TEXT, "whose rate limits and quotas it shares on one account");

    private static final Key<BigDecimal> INPUT = Key.of("input", Kinds.AMOUNT, "uncached input");
    private static final Key<BigDecimal> CACHED =
            Key.of("cached-input", Kinds.AMOUNT, "input read from a prompt cache");
    private static final Key<BigDecimal> WRITE = Key.of("cache-write", Kinds.AMOUNT, "input written to a prompt cache");
    private static final Key<BigDecimal> OUTPUT = Key.of("output", Kinds.AMOUNT, "output");
    private static final Key<BigDecimal> REASONING = Key.of("reasoning", Kinds.AMOUNT, "output that is reasoning");
    private static final Schema PRICE_SCHEMA =
            Schema.of("US dollars per 1,000,000 tokens", INPUT, CACHED, WRITE, OUTPUT, REASONING);
    private static final Key<Section> PRICE = Key.of("price", Kinds.section(PRICE_SCHEMA), PRICE_SCHEMA.title());

    private static final Schema SCHEMA = Schema.of(
            "a model",
            ENDPOINTS,
            UPSTREAM,
            TIMEOUT,
            PRICE,
            LimitKeys.LIMITS,
            BreakerKeys.BREAKER,
            WINDOW,
            MAX_OUTPUT,
            RENAMED,
            DROPPED,
            MAX_ATTEMPTS,
            FailoverKeys.FAILOVER,
            FALLBACKS,
            FAMILY);
    static final Key<Map<String, Section>> MODELS =
            Key.of("models", Kinds.byName(Kinds.section(SCHEMA)), "what is known of each model, by its name");

    private ModelKeys() {}

    static ModelSettings read(String name, Section section) {
        ModelSettings settings = ModelSettings.of(name);
        settings = section.change(settings, ENDPOINTS, (so, names) -> so.withEndpoints(names.toArray(String[]::new)));
        settings = section.change(settings, UPSTREAM, ModelSettings::withUpstreamName);
        settings = section.change(settings, TIMEOUT, ModelSettings::withTimeout);
        settings = section.change(settings, LimitKeys.LIMITS, (so, limits) -> so.withLimits(LimitKeys.read(limits)));
        settings = section.change(
                settings, BreakerKeys.BREAKER, (so, breaker) -> so.withBreaker(BreakerKeys.read(breaker)));
        settings = section.change(settings, WINDOW, ModelSettings::withContextWindow);
        settings = section.change(settings, MAX_OUTPUT, ModelSettings::withMaxOutput);
        settings = section.change(settings, RENAMED, ModelKeys::renamed);
        settings = section.change(settings, DROPPED, (so, names) -> so.withDropped(names.toArray(String[]::new)));
        settings = section.change(settings, MAX_ATTEMPTS, ModelSettings::withMaxAttempts);
        settings = section.change(
                settings, FailoverKeys.FAILOVER, (so, choice) -> so.withEndpointPolicy(FailoverKeys.read(choice)));
        settings = section.change(settings, FALLBACKS, (so, names) -> so.withFallbacks(names.toArray(String[]::new)));
        return section.change(settings, FAMILY, ModelSettings::withFamily);
    }

    private static ModelSettings renamed(ModelSettings settings, Map<String, String> names) {
        ModelSettings changed = settings;
        for (Map.Entry<String, String> each : names.entrySet()) {
            changed = changed.withRenamed(each.getKey(), each.getValue());
        }
        return changed;
    }

    /** The price, if the file has one: input and output, and what else differs from them. */
    static Optional<Price> price(Section section) {
        return section.get(PRICE).map(price -> {
            BigDecimal input = price.require(INPUT);
            BigDecimal output = price.require(OUTPUT);
            return Price.of(new Price.Rates(
                    input,
                    price.get(CACHED).orElse(input),
                    price.get(WRITE).orElse(input),
                    output,
                    price.get(REASONING).orElse(output)));
        });
    }

    /** Refuses names that the file does not have, each at its own line. */
    static void checkNames(Section section, List<String> endpoints, List<String> models) {
        checkNames(section, ENDPOINTS, endpoints);
        checkNames(section, FALLBACKS, models);
    }

    private static void checkNames(Section section, Key<List<String>> key, List<String> known) {
        var unknown = new ArrayList<>(section.get(key).orElse(List.of()));
        unknown.removeAll(known);
        for (String name : unknown) {
            String perhaps = Similar.nearest(name, known)
                    .map(near -> "perhaps " + section.shown(near) + "; ")
                    .orElse("");
            ConfigException mistake = section.refused(
                    key,
                    section.shown(name) + " is not configured (expected: " + perhaps + "one of "
                            + known.stream().map(section::shown).collect(Collectors.joining(", ")) + ")");
            section.attempt(() -> {
                throw mistake;
            });
        }
    }
}
