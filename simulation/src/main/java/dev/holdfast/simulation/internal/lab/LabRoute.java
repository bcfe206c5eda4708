package dev.holdfast.simulation.internal.lab;

import dev.holdfast.Endpoint;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.config.ClientSettings;
import dev.holdfast.simulation.Profile;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where the calls of a client go: the models and endpoints of a profile, under the names of a configuration. */
public final class LabRoute {
    private final Profile profile;
    private final ClientSettings settings;
    private final URI root;
    private final boolean allRegions;

    /**
     * Creates a route.
     *
     * @throws IllegalArgumentException if the configuration names models that the profile does not have
     */
    public LabRoute(Profile profile, ClientSettings settings, URI root, boolean allRegions) {
        this.profile = profile;
        this.settings = settings;
        this.root = root;
        this.allRegions = allRegions;
        for (ModelSettings model : settings.models()) {
            if (!profile.modelNames().contains(model.name())) {
                throw new IllegalArgumentException("models." + model.name() + ": not in the profile " + profile.name()
                        + " (expected: one of " + String.join(", ", profile.modelNames())
                        + "; or a copy of the profile with the names of your models)");
            }
        }
    }

    /** Whether the configuration itself says which model comes after which. */
    public boolean isOfConfiguration() {
        return settings.models().stream().anyMatch(model -> !model.fallbacks().isEmpty());
    }

    /** The models to try, the one that is asked for first. */
    public List<String> models(boolean all) {
        List<String> names = profile.modelNames();
        return all && !isOfConfiguration() ? names : names.subList(0, 1);
    }

    /** What the configuration says of its models, but for names that only their own endpoints know. */
    public List<ModelSettings> settings() {
        return settings.models().stream()
                .map(model -> model.withUpstreamName(model.name()))
                .toList();
    }

    /** The endpoints: those of the configuration by name, each in front of one region of the profile; otherwise one for each region. */
    public List<Endpoint> endpoints() {
        List<Endpoint> own = settings.endpoints();
        if (own.isEmpty()) {
            return ofRegions();
        }
        var endpoints = new ArrayList<Endpoint>();
        for (Endpoint each : own) {
            endpoints.add(like(each, url(endpoints.size())));
        }
        return endpoints;
    }

    private List<Endpoint> ofRegions() {
        if (profile.regions().isEmpty()) {
            return List.of(Endpoint.builder("simulated", url(0)).build());
        }
        var endpoints = new ArrayList<Endpoint>();
        for (Profile.Region region :
                profile.regions().subList(0, allRegions ? profile.regions().size() : 1)) {
            endpoints.add(Endpoint.builder(region.name(), url(endpoints.size())).build());
        }
        return endpoints;
    }

    /** In which region each endpoint is; nothing where the profile has no regions. */
    public Map<String, String> regionsByEndpoint() {
        var regions = new HashMap<String, String>();
        List<Endpoint> endpoints = endpoints();
        for (int i = 0; i < endpoints.size() && !profile.regions().isEmpty(); i++) {
            int number = i % profile.regions().size();
            regions.put(endpoints.get(i).name(), profile.regions().get(number).name());
        }
        return regions;
    }

    /** The n-th endpoint is in the n-th region, and from the beginning where there are more of them. */
    private URI url(int number) {
        List<Profile.Region> regions = profile.regions();
        return root.resolve(
                regions.isEmpty()
                        ? "/v1"
                        : "/" + regions.get(number % regions.size()).name() + "/v1");
    }

    private static Endpoint like(Endpoint own, URI url) {
        Endpoint.Builder builder = Endpoint.builder(own.name(), url).weight(own.weight());
        own.region().ifPresent(builder::region);
        own.vendor().ifPresent(builder::vendor);
        own.retention().ifPresent(builder::retention);
        return builder.build();
    }
}
