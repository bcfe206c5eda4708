package dev.holdfast.benchmarks.table;

import java.util.Map;
import java.util.Optional;

/**
 * The four figures of a row.
 *
 * @param costPct what a success costs beyond what it costs without retries
 */
public record Figures(double meanMs, double maxMs, double successPct, double costPct) {
    private static final Map<Strategy, Figures> PUBLISHED = Map.of(
            Strategy.NONE, new Figures(847, 2340, 94.2, 0),
            Strategy.FIXED, new Figures(1203, 4521, 97.8, 2.3),
            Strategy.EXPONENTIAL, new Figures(1456, 8234, 99.4, 4.1),
            Strategy.EXPONENTIAL_JITTER, new Figures(1287, 5892, 99.6, 3.2),
            Strategy.SMART_ROUTING, new Figures(923, 3120, 99.8, 1.8));

    private static final Map<Strategy, Reference> REFERENCES = Map.of(
            Strategy.NONE,
            new Reference(new Figures(843, 2063, 94.14, 0), new Figures(2, 140, 0.23, 0)),
            Strategy.FIXED,
            new Reference(new Figures(1045, 4769, 97.86, 2.30), new Figures(10, 214, 0.13, 0.08)),
            Strategy.EXPONENTIAL,
            new Reference(new Figures(1414, 9343, 99.51, 4.05), new Figures(49, 188, 0.08, 0.35)),
            Strategy.EXPONENTIAL_JITTER,
            new Reference(new Figures(1316, 10804, 99.51, 3.24), new Figures(35, 276, 0.08, 0.23)),
            Strategy.SMART_ROUTING,
            new Reference(new Figures(916, 2960, 99.80, 1.94), new Figures(3, 301, 0.05, 0.16)));

    /**
     * What the model of the weather states for 30 seeds.
     *
     * @param mean the means over the seeds
     * @param deviation the standard deviations over the seeds
     */
    public record Reference(Figures mean, Figures deviation) {}

    /** What was published of a strategy. */
    static Optional<Figures> published(Strategy strategy) {
        return Optional.ofNullable(PUBLISHED.get(strategy));
    }

    /** What the published profile gives a strategy. */
    static Optional<Reference> reference(Strategy strategy) {
        return Optional.ofNullable(REFERENCES.get(strategy));
    }
}
