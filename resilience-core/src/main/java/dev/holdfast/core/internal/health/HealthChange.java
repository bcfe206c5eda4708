package dev.holdfast.core.internal.health;

import dev.holdfast.HealthStatus;
import java.util.Optional;

/**
 * An endpoint, or a model on it, does better or worse than before.
 *
 * @param endpoint the endpoint
 * @param model the model; empty for the endpoint as a whole
 * @param from what it was
 * @param to what it is
 * @param because what was heard
 */
public record HealthChange(String endpoint, Optional<String> model, HealthStatus from, HealthStatus to, Sign because) {}
