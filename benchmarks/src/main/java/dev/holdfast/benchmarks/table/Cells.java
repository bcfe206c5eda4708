package dev.holdfast.benchmarks.table;

import dev.holdfast.simulation.lab.Measures;
import dev.holdfast.simulation.lab.Outcome;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a row.
 *
 * @param costPct what a success costs beyond what it costs without retries; not a number where nothing succeeded
 */
public record Cells(
        double meanMs, double p50Ms, double p95Ms, double p99Ms, double maxMs, double successPct, double costPct) {

    /** The figures of a run beside those of the run without retries under the same weather. */
    public static Cells of(Outcome run, Outcome baseline) {
        Measures measures = run.measures(baseline);
        return new Cells(
                measures.meanMs(),
                measures.p50Ms(),
                measures.p95Ms(),
                measures.p99Ms(),
                measures.maxMs(),
                measures.successPct(),
                measures.costPct());
    }

    /** The mean of each figure over several runs. */
    static Cells mean(List<Cells> runs) {
        return each(cell -> mean(runs, cell));
    }

    /** The standard deviation of each figure over several runs; 0 for a single one. */
    static Cells deviation(List<Cells> runs) {
        return each(cell -> deviation(runs, cell));
    }

    /** Each figure less that of other cells. */
    Cells minus(Cells other) {
        return each(cell -> cell.applyAsDouble(this) - cell.applyAsDouble(other));
    }

    /** Each figure times a factor. */
    Cells times(double factor) {
        return each(cell -> factor * cell.applyAsDouble(this));
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
