package dev.holdfast.benchmarks.routing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Prints what routers keep of a strong model's quality at a share of calls to it, on the GSM8K prompts of RouteLLM, and draws
 * it.
 *
 * <pre>{@code
 * java -cp "benchmarks/target/classes:benchmarks/target/lib/*" dev.holdfast.benchmarks.routing.RouterCurve \
 *     gsm8k_responses.csv docs/router-curve.svg
 * }</pre>
 */
public final class RouterCurve {
    private static final String[] COLOURS = {"#888888", "#1f77b4", "#d62728"};
    private static final int WIDTH = 560;
    private static final int HEIGHT = 360;
    private static final int MARGIN = 48;

    private RouterCurve() {}

    /** Reads the table named first and, where a second file is named, draws into it. */
    public static void main(String[] args) throws IOException {
        if (args.length < 1) {
            System.err.println(
                    "RouterCurve: no file (expected: gsm8k_responses.csv, and perhaps an SVG file to write)");
            System.exit(2);
        }
        List<GradedPrompt> all = GradedPrompt.read(Path.of(args[0]));
        RouterTrial trial = RouterTrial.of(RouterTrial.half(all, 0), RouterTrial.half(all, 1));
        RouterTrial swapped = RouterTrial.of(RouterTrial.half(all, 1), RouterTrial.half(all, 0));
        System.out.print(table(trial));
        System.out.println(summary("learned on the first half", trial));
        System.out.println(summary("learned on the second half", swapped));
        if (args.length > 1) {
            Files.writeString(Path.of(args[1]), svg(trial));
        }
    }

    /** The curves as a table in Markdown. */
    static String table(RouterTrial trial) {
        String head = "| calls to the strong model |"
                + IntStream.rangeClosed(0, 10)
                        .mapToObj(i -> " " + i * 10 + " % |")
                        .collect(Collectors.joining());
        String rule = "| --- |" + " ---: |".repeat(11);
        return head + "\n" + rule + "\n"
                + trial.curves().entrySet().stream()
                        .map(entry -> "| " + entry.getKey() + " |"
                                + IntStream.rangeClosed(0, 10)
                                        .mapToObj(i -> percent(entry.getValue().at(i / 10.0)) + " |")
                                        .collect(Collectors.joining())
                                + "\n")
                        .collect(Collectors.joining());
    }

    static String summary(String which, RouterTrial trial) {
        return String.format(
                Locale.ROOT,
                "%s, judged on %d: mean gap closed: random %.3f, length %.3f, learned words %.3f; learned over length %+.3f"
                        + " (95 %% interval %+.3f to %+.3f); seed points: %.1f %% of calls, quality %.1f %%",
                which,
                trial.prompts().size(),
                trial.curve(RouterTrial.CHANCE).gapClosed(),
                trial.curve(RouterTrial.LENGTH).gapClosed(),
                trial.curve(RouterTrial.LEARNED).gapClosed(),
                trial.curve(RouterTrial.LEARNED).gapClosed()
                        - trial.curve(RouterTrial.LENGTH).gapClosed(),
                trial.learnedGain()[0],
                trial.learnedGain()[2],
                100 * trial.seedShare(),
                100 * trial.seedQuality());
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, " %.1f", 100 * share);
    }

    /** The curves as a drawing. */
    static String svg(RouterTrial trial) {
        var svg = new StringBuilder("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + " " + HEIGHT
                + "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                + "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        for (int percent = 60; percent <= 90; percent += 5) {
            svg.append(line(0, percent / 100.0, 1, percent / 100.0, "#dddddd"))
                    .append(text(8, y(percent / 100.0) + 4, percent + " %", "#333333"));
        }
        for (int percent = 0; percent <= 100; percent += 20) {
            svg.append(text(x(percent / 100.0) - 10, HEIGHT - MARGIN + 18, percent + " %", "#333333"));
        }
        svg.append(text(WIDTH / 2.0 - 80, HEIGHT - 8, "calls to the strong model", "#333333"));
        int index = 0;
        for (var entry : trial.curves().entrySet()) {
            String colour = COLOURS[index];
            svg.append(path(entry.getValue(), colour))
                    .append(text(MARGIN + 24, 28 + 18.0 * index, entry.getKey(), colour));
            index++;
        }
        return svg.append("</svg>\n").toString();
    }

    private static String path(QualityCurve curve, String colour) {
        String points = IntStream.rangeClosed(0, 100)
                .mapToObj(i -> number(x(i / 100.0)) + "," + number(y(curve.at(i / 100.0))))
                .collect(Collectors.joining(" "));
        return "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" + colour + "\" points=\"" + points + "\"/>\n";
    }

    private static String line(double fromShare, double from, double toShare, double to, String colour) {
        return "<line x1=\"" + number(x(fromShare)) + "\" y1=\"" + number(y(from)) + "\" x2=\"" + number(x(toShare))
                + "\" y2=\"" + number(y(to)) + "\" stroke=\"" + colour + "\"/>\n";
    }

    private static String text(double x, double y, String words, String colour) {
        return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" fill=\"" + colour + "\">" + words + "</text>\n";
    }

    private static double x(double share) {
        return MARGIN + share * (WIDTH - 2.0 * MARGIN);
    }

    private static double y(double quality) {
        return HEIGHT - MARGIN - (quality - 0.6) / 0.3 * (HEIGHT - 2.0 * MARGIN);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
