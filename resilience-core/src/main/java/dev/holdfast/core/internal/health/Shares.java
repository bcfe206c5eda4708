package dev.holdfast.core.internal.health;

/**
 * How many exchanges went well and how many did not, each counting half after the half-life.
 *
 * @param good those that went well
 * @param bad those that failed
 * @param atNanos as of when
 */
record Shares(double good, double bad, long atNanos) {
    /** Fewer than this many say nothing. */
    private static final double FEW = 5;

    static Shares none(long nowNanos) {
        return new Shares(0, 0, nowNanos);
    }

    Shares plus(boolean failed, long nowNanos, long halfLifeNanos) {
        double kept = kept(nowNanos, halfLifeNanos);
        return new Shares(good * kept + (failed ? 0 : 1), bad * kept + (failed ? 1 : 0), nowNanos);
    }

    /** The share of failures, 0 to 1; 0 where nothing was heard. */
    double errorRate() {
        double all = good + bad;
        return all > 0 ? bad / all : 0;
    }

    /** How many there were, those of long ago counting less. */
    double volume(long nowNanos, long halfLifeNanos) {
        return (good + bad) * kept(nowNanos, halfLifeNanos);
    }

    boolean reaches(double errorRate, long nowNanos, long halfLifeNanos) {
        return errorRate() >= errorRate && volume(nowNanos, halfLifeNanos) >= FEW;
    }

    private double kept(long nowNanos, long halfLifeNanos) {
        long age = nowNanos - atNanos;
        return age <= 0 ? 1 : StrictMath.pow(0.5, (double) age / halfLifeNanos);
    }
}
