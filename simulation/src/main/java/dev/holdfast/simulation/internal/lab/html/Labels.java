package dev.holdfast.simulation.internal.lab.html;

import dev.holdfast.simulation.lab.Report;
import dev.holdfast.simulation.lab.Report.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Short names for the variants of a report, and how much space a text needs. */
final class Labels {
    private static final double LETTER = 6.9;

    /** A shorter word does not say what it is about. */
    private static final int LONG_ENOUGH = 8;

    private final Report report;
    private final boolean severalPolicies;

    Labels(Report report) {
        this.report = report;
        this.severalPolicies = report.experiment().policies().size() > 1;
    }

    /** What tells a row from the others. */
    String of(Row row) {
        var parts = new ArrayList<String>();
        if (severalPolicies || row.variant().settings().isEmpty()) {
            parts.add(row.variant().base());
        }
        row.variant().settings().forEach((key, value) -> parts.add(shortKey(key) + "=" + value));
        return String.join(" ", parts);
    }

    /** The key as far as it is needed to tell it from the other keys. */
    String shortKey(String key) {
        String last = key.substring(key.lastIndexOf('.') + 1);
        long alike = report.experiment().sweep().axes().stream()
                .filter(axis -> axis.key().endsWith("." + last) || axis.key().equals(last))
                .count();
        return alike > 1 || last.length() < LONG_ENOUGH ? key : last;
    }

    /** About how wide a text is. */
    static double width(String text) {
        return text.codePointCount(0, text.length()) * LETTER;
    }

    /** The text, cut where it has no space. */
    static String fit(String text, double space) {
        int most = Math.max(2, (int) (space / LETTER));
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }

    /** The rows that a plot has space for, in their order: the best, those that are not beaten, then the first. */
    static List<Integer> chosen(List<Row> rows, int most) {
        List<Integer> chosen = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            for (int i = 0; i < rows.size() && chosen.size() < most; i++) {
                if (rank(rows.get(i)) == rank) {
                    chosen.add(i);
                }
            }
        }
        return chosen.stream().sorted().collect(Collectors.toList());
    }

    /** What counts more has the smaller number. */
    static int rank(Row row) {
        return row.best() ? 0 : row.pareto() ? 1 : 2;
    }
}
