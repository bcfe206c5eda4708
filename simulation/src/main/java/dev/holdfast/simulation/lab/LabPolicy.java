package dev.holdfast.simulation.lab;

import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.core.config.ClientSettings;
import dev.holdfast.core.config.ConfigException;
import dev.holdfast.core.config.Configuration;
import dev.holdfast.core.config.Variables;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.internal.lab.LabRoute;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a client of the lab is told: a configuration of the SDK, or a part of one. The very file configures a client in production
 * ({@link ClientSettings}); in the lab the provider of a {@link Profile} stands behind its endpoints.
 *
 * <p>A configuration that names no endpoints has one for each region of the profile, or a single one. One whose models name fallbacks has
 * that order; otherwise {@link Models} says which models of the profile its calls may go to.
 *
 * <p>Reading a configuration anew for every run, an instance is immutable and safe for use by many threads.
 */
public final class LabPolicy {
    /** The rows of the strategy table. */
    private static final List<String> STRATEGIES =
            List.of("none", "fixed", "exponential", "exponential-jitter", "smart-routing", "defaults", "adaptive");

    /** Those that the published table knows: of several regions they know the first. */
    private static final List<String> PUBLISHED = STRATEGIES.subList(0, 5);

    private static final List<String> ALL_MODELS = List.of("smart-routing", "adaptive");
    private static final String GIVEN = "--sweep";

    private final String name;
    private final Configuration configuration;
    private final Map<String, String> changes;
    private final Models models;
    private final boolean allRegions;

    private LabPolicy(
            String name, Configuration configuration, Map<String, String> changes, Models models, boolean allRegions) {
        this.name = name;
        this.configuration = configuration;
        this.changes = changes;
        this.models = models;
        this.allRegions = allRegions;
    }

    /** Which models of a profile the calls may go to. */
    public enum Models {
        /** The first, which every call asks for. */
        FIRST,
        /** All, in the order of the profile. */
        ALL
    }

    /** {@return the policies that have a name: the rows of the strategy table, then the presets of retry and breaker} */
    public static List<String> names() {
        Stream<String> presets = new TreeSet<>(RetryPolicy.presets().keySet()).stream();
        return Stream.concat(STRATEGIES.stream(), presets.filter(each -> !STRATEGIES.contains(each)))
                .toList();
    }

    /** {@return the rows of the strategy table} */
    public static List<LabPolicy> strategies() {
        return STRATEGIES.stream().map(LabPolicy::named).toList();
    }

    /**
     * {@return the policy of a name}
     *
     * @param name one of {@link #names()}
     * @throws IllegalArgumentException if there is none
     */
    public static LabPolicy named(String name) {
        Models models = ALL_MODELS.contains(name) ? Models.ALL : Models.FIRST;
        return new LabPolicy(
                name,
                Configuration.ofJson(name, source(name), Variables.ofProcess()),
                Map.of(),
                STRATEGIES.contains(name) ? models : Models.ALL,
                !PUBLISHED.contains(name));
    }

