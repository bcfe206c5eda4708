package dev.holdfast.simulation.internal.lab.html;

import dev.holdfast.simulation.lab.Measure;
import dev.holdfast.simulation.lab.Report.Row;
import java.util.List;

/** The scale that suits a measure of some rows. */
final class MeasureScale {
    private MeasureScale() {}

    static Scale of(Measure measure, List<Row> rows, double from, double to) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (Row row : rows) {
            double value = measure.of(row.mean());
            double spread = measure.of(row.deviation());
            if (!Double.isNaN(value)) {
                low = Math.min(low, value - spread);
                high = Math.max(high, value + spread);
            }
        }
        if (low > high) {
            low = 0;
            high = 1;
        }
        return switch (measure) {
            case SUCCESS -> Scale.successes(low, Math.min(100, high), from, to);
            case COST -> Scale.linear(low, high, from, to, value -> Scale.plain(value) + " %");
            case ATTEMPTS -> Scale.linear(low, high, from, to, Scale::plain);
            default ->
                high > 4 * low ? Scale.times(low, high, from, to) : Scale.linear(low, high, from, to, Scale::time);
        };
    }
}
