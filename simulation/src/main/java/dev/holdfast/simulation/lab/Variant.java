package dev.holdfast.simulation.lab;

import java.util.Map;

/**
 * A policy of an experiment with one combination of the settings that are tried.
 *
 * @param base what the policy is called without them
 * @param settings the settings by the way to them; none where nothing is tried
 * @param policy the policy with them
 */
public record Variant(String base, Map<String, String> settings, LabPolicy policy) {
    /** {@return what it is called, and what was set} */
    public String title() {
        return policy.title();
    }
}