    /**
     * {@return the text of the policy of a name, to be copied and changed}
     *
     * @param name one of {@link #names()}
     * @throws IllegalArgumentException if there is none
     */
    public static String source(String name) {
        if (!STRATEGIES.contains(name)) {
            return preset(name);
        }
        try (InputStream in = Profile.class.getResourceAsStream("policies/" + name + ".json")) {
            if (in == null) {
                throw new IllegalStateException("the policy " + name + " is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String preset(String name) {
        if (!RetryPolicy.presets().containsKey(name)) {
            throw new IllegalArgumentException(
                    "no policy '" + name + "' (expected: one of " + String.join(", ", names()) + ")");
        }
        String breaker = BreakerPolicy.presets().containsKey(name) ? name : "adaptive";
        return "{\n  \"retry\": \"" + name + "\",\n  \"breaker\": \"" + breaker + "\"\n}\n";
    }

    /**
     * {@return the policy in a file}
     *
     * @param file a configuration of the SDK in JSON, or in YAML if its name says so and {@code jackson-dataformat-yaml} is there
     * @throws IOException if it cannot be read
     * @throws ConfigException if it is none; the message names file, line, and what was expected
     */
    public static LabPolicy read(Path file) throws IOException {
        Files.readString(file);
        String fileName = String.valueOf(file.getFileName());
        int dot = fileName.lastIndexOf('.');
        var configuration = Configuration.read(file, Variables.ofProcess());
        return of(dot > 0 ? fileName.substring(0, dot) : fileName, configuration);
    }

    /**
     * {@return the policy that a configuration says}
     *
     * @param name what it is called
     * @param configuration the configuration
     * @throws ConfigException if a key is unknown or a value does not fit
     */
    public static LabPolicy of(String name, Configuration configuration) {
        var policy = new LabPolicy(name, configuration, Map.of(), Models.ALL, true);
        policy.settings();
        return policy;
    }

    /**
     * {@return this policy with a setting}
     *
     * @param key the way to it: {@code retry.max-attempts}
     * @param value as one would write it
     * @throws IllegalArgumentException if there is no such key or it takes no such value; the message says what was expected
     */
    public LabPolicy with(String key, String value) {
        return with(Map.of(key, value));
    }

    /**
     * {@return this policy with settings}
     *
     * @param settings values by the way to them
     * @throws IllegalArgumentException if there is no such key, one takes no such value, or they do not go together
     */
    public LabPolicy with(Map<String, String> settings) {
        var all = new LinkedHashMap<>(changes);
        all.putAll(settings);
        Configuration changed = configuration;
        try {
            for (Map.Entry<String, String> each : settings.entrySet()) {
                changed = changed.with(ClientSettings.SCHEMA, each.getKey(), each.getValue(), GIVEN);
            }
            var policy = new LabPolicy(name, changed, all, models, allRegions);
            policy.settings();
            return policy;
        } catch (ConfigException e) {
            String place = e.place() + ": ";
            String words = String.valueOf(e.getMessage());
            boolean given = e.place().source().equals(GIVEN) && words.startsWith(place);
            throw new IllegalArgumentException(given ? words.substring(place.length()) : words, e);
        }
    }

    /**
     * {@return this policy under another name}
     *
     * @param other the name
     */
    public LabPolicy withName(String other) {
        return new LabPolicy(other, configuration, changes, models, allRegions);
    }

    /**
     * {@return this policy with other models}
     *
     * @param other which models of a profile the calls may go to; nothing where the configuration names fallbacks
     */
    public LabPolicy withModels(Models other) {
        return new LabPolicy(name, configuration, changes, other, allRegions);
    }

    /** {@return what it is called} */
    public String name() {
        return name;
    }

    /** {@return what was set by {@link #with}, by the way to it} */
    public Map<String, String> changes() {
        return changes;
    }

    /** {@return what it is called, and what was set} */
    public String title() {
        return changes.isEmpty()
                ? name
                : name + " "
                        + changes.entrySet().stream()
                                .map(each -> each.getKey() + "=" + each.getValue())
                                .collect(Collectors.joining(" "));
    }

    /** {@return what it says of a client} */
    public ClientSettings settings() {
        return ClientSettings.of(configuration.unread().root(ClientSettings.SCHEMA));
    }

    /**
     * {@return a builder of the client that makes the calls under a profile: with this configuration, endpoints at a root in place of its
     * own, and the route; it needs a transport and a timekeeper yet}
     *
     * @param profile the weather
     * @param root where its provider is
     * @throws IllegalArgumentException if the configuration names models that the profile does not have
     */
    public ClientBuilder builder(Profile profile, URI root) {
        ClientSettings settings = settings();
        var route = new LabRoute(profile, settings, root, allRegions);
        ClientBuilder builder =
                ResilientClient.builder().timeout(profile.timeout()).maxInFlight(1_000_000);
        List<String> tried = route.models(models == Models.ALL);
        if (tried.size() > 1 || !route.isOfConfiguration()) {
            builder.route(tried.toArray(String[]::new));
        }
        return settings.withEndpoints(route.endpoints())
                .withModels(route.settings())
                .applyTo(builder);
    }

    /**
     * {@return the models that the calls may go to under a profile, the one they ask for first}
     *
     * @param profile the weather
     * @throws IllegalArgumentException if the configuration names models that the profile does not have
     */
    public List<String> models(Profile profile) {
        return new LabRoute(profile, settings(), Trial.ROOT, allRegions).models(models == Models.ALL);
    }

    /** Where each endpoint of its clients is under a profile; nothing where the profile has no regions. */
    Map<String, String> regionsByEndpoint(Profile profile, URI root) {
        return new LabRoute(profile, settings(), root, allRegions).regionsByEndpoint();
    }

    /** {@return its title} */
    @Override
    public String toString() {
        return title();
    }
}
