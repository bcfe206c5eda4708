package dev.holdfast.routing.internal.route;

/**
 * An average in which what was seen a half-life ago counts half. Immutable.
 *
 * @param sum the sum of what was seen, faded
 * @param weight how much was seen, faded
 * @param atNanos until when it is faded
 */
public record Fading(double sum, double weight, long atNanos) {
    /** Nothing seen. */
    public static final Fading NOTHING = new Fading(0, 0, 0);

    /** This average with one more sample. */
    public Fading plus(double sample, long nowNanos, double halfLifeNanos) {
        double kept = kept(nowNanos, halfLifeNanos);
        return new Fading(sum * kept + sample, weight * kept + 1, nowNanos);
    }

    /** How much of a sample's weight is left. */
    public double weightAt(long nowNanos, double halfLifeNanos) {
        return weight * kept(nowNanos, halfLifeNanos);
    }

    /** The average, which does not fade, or what is assumed before the first sample. */
    public double mean(double assumed) {
        return weight == 0 ? assumed : sum / weight;
    }

    /** The average with one assumed sample among the faded ones: evidence that grows old gives way to it. */
    public double meanWith(double assumed, long nowNanos, double halfLifeNanos) {
        double kept = kept(nowNanos, halfLifeNanos);
        return (sum * kept + assumed) / (weight * kept + 1);
    }

    private double kept(long nowNanos, double halfLifeNanos) {
        return weight == 0 ? 0 : StrictMath.pow(0.5, Math.max(0, nowNanos - atNanos) / halfLifeNanos);
    }
}
