package dev.holdfast.benchmarks.table;

/** The columns that were published. */
public enum Column {
    MEAN("mean ms", true, 5),
    MAX("max ms", true, 15),
    SUCCESS("success %", false, 0.15),
    COST("cost %", false, 0.3);

    private final String title;
    private final boolean relative;
    private final double tolerance;

    Column(String title, boolean relative, double tolerance) {
        this.title = title;
        this.relative = relative;
        this.tolerance = tolerance;
    }

    /** The column's name. */
    public String title() {
        return title;
    }

    /** Whether deviations are in percent of what was published; otherwise in points. */
    boolean isRelative() {
        return relative;
    }

    /** The column of a row. */
    public double of(Cells cells) {
        return switch (this) {
            case MEAN -> cells.meanMs();
            case MAX -> cells.maxMs();
            case SUCCESS -> cells.successPct();
            case COST -> cells.costPct();
        };
    }

    double of(Figures figures) {
        return switch (this) {
            case MEAN -> figures.meanMs();
            case MAX -> figures.maxMs();
            case SUCCESS -> figures.successPct();
            case COST -> figures.costPct();
        };
    }

    /** How far a measured value is from a published one, in percent or in points. */
    double deviation(double measured, double published) {
        return relative ? 100 * (measured / published - 1) : measured - published;
    }

    /** Whether a deviation is within what the model allows: 5 % of a mean, 15 % of a maximum, 0.15 and 0.3 points. */
    boolean tolerates(double deviation) {
        return Math.abs(deviation) <= tolerance;
    }
}
