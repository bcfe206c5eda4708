package dev.holdfast.simulation.internal.lab.html;

/** Draws the frame that plots have in common. */
final class Axes {
    private Axes() {}

    /** Lines from top to bottom, with their labels below. */
    static void below(Svg svg, Scale scale, double top, double bottom) {
        for (Scale.Tick tick : scale.ticks()) {
            svg.line("grid", tick.at(), top, tick.at(), bottom);
            String anchor = tick.at() > svg.width() - 18 ? "end" : "middle";
            svg.text("tick", anchor.equals("end") ? svg.width() - 1 : tick.at(), bottom + 16, anchor, tick.label());
        }
    }

    /** Lines from left to right, with their labels left of them. */
    static void beside(Svg svg, Scale scale, double left, double right) {
        for (Scale.Tick tick : scale.ticks()) {
            svg.line("grid", left, tick.at(), right, tick.at());
            svg.text("tick", left - 6, tick.at() + 4, "end", tick.label());
        }
    }
}
