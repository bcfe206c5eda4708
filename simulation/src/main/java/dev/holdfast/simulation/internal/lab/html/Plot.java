package dev.holdfast.simulation.internal.lab.html;

import java.util.List;

/** One plot: a drawing for wide and one for narrow pages, words for those who see neither, and its figures as a table. */
interface Plot {
    int WIDE = 1000;
    int NARROW = 360;

    /** What it is called, for references within the page: letters and hyphens. */
    String id();

    /** What it shows, in a few words. */
    String title();

    /** What can be seen on it, in a sentence or two. */
    String description();

    /** How to read it. */
    String caption();

    /** Draws it. */
    String draw(String id, int width, String cssClass);

    /** The names of the columns. */
    List<String> header();

    /** The figures. */
    List<List<String>> rows();

    /** The plot as a part of a page. */
    default String figure() {
        return "<figure id=\"" + id() + "\"><h3>" + Html.text(title()) + "</h3>"
                + draw(id() + "-w", WIDE, "wide") + draw(id() + "-n", NARROW, "narrow")
                + "<figcaption>" + Html.text(caption()) + "</figcaption><details><summary>As a table</summary>"
                + Html.table(title(), header(), rows()) + "</details></figure>";
    }
}
