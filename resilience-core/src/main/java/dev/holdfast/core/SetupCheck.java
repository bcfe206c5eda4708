package dev.holdfast.core;

import dev.holdfast.Endpoint;
import dev.holdfast.core.internal.dialect.BuiltInDialects;
import dev.holdfast.spi.Interceptor;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses names that nothing was given for, and warns of fallbacks that lead back. */
record SetupCheck(
        Map<String, Endpoint> endpoints,
        Map<String, ModelSettings> models,
        Set<String> dialects,
        Set<String> credentialSources) {
    private static final Logger LOG = LoggerFactory.getLogger(ClientBuilder.class);

    static void once(String kind, String name, @Nullable Object earlier) {
        if (earlier != null) {
            throw new IllegalArgumentException(kind + " " + name + ": given twice (expected: one of a name)");
        }
    }

    static void checkThereIsOne(Map<String, Endpoint> endpoints) {
        if (endpoints.isEmpty()) {
            throw new IllegalStateException("endpoint: none (expected: at least one, e.g."
                    + " .endpoint(Endpoint.openAi(Secret.of(System.getenv(\"OPENAI_API_KEY\")))))");
        }
    }

    void check(List<Interceptor> interceptors) {
        endpoints
                .values()
                .forEach(endpoint -> known("dialect of endpoint " + endpoint.name(), endpoint.dialect(), dialects));
        endpoints
                .values()
                .forEach(endpoint -> BuiltInDialects.lack(endpoint).ifPresent(lack -> {
                    throw new IllegalArgumentException(lack);
                }));
        credentialSources.forEach(name -> known("credentials", name, endpoints.keySet()));
        models.values().forEach(this::checkModel);
        models.values().forEach(this::checkFamily);
        var setting = new Interceptor.Setting(List.copyOf(endpoints.values()));
        interceptors.forEach(each -> each.join(setting));
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
        model.fallbacks().forEach(name -> {
            if (!models.containsKey(name)) {
                throw new IllegalArgumentException("fallbacks of model " + model.name() + ": \"" + name
                        + "\" is not known (expected: one of " + String.join(", ", models.keySet())
                        + ", or .model(ModelSettings.of(\"" + name + "\")))");
            }
        });
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
