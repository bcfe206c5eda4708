package dev.holdfast.micrometer.internal;

import dev.holdfast.HealthReport;
import dev.holdfast.ModelHealth;
import dev.holdfast.Target;
import io.micrometer.core.instrument.Tags;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Names that may stand in labels. What callers or servers write is not among them. Safe for use by many threads. */
public final class Labels {
    /** What stands for every other name. */
    static final String OTHER = "other";

    private final Set<String> always;
    private volatile Set<String> models;

    /**
     * Creates labels.
     *
     * @param always models that may be named whatever the client is configured for
     */
    public Labels(Set<String> always) {
        this.always = always;
        this.models = always;
    }

    /**
     * From now on the models of a report may be named.
     *
     * @param report of a client that was not used yet
     */
    public void allow(HealthReport report) {
        var names = new HashSet<>(always);
        report.models().stream().map(ModelHealth::model).forEach(names::add);
        models = Set.copyOf(names);
    }

    boolean isNamed(String model) {
        return models.contains(model);
    }

    String model(String name) {
        return models.contains(name) ? name : OTHER;
    }

    /** Endpoints are configured, all of them. */
    Tags target(Target target) {
        return Tags.of("endpoint", target.endpoint(), "model", model(target.model()));
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
