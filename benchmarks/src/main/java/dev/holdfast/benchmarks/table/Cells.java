package dev.holdfast.benchmarks.table;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a row.
 *
 * @param costPct what a success costs beyond what it costs without retries; not a number where nothing succeeded
 */
public record Cells(
        double meanMs, double p50Ms, double p95Ms, double p99Ms, double maxMs, double successPct, double costPct) {

    /** The mean of each figure over several runs. */
    static Cells mean(List<Cells> runs) {
        return each(cell -> mean(runs, cell));
    }

    /** The standard deviation of each figure over several runs; 0 for a single one. */
    static Cells deviation(List<Cells> runs) {
        return each(cell -> deviation(runs, cell));
    }

    private static Cells each(ToDoubleFunction<ToDoubleFunction<Cells>> statistic) {
        return new Cells(
                statistic.applyAsDouble(Cells::meanMs),
                statistic.applyAsDouble(Cells::p50Ms),
                statistic.applyAsDouble(Cells::p95Ms),
                statistic.applyAsDouble(Cells::p99Ms),
                statistic.applyAsDouble(Cells::maxMs),
                statistic.applyAsDouble(Cells::successPct),
                statistic.applyAsDouble(Cells::costPct));
    }

    private static double mean(List<Cells> runs, ToDoubleFunction<Cells> cell) {
        return runs.stream().mapToDouble(cell).sum() / runs.size();
    }

    private static double deviation(List<Cells> runs, ToDoubleFunction<Cells> cell) {
        if (runs.size() < 2) {
            return 0;
        }
        double mean = mean(runs, cell);
        double squares = runs.stream()
                .mapToDouble(cell)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return StrictMath.sqrt(squares / (runs.size() - 1));
    }
}
