package dev.holdfast.benchmarks.table;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How one row differs from another under the same seeds.
 *
 * @param than the other
 * @param mean the mean of the differences, each this row's minus the other's
 * @param error their standard error
 */
public record Paired(Strategy than, Cells mean, Cells error) {
    /** The differences of a row from others; none for a single seed. */
    static List<Paired> of(StrategyTable.Row row, List<StrategyTable.Row> others) {
        return others.stream()
                .filter(other ->
                        other.strategy() != row.strategy() && other.runs().size() > 1)
                .map(other -> of(row, other))
                .toList();
    }

    private static Paired of(StrategyTable.Row row, StrategyTable.Row other) {
        int seeds = Math.min(row.runs().size(), other.runs().size());
        List<Cells> differences = IntStream.range(0, seeds)
                .mapToObj(i -> row.runs().get(i).minus(other.runs().get(i)))
                .toList();
        Cells error = Cells.deviation(differences).times(1 / Math.sqrt(seeds));
        return new Paired(other.strategy(), Cells.mean(differences), error);
    }
}
