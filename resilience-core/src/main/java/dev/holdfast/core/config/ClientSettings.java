package dev.holdfast.core.config;

import dev.holdfast.Endpoint;
import dev.holdfast.Price;
import dev.holdfast.StreamTimeouts;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What a configuration says of a client. A setting that is absent changes nothing, so that what the builder was given before
 * stays, and what it is given afterwards counts. Immutable.
 */
public final class ClientSettings {
    private static final Key<Duration> DEADLINE = Key.of(
                    "deadline", Kinds.DURATION, "how long a call may take, with all its attempts")
            .usually("2m");
    private static final Key<Duration> TIMEOUT =
            Key.of("timeout", Kinds.DURATION, "how long one attempt may take, if its model does not say");
    private static final Key<Integer> MAX_IN_FLIGHT = Key.of(
                    "max-in-flight", Kinds.count(1, Integer.MAX_VALUE), "how many calls may be under way")
            .usually("10000");
    private static final Key<Long> MAX_IN_FLIGHT_BYTES = Key.of(
            "max-in-flight-bytes",
            Kinds.BYTES,
            "how many bytes their requests may have; a tenth of the heap if it is absent");
    private static final Key<Duration> CLOSE_GRACE = Key.of(
                    "close-grace", Kinds.DURATION, "how long a client that is closed waits for its calls")
            .usually("5s");
    private static final Key<Duration> FIRST_TOKEN =
            Key.of("first-token", Kinds.DURATION, "how long until the first part of the answer");
    private static final Key<Duration> IDLE = Key.of("idle", Kinds.DURATION, "how long without a byte");
    private static final Key<Duration> MEANINGFUL_IDLE =
            Key.of("meaningful-idle", Kinds.DURATION, "how long without a part of the answer");
    private static final Key<Duration> TOTAL = Key.of("total", Kinds.DURATION, "how long in all");
    private static final Schema STREAM_SCHEMA =
            Schema.of("how long streams are waited for", FIRST_TOKEN, IDLE, MEANINGFUL_IDLE, TOTAL);
    private static final Key<Section> STREAM = Key.of("stream", Kinds.section(STREAM_SCHEMA), STREAM_SCHEMA.title());

    /** The keys of a client. */
    public static final Schema SCHEMA = Schema.of(
            "a client of Holdfast",
            EndpointKeys.ENDPOINTS,
            ModelKeys.MODELS,
            RetryKeys.RETRY,
            DEADLINE,
            TIMEOUT,
            BreakerKeys.BREAKER,
            FailoverKeys.FAILOVER,
            HealthKeys.HEALTH,
            HedgeKeys.HEDGE,
            STREAM,
            MAX_IN_FLIGHT,
            MAX_IN_FLIGHT_BYTES,
            CLOSE_GRACE);

    private final List<Endpoint> endpoints;
    private final List<ModelSettings> models;
    private final Map<String, Price> prices;
    private final Read policies;
    private final Optional<Duration> deadline;
    private final List<Consumer<ClientBuilder>> changes;

    private ClientSettings(
            List<Endpoint> endpoints,
            List<ModelSettings> models,
            Map<String, Price> prices,
            Read policies,
            Optional<Duration> deadline,
            List<Consumer<ClientBuilder>> changes) {
        this.endpoints = List.copyOf(endpoints);
        this.models = List.copyOf(models);
        this.prices = Map.copyOf(prices);
        this.policies = policies;
        this.deadline = deadline;
        this.changes = List.copyOf(changes);
    }

    /** What it says about failures; empty where it says nothing. */
    private record Read(Optional<RetryPolicy> retry, Optional<BreakerPolicy> breaker) {}

    /**
     * {@return what a file says of a client, and of nothing else; variables are those of the process}
     *
     * @param file a file of JSON, or of YAML if its name says so
     * @throws ConfigException if a key is unknown, a value does not fit or a variable is missing
     * @throws java.io.UncheckedIOException if it cannot be read
     */
    public static ClientSettings read(Path file) {
        return Configuration.read(file, Variables.ofProcess()).read(SCHEMA, ClientSettings::of);
    }

