package dev.holdfast.benchmarks.table;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a run says of one published cell.
 *
 * @param spread the standard deviation over the seeds; 0 for one
 * @param deviation in percent of the published value, or in points
 * @param words {@code holds}, {@code off by …}, or {@code contradicts …} where the published table cannot be right as a whole
 */
public record Verdict(
        Strategy strategy,
        Column column,
        double published,
        double measured,
        double spread,
        double deviation,
        String words) {
    /** The verdicts on all published cells of a table; the cost of "none" is 0 by definition. */
    static List<Verdict> of(List<StrategyTable.Row> rows) {
        return rows.stream()
                .filter(row -> row.strategy().published().isPresent())
                .flatMap(row -> Stream.of(Column.values())
                        .filter(column -> column != Column.COST || row.strategy() != Strategy.NONE)
                        .map(column -> of(row, column)))
                .toList();
    }

    private static Verdict of(StrategyTable.Row row, Column column) {
        double published = column.of(row.strategy().published().orElseThrow());
        double measured = column.of(row.mean());
        double deviation = column.deviation(measured, published);
        return new Verdict(
                row.strategy(),
                column,
                published,
                measured,
                column.of(row.deviation()),
                deviation,
                words(row.strategy(), column, deviation));
    }

    private static String words(Strategy strategy, Column column, double deviation) {
        if (column.tolerates(deviation)) {
            return "holds";
        }
        return contradicted(strategy, column)
                .map(what -> "contradicts " + what)
                .orElseGet(() -> Double.isNaN(deviation)
                        ? "off: nothing succeeded"
                        : String.format(
                                Locale.ROOT,
                                column.isRelative() ? "off by %.1f %%" : "off by %.2f points",
                                Math.abs(deviation)));
    }

    /** What of the published table a published cell cannot be true beside; the guide explains both. */
    private static Optional<String> contradicted(Strategy strategy, Column column) {
        if (strategy == Strategy.FIXED && column == Column.MEAN) {
            return Optional.of("the mean of exponential");
        }
        return strategy == Strategy.EXPONENTIAL_JITTER && column == Column.MAX
                ? Optional.of("its own success")
                : Optional.empty();
    }

    boolean holds() {
        return words.equals("holds");
    }
}
