package dev.holdfast.core;

import dev.holdfast.Endpoint;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses names that nothing was given for, and warns of fallbacks that lead back. */
record SetupCheck(
        Map<String, Endpoint> endpoints,
        Map<String, ModelSettings> models,
        Set<String> dialects,
        Set<String> credentialSources) {
    private static final Logger LOG = LoggerFactory.getLogger(ClientBuilder.class);

    void check() {
        endpoints
                .values()
                .forEach(endpoint -> known("dialect of endpoint " + endpoint.name(), endpoint.dialect(), dialects));
        credentialSources.forEach(name -> known("credentials", name, endpoints.keySet()));
        models.values().forEach(this::checkModel);
        models.values().forEach(this::checkFamily);
    }

    /** One account has one limit: models that share it cannot each have their own. */
    private void checkFamily(ModelSettings model) {
        model.limits()
                .filter(limits -> model.family().isPresent())
                .ifPresent(limits -> models.values().stream()
                        .filter(other -> other.family().equals(model.family()))
                        .flatMap(other -> other.limits().stream())
                        .filter(other -> !other.withoutConcurrency().equals(limits.withoutConcurrency()))
                        .findFirst()
                        .ifPresent(other -> {
                            throw new IllegalArgumentException("limits of family "
                                    + model.family().orElseThrow() + ": " + other
                                    + " (expected: the same as those of model "
                                    + model.name() + ", " + limits + ")");
                        }));
    }

    private void checkModel(ModelSettings model) {
        model.endpoints().forEach(name -> known("endpoints of model " + model.name(), name, endpoints.keySet()));
        var visited = new HashSet<String>();
        if (leadsBack(model.name(), model.name(), visited)) {
            LOG.warn("fallbacks of model {} lead back to it; each model is tried once", model.name());
        }
    }

    private boolean leadsBack(String from, String to, Set<String> visited) {
        ModelSettings model = models.get(from);
        return model != null
                && model.fallbacks().stream()
                        .anyMatch(next -> next.equals(to) || (visited.add(next) && leadsBack(next, to, visited)));
    }

    private static void known(String setting, String name, Set<String> expected) {
        if (!expected.contains(name)) {
            throw new IllegalArgumentException(
                    setting + ": \"" + name + "\" is not known (expected: one of " + String.join(", ", expected) + ")");
        }
    }
}