    /**
     * {@return what a section says of a client}
     *
     * @param root a section whose schema has the keys of {@link #SCHEMA}
     * @throws ConfigException if a value does not fit
     */
    public static ClientSettings of(Section root) {
        List<Endpoint> endpoints = endpoints(root);
        Map<String, Section> sections = root.get(ModelKeys.MODELS).orElse(Map.of());
        List<String> known = names(root, endpoints);
        var models = new ArrayList<ModelSettings>();
        var prices = new LinkedHashMap<String, Price>();
        sections.forEach((name, section) -> {
            ModelKeys.checkNames(section, known, List.copyOf(sections.keySet()));
            root.attempt(() -> ModelKeys.read(name, section)).ifPresent(models::add);
            root.attempt(() -> ModelKeys.price(section))
                    .flatMap(price -> price)
                    .ifPresent(price -> prices.put(name, price));
        });
        var policies = new Read(retry(root), root.get(BreakerKeys.BREAKER).map(BreakerKeys::read));
        return new ClientSettings(endpoints, models, prices, policies, root.get(DEADLINE), changes(root, policies));
    }

    /** The names of endpoints, also of those that were refused: who refers to them is right. */
    private static List<String> names(Section root, List<Endpoint> endpoints) {
        if (root.isSoundSoFar()) {
            return endpoints.stream().map(Endpoint::name).toList();
        }
        return root.get(EndpointKeys.ENDPOINTS).orElse(List.of()).stream()
                .flatMap(section -> section.get(EndpointKeys.NAME).stream())
                .toList();
    }

    private static List<Endpoint> endpoints(Section root) {
        var endpoints = new LinkedHashMap<String, Endpoint>();
        for (Section section : root.get(EndpointKeys.ENDPOINTS).orElse(List.of())) {
            root.attempt(() -> EndpointKeys.read(section))
                    .ifPresent(endpoint -> root.attempt(() -> {
                        if (endpoints.put(endpoint.name(), endpoint) != null) {
                            throw new ConfigException(
                                    section.place(),
                                    section.path() + ": a second endpoint " + section.shown(endpoint.name())
                                            + " (expected: another name)");
                        }
                        return endpoint;
                    }));
        }
        return List.copyOf(endpoints.values());
    }

    /**
     * {@return the names of the models in a section, in the order of the file; also of those that were refused}
     *
     * @param root a section whose schema has the keys of {@link #SCHEMA}
     */
    public static Set<String> modelNames(Section root) {
        return root.get(ModelKeys.MODELS).orElse(Map.of()).keySet();
    }

    private static List<Consumer<ClientBuilder>> changes(Section root, Read policies) {
        var changes = new ArrayList<Consumer<ClientBuilder>>();
        policies.retry().ifPresent(policy -> changes.add(builder -> builder.retry(policy)));
        change(root, changes, TIMEOUT, (builder, length) -> builder.timeout(length));
        policies.breaker().ifPresent(policy -> changes.add(builder -> builder.breaker(policy)));
        root.get(FailoverKeys.FAILOVER)
                .map(FailoverKeys::read)
                .ifPresent(policy -> changes.add(builder -> builder.endpointPolicy(policy)));
        root.get(HealthKeys.HEALTH).ifPresent(section -> {
            HealthPolicy policy = HealthKeys.read(section);
            changes.add(builder -> builder.healthPolicy(policy));
            HealthKeys.readProbes(section).ifPresent(probes -> changes.add(builder -> builder.probes(probes)));
        });
        root.get(HedgeKeys.HEDGE)
                .map(HedgeKeys::read)
                .ifPresent(policy ->
                        changes.add(builder -> policy.ifPresentOrElse(builder::hedge, builder::withoutHedge)));
        root.get(STREAM)
                .map(ClientSettings::stream)
                .ifPresent(timeouts -> changes.add(builder -> builder.streamTimeouts(timeouts)));
        change(root, changes, MAX_IN_FLIGHT, ClientBuilder::maxInFlight);
        change(root, changes, MAX_IN_FLIGHT_BYTES, ClientBuilder::maxInFlightBytes);
        change(root, changes, CLOSE_GRACE, ClientBuilder::closeGrace);
        return changes;
    }

