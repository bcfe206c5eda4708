package dev.holdfast.simulation.lab;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What was measured of a policy. Times are from a call's arrival to its end.
 *
 * @param meanMs the mean time
 * @param p50Ms the time that half of the calls do not exceed
 * @param p95Ms the time that 95 % of the calls do not exceed
 * @param p99Ms the time that 99 % of the calls do not exceed
 * @param maxMs the longest time
 * @param successPct the share of calls that were answered, in percent
 * @param costPct what a success costs beyond what it costs without retries, in percent; not a number where nothing succeeded
 * @param attempts attempts for each call
 */
public record Measures(
        double meanMs,
        double p50Ms,
        double p95Ms,
        double p99Ms,
        double maxMs,
        double successPct,
        double costPct,
        double attempts) {

    /**
     * {@return the mean of each over several runs}
     *
     * @param runs the runs, at least one
     */
    public static Measures mean(List<Measures> runs) {
        return each(value -> mean(runs, value));
    }

    /**
     * {@return the standard deviation of each over several runs; 0 for a single one}
     *
     * @param runs the runs, at least one
     */
    public static Measures deviation(List<Measures> runs) {
        return each(value -> deviation(runs, value));
    }

    /**
     * {@return each less that of others}
     *
     * @param other the others
     */
    public Measures minus(Measures other) {
        return each(value -> value.applyAsDouble(this) - value.applyAsDouble(other));
    }

    /**
     * {@return each times a factor}
     *
     * @param factor the factor
     */
    public Measures times(double factor) {
        return each(value -> factor * value.applyAsDouble(this));
    }

    private static Measures each(ToDoubleFunction<ToDoubleFunction<Measures>> statistic) {
        return new Measures(
                statistic.applyAsDouble(Measures::meanMs),
                statistic.applyAsDouble(Measures::p50Ms),
                statistic.applyAsDouble(Measures::p95Ms),
                statistic.applyAsDouble(Measures::p99Ms),
                statistic.applyAsDouble(Measures::maxMs),
                statistic.applyAsDouble(Measures::successPct),
                statistic.applyAsDouble(Measures::costPct),
                statistic.applyAsDouble(Measures::attempts));
    }

    private static double mean(List<Measures> runs, ToDoubleFunction<Measures> value) {
        return runs.stream().mapToDouble(value).sum() / runs.size();
    }

    private static double deviation(List<Measures> runs, ToDoubleFunction<Measures> value) {
        if (runs.size() < 2) {
            return 0;
        }
        double mean = mean(runs, value);
        double squares = runs.stream()
                .mapToDouble(value)
                .map(each -> (each - mean) * (each - mean))
                .sum();
        return StrictMath.sqrt(squares / (runs.size() - 1));
    }
}
