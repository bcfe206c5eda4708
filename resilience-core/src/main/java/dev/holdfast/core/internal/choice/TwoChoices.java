package dev.holdfast.core.internal.choice;

import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * The power of two choices: two are drawn by their weight, and the second is taken only where it is better. Where all do
 * alike, each gets exactly the share of its weight; where one is slow, fails or is crowded, calls leave it at once, without
 * all of them running to the same other.
 *
 * @see <a href="https://doi.org/10.1109/71.963420">M. Mitzenmacher: The Power of Two Choices in Randomized Load Balancing</a>
 */
final class TwoChoices {
    /** Latencies that differ by less than this are alike, since they scatter; then only the calls in flight count. */
    private static final double CLEARLY = 0.8;

    private TwoChoices() {}

    static Contender choose(List<Contender> pool, DoubleSupplier draw) {
        if (pool.size() == 1) {
            return pool.getFirst();
        }
        int first = drawn(pool, -1, draw.getAsDouble());
        int second = drawn(pool, first, draw.getAsDouble());
        double unmeasured = assumedLatency(pool);
        return otherIsBetter(pool.get(first), pool.get(second), unmeasured) ? pool.get(second) : pool.get(first);
    }

    /** How likely {@link #choose} takes each, in the order of the pool: together 1. */
    static double[] chances(List<Contender> pool) {
        var chances = new double[pool.size()];
        if (pool.size() == 1) {
            chances[0] = 1;
            return chances;
        }
        double unmeasured = assumedLatency(pool);
        double sum = weightOf(pool, -1);
        for (int first = 0; first < pool.size(); first++) {
            double rest = weightOf(pool, first);
            for (int second = 0; second < pool.size(); second++) {
                if (second != first) {
                    boolean other = otherIsBetter(pool.get(first), pool.get(second), unmeasured);
                    chances[other ? second : first] += pool.get(first).effectiveWeight()
                            / sum
                            * pool.get(second).effectiveWeight()
                            / rest;
                }
            }
        }
        return chances;
    }

    private static boolean otherIsBetter(Contender one, Contender other, double unmeasured) {
        double here = one.service(unmeasured);
        double there = other.service(unmeasured);
        boolean alike = there >= CLEARLY * here && here >= CLEARLY * there;
        return alike ? other.crowding() < one.crowding() : other.cost(unmeasured) < one.cost(unmeasured);
    }

    /** Who was not measured yet counts as the fastest, so that it is. */
    static double assumedLatency(List<Contender> pool) {
        return pool.stream()
                .filter(Contender::isMeasured)
                .mapToDouble(Contender::freshLatencyNanos)
                .min()
                .orElse(1);
    }

    private static int drawn(List<Contender> pool, int without, double number) {
        double left = number * weightOf(pool, without);
        int last = -1;
        for (int i = 0; i < pool.size(); i++) {
            if (i != without) {
                last = i;
                left -= pool.get(i).effectiveWeight();
                if (left < 0) {
                    return i;
                }
            }
        }
        return last;
    }

    private static double weightOf(List<Contender> pool, int without) {
        double sum = 0;
        for (int i = 0; i < pool.size(); i++) {
            sum += i == without ? 0 : pool.get(i).effectiveWeight();
        }
        return sum;
    }
}
