package dev.holdfast;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How a client does: what a readiness probe, a status page or a person wants to know. A picture of one moment, without keys and
 * prompts.
 *
 * @param at when
 * @param status healthy if every model is; unhealthy if all are; else degraded
 * @param models the models that are configured or were called, by name
 * @param endpoints the endpoints, in the order they are configured
 */
public record HealthReport(Instant at, HealthStatus status, List<ModelHealth> models, List<EndpointHealth> endpoints) {
    /** Copies the lists. */
    public HealthReport {
        models = List.copyOf(models);
        endpoints = List.copyOf(endpoints);
    }

    /**
     * {@return whether some call could be sent: what a readiness probe asks}
     *
     * <p>It is not while every target rejects or rests, and is again by itself when the first of them no longer does, so that a
     * process which is kept from traffic for it comes back.
     */
    public boolean isReady() {
        return models.isEmpty()
                || models.stream().flatMap(model -> model.targets().stream()).anyMatch(TargetHealth::isCallable);
    }

    /**
     * {@return the report as a document: durations in milliseconds, times as in RFC 3339, shares from 0 to 1; what is not known is
     * left out}
     */
    public JsonValue.JsonObject document() {
        return HealthJson.of(this);
    }

    /** {@return the report for people, a line for each model, target and endpoint} */
    @Override
    public String toString() {
        return "health: " + TargetHealth.word(status)
                + models.stream()
                        .map(model -> "\nmodel " + model
                                + model.targets().stream()
                                        .map(target -> "\n  on " + target)
                                        .collect(Collectors.joining()))
                        .collect(Collectors.joining())
                + endpoints.stream().map(endpoint -> "\nendpoint " + endpoint).collect(Collectors.joining());
    }
}
