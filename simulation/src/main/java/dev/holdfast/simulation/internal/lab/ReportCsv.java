package dev.holdfast.simulation.internal.lab;

import dev.holdfast.simulation.lab.Measure;
import dev.holdfast.simulation.lab.Report;
import dev.holdfast.simulation.lab.Report.Row;
import dev.holdfast.simulation.lab.Sweep.Axis;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A report as comma-separated values. */
public final class ReportCsv {
    private ReportCsv() {}

    /** The text. */
    public static String of(Report report) {
        List<String> keys =
                report.experiment().sweep().axes().stream().map(Axis::key).toList();
        var lines = new ArrayList<String>();
        lines.add(line(header(keys)));
        report.rows()
                .forEach(row ->
                        lines.add(line(cells(row, keys, report.experiment().requests()))));
        return String.join("", lines);
    }

    private static List<String> header(List<String> keys) {
        var header = new ArrayList<String>();
        header.add("policy");
        header.addAll(keys);
        header.addAll(List.of("seeds", "calls"));
        for (Measure measure : Measure.values()) {
            header.add(column(measure));
        }
        for (Measure measure : Measure.values()) {
            header.add("stdev_" + column(measure));
        }
        header.addAll(List.of("pareto", "meets_objective", "best"));
        return header;
    }

    private static List<String> cells(Row row, List<String> keys, int requests) {
        var cells = new ArrayList<String>();
        cells.add(row.variant().base());
        keys.forEach(key -> cells.add(row.variant().settings().getOrDefault(key, "")));
        cells.add(String.valueOf(row.seeds()));
        cells.add(String.valueOf(requests));
        for (Measure measure : Measure.values()) {
            cells.add(Decimals.text(measure.of(row.mean())));
        }
        for (Measure measure : Measure.values()) {
            cells.add(Decimals.text(measure.of(row.deviation())));
        }
        cells.add(String.valueOf(row.pareto()));
        cells.add(String.valueOf(row.meets()));
        cells.add(String.valueOf(row.best()));
        return cells;
    }

    private static String column(Measure measure) {
        return measure.title().replace(" %", "_pct").replace(' ', '_');
    }

    private static String line(List<String> cells) {
        return cells.stream().map(ReportCsv::quoted).collect(Collectors.joining(",")) + "\n";
    }

    private static String quoted(String cell) {
        return cell.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
                ? '"' + cell.replace("\"", "\"\"") + '"'
                : cell;
    }
}