    /** Tried on a builder of its own, so that a value that the builder refuses is refused with file and line. */
    private static <T> void change(
            Section root, List<Consumer<ClientBuilder>> changes, Key<T> key, BiConsumer<ClientBuilder, T> change) {
        root.change(ResilientClient.builder(), key, (tried, value) -> {
            change.accept(tried, value);
            changes.add(builder -> change.accept(builder, value));
            return tried;
        });
    }

    private static Optional<RetryPolicy> retry(Section root) {
        Optional<RetryPolicy> section = root.get(RetryKeys.RETRY).map(RetryKeys::read);
        if (!root.has(DEADLINE)) {
            root.get(DEADLINE);
            return section;
        }
        return Optional.of(root.change(section.orElseGet(RetryPolicy::standard), DEADLINE, RetryPolicy::withDeadline));
    }

    private static StreamTimeouts stream(Section section) {
        StreamTimeouts timeouts = StreamTimeouts.defaults();
        timeouts = section.change(timeouts, FIRST_TOKEN, StreamTimeouts::withFirstToken);
        timeouts = section.change(timeouts, IDLE, StreamTimeouts::withIdle);
        timeouts = section.change(timeouts, MEANINGFUL_IDLE, StreamTimeouts::withMeaningfulIdle);
        return section.change(timeouts, TOTAL, StreamTimeouts::withTotal);
    }

    /**
     * Gives a builder all that is set here.
     *
     * @param builder the builder
     * @return the builder
     * @throws IllegalArgumentException if it has an endpoint or a model of one of the names
     */
    public ClientBuilder applyTo(ClientBuilder builder) {
        endpoints.forEach(builder::endpoint);
        models.forEach(builder::model);
        changes.forEach(change -> change.accept(builder));
        if (!prices.isEmpty()) {
            builder.prices((model, at) -> Optional.ofNullable(prices.get(model)));
        }
        return builder;
    }

    /**
     * {@return these settings with other endpoints in place of those of the file, as for a run against simulated ones}
     *
     * @param others the endpoints, in the order they are tried
     */
    public ClientSettings withEndpoints(List<Endpoint> others) {
        return new ClientSettings(others, models, prices, policies, deadline, changes);
    }

    /**
     * {@return these settings with other models in place of those of the file}
     *
     * @param others what is known of each
     */
    public ClientSettings withModels(List<ModelSettings> others) {
        return new ClientSettings(endpoints, others, prices, policies, deadline, changes);
    }

    /** {@return how long a call may take, with all its attempts; empty where the file does not say} */
    public Optional<Duration> deadline() {
        return deadline;
    }

    /**
     * {@return the price that the file gives a model; empty where it gives none}
     *
     * @param model the model
     */
    public Optional<Price> price(String model) {
        return Optional.ofNullable(prices.get(model));
    }

    /** {@return the endpoints, in the order of the file} */
    public List<Endpoint> endpoints() {
        return endpoints;
    }

    /** {@return the models, in the order of the file} */
    public List<ModelSettings> models() {
        return models;
    }

    /** {@return how a call is tried again, with its deadline; empty where neither is set} */
    public Optional<RetryPolicy> retry() {
        return policies.retry();
    }

    /** {@return the breaker of every target whose model has none of its own; empty where it is not set} */
    public Optional<BreakerPolicy> breaker() {
        return policies.breaker();
    }

    /** {@return the prices of models that the file gives one} */
    public Map<String, Price> prices() {
        return prices;
    }
}
