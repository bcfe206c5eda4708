package dev.holdfast.simulation.internal.lab.html;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** Builds one drawing. Colours and letters are those of the page's style. Not for several threads. */
final class Svg {
    private final StringBuilder out = new StringBuilder();
    private final String id;
    private final int width;

    Svg(String id, int width) {
        this.id = id;
        this.width = width;
    }

    int width() {
        return width;
    }

    /** The drawing, with what those read who cannot see it. */
    String finish(int height, String cssClass, String title, String description) {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"" + cssClass + "\" width=\"" + width + "\" height=\""
                + height + "\" viewBox=\"0 0 " + width + " " + height + "\" role=\"img\" aria-labelledby=\"" + id
                + "-t " + id + "-d\"><title id=\"" + id + "-t\">" + Html.text(title) + "</title><desc id=\"" + id
                + "-d\">" + Html.text(description) + "</desc>" + out + "</svg>";
    }

    /** A group that belongs to a variant. */
    Svg open(int variant) {
        out.append("<g class=\"v\" data-v=\"").append(variant).append("\">");
        return this;
    }

    Svg close() {
        out.append("</g>");
        return this;
    }

    Svg line(String cssClass, double x1, double y1, double x2, double y2) {
        out.append("<line class=\"").append(cssClass).append('"');
        attribute("x1", x1).attribute("y1", y1).attribute("x2", x2).attribute("y2", y2);
        out.append("/>");
        return this;
    }

    Svg rect(String cssClass, double x, double y, double w, double h, String title) {
        out.append("<rect class=\"").append(cssClass).append('"');
        attribute("x", x).attribute("y", y).attribute("width", w).attribute("height", h);
        return ended("rect", title);
    }

    Svg path(String cssClass, String data) {
        out.append("<path class=\"")
                .append(cssClass)
                .append("\" d=\"")
                .append(data)
                .append("\"/>");
        return this;
    }

    Svg mark(String cssClass, Mark mark, double x, double y, double size, String title) {
        out.append("<path class=\"")
                .append(cssClass)
                .append("\" d=\"")
                .append(mark.path(x, y, size))
                .append('"');
        return ended("path", title);
    }

    private Svg ended(String element, String title) {
        if (title.isEmpty()) {
            out.append("/>");
        } else {
            out.append("><title>")
                    .append(Html.text(title))
                    .append("</title></")
                    .append(element)
                    .append('>');
        }
        return this;
    }

    /** A text; the anchor is start, middle or end. */
    Svg text(String cssClass, double x, double y, String anchor, String text) {
        out.append("<text class=\"").append(cssClass).append('"');
        attribute("x", x).attribute("y", y);
        out.append(" text-anchor=\"")
                .append(anchor)
                .append("\">")
                .append(Html.text(text))
                .append("</text>");
        return this;
    }

    /** A pattern of slanted lines, so that what is filled by it is told without its colour. */
    String hatch(String name, String cssClass) {
        String pattern = id + "-" + name;
        out.append("<defs><pattern id=\"")
                .append(pattern)
                .append("\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">")
                .append("<rect class=\"")
                .append(cssClass)
                .append("-bg\" width=\"6\" height=\"6\"/><line class=\"")
                .append(cssClass)
                .append("\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\"/></pattern></defs>");
        return "url(#" + pattern + ")";
    }

    Svg filled(String fill, double x, double y, double w, double h, String title) {
        out.append("<rect fill=\"").append(fill).append('"');
        attribute("x", x).attribute("y", y).attribute("width", w).attribute("height", h);
        return ended("rect", title);
    }

    private Svg attribute(String name, double value) {
        out.append(' ').append(name).append("=\"").append(number(value)).append('"');
        return this;
    }

    /** To a tenth of a pixel. */
    static String number(double value) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    /** A line through points. */
    static String through(List<double[]> points) {
        var data = new StringBuilder();
        for (double[] point : points) {
            data.append(data.isEmpty() ? "M" : "L")
                    .append(number(point[0]))
                    .append(' ')
                    .append(number(point[1]));
        }
        return data.toString();
    }

    /** Marks that differ by their shape. */
    enum Mark {
        CIRCLE,
        SQUARE,
        TRIANGLE,
        DIAMOND,
        DOWN,
        CROSS;

        static Mark of(int number) {
            return values()[number % values().length];
        }

        String path(double x, double y, double r) {
            return switch (this) {
                case CIRCLE ->
                    "M" + at(x - r, y) + "a" + at(r, r) + " 0 1 0 " + at(2 * r, 0) + "a" + at(r, r) + " 0 1 0 "
                            + at(-2 * r, 0) + "z";
                case SQUARE ->
                    "M" + at(x - 0.9 * r, y - 0.9 * r) + "h" + number(1.8 * r) + "v" + number(1.8 * r) + "h"
                            + number(-1.8 * r) + "z";
                case TRIANGLE ->
                    "M" + at(x, y - 1.2 * r) + "L" + at(x + 1.1 * r, y + 0.8 * r) + "L" + at(x - 1.1 * r, y + 0.8 * r)
                            + "z";
                case DOWN ->
                    "M" + at(x, y + 1.2 * r) + "L" + at(x + 1.1 * r, y - 0.8 * r) + "L" + at(x - 1.1 * r, y - 0.8 * r)
                            + "z";
                case DIAMOND ->
                    "M" + at(x, y - 1.3 * r) + "L" + at(x + 1.3 * r, y) + "L" + at(x, y + 1.3 * r) + "L"
                            + at(x - 1.3 * r, y) + "z";
                case CROSS ->
                    "M" + at(x - r, y - r) + "L" + at(x + r, y + r) + "M" + at(x + r, y - r) + "L" + at(x - r, y + r);
            };
        }

        private static String at(double x, double y) {
            return number(x) + " " + number(y);
        }
    }
}
