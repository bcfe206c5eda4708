package dev.holdfast.simulation.internal.lab.html;

import java.util.List;
import java.util.stream.Collectors;

/** Pieces of a page. */
final class Html {
    private Html() {}

    /** A text as HTML and SVG have it, in elements and in quoted attributes. */
    static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** A table whose first column names its rows. */
    static String table(String caption, List<String> header, List<List<String>> rows) {
        return "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" + text(caption)
                + "\"><table><caption>" + text(caption) + "</caption><thead><tr>"
                + header.stream()
                        .map(each -> "<th scope=\"col\">" + text(each) + "</th>")
                        .collect(Collectors.joining())
                + "</tr></thead><tbody>" + rows.stream().map(Html::row).collect(Collectors.joining())
                + "</tbody></table></div>";
    }

    private static String row(List<String> cells) {
        return "<tr><th scope=\"row\">" + text(cells.getFirst()) + "</th>"
                + cells.stream()
                        .skip(1)
                        .map(each -> "<td>" + text(each) + "</td>")
                        .collect(Collectors.joining())
                + "</tr>";
    }
}
