package dev.holdfast;

import java.util.List;

/**
 * How a model does, over all endpoints that serve it.
 *
 * @param model the model
 * @param status healthy where all its targets are well, unhealthy where none is available, else degraded
 * @param calls how many calls of the last minutes began with it and were answered
 * @param fallbackRate the share of these that another model answered, 0 to 1
 * @param targets each endpoint that serves it, in the order they are configured
 */
public record ModelHealth(
        String model, HealthStatus status, long calls, double fallbackRate, List<TargetHealth> targets) {
    /** Copies the list. */
    public ModelHealth {
        targets = List.copyOf(targets);
    }

    @Override
    public String toString() {
        return model + ": " + TargetHealth.word(status) + ", fallbacks " + TargetHealth.percent(fallbackRate) + " of "
                + calls;
    }
}
