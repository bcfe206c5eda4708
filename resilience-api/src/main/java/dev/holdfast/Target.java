package dev.holdfast;

/**
 * A model on an endpoint: what breaker, budget and cooldown are kept for. Prints as {@code model@endpoint}.
 *
 * @param model the model, as the route names it
 * @param endpoint the endpoint's name
 */
public record Target(String model, String endpoint) {
    /** Refuses blank names. */
    public Target {
        Checks.notBlank("model", model);
        Checks.notBlank("endpoint", endpoint);
    }

    @Override
    public String toString() {
        return model + "@" + endpoint;
    }
}
