package dev.holdfast.gateway;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Prometheus' text format 0.0.4 to the letter: lines of HELP and TYPE once and before the samples, samples of one metric
 * together and none twice, escaped label values, and histograms whose buckets add up.
 */
final class PrometheusText {
    private static final Pattern COMMENT = Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)");
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? ([^ ]+)(?: (-?[0-9]+))?");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\\\\\"n])*)\"(?:,|$)");
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary", "untyped");

    private final Map<String, String> types = new HashMap<>();
    private final List<Sample> samples = new ArrayList<>();

    record Sample(String name, Map<String, String> labels, double value) {}

    static PrometheusText parse(String text) {
        if (!text.endsWith("\n")) {
            throw new AssertionError("the last line does not end");
        }
        var parsed = new PrometheusText();
        var closed = new HashSet<String>();
        String family = "";
        for (String line : text.split("\n")) {
            String next = line.startsWith("#") ? parsed.comment(line) : parsed.sample(line);
            if (!next.equals(family)) {
                if (!closed.add(next)) {
                    throw new AssertionError(next + ": its lines are not together");
                }
                family = next;
            }
        }
        parsed.checkTwice();
        parsed.checkHistograms();
        return parsed;
    }

    private String comment(String line) {
        Matcher comment = COMMENT.matcher(line);
        if (!comment.matches()) {
            throw new AssertionError("neither HELP nor TYPE: " + line);
        }
        String name = comment.group(2);
        if (comment.group(1).equals("TYPE")) {
            if (!TYPES.contains(comment.group(3)) || types.put(name, comment.group(3)) != null) {
                throw new AssertionError("a type that is none, or is said twice: " + line);
            }
        }
        return name;
    }

    private String sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) {
            throw new AssertionError("no sample: " + line);
        }
        String name = sample.group(1);
        var labels = new LinkedHashMap<String, String>();
        String written = sample.group(2) == null ? "" : sample.group(2);
        Matcher label = LABEL.matcher(written);
        int end = 0;
        while (end < written.length() && label.find(end) && label.start() == end) {
            if (labels.put(label.group(1), label.group(2)) != null) {
                throw new AssertionError("a label twice: " + line);
            }
            end = label.end();
        }
        if (end != written.length()) {
            throw new AssertionError("labels: " + line);
        }
        samples.add(new Sample(name, labels, number(sample.group(3))));
        return family(name);
    }

    private String family(String name) {
        for (String end : new String[] {"_bucket", "_sum", "_count"}) {
            String whole = name.endsWith(end) ? name.substring(0, name.length() - end.length()) : name;
            if (!whole.equals(name) && ("histogram".equals(types.get(whole)) || "summary".equals(types.get(whole)))) {
                return whole;
            }
        }
        if (!types.containsKey(name)) {
            throw new AssertionError(name + ": a sample before its type");
        }
        return name;
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private void checkTwice() {
        var known = new HashSet<String>();
        for (Sample sample : samples) {
            if (!known.add(sample.name() + sample.labels())) {
                throw new AssertionError("twice: " + sample);
            }
        }
    }

    /** Buckets rise to +Inf, which is the count. */
    private void checkHistograms() {
        var last = new HashMap<String, Sample>();
        for (Sample sample : samples) {
            if (!sample.name().endsWith("_bucket")) {
                continue;
            }
            var series = new LinkedHashMap<>(sample.labels());
            series.remove("le");
            Sample before = last.put(sample.name() + series, sample);
            if (before != null
                    && (before.value() > sample.value()
                            || number(before.labels().get("le"))
                                    >= number(sample.labels().get("le")))) {
                throw new AssertionError("buckets fall: " + before + ", " + sample);
            }
        }
        last.values().forEach(sample -> {
            var series = new LinkedHashMap<>(sample.labels());
            String bound = series.remove("le");
            double count = value(sample.name().replace("_bucket", "_count"), series);
            if (!bound.equals("+Inf") || count != sample.value()) {
                throw new AssertionError("the last bucket is not the count: " + sample);
            }
        });
    }

    private double value(String name, Map<String, String> labels) {
        return samples.stream()
                .filter(sample -> sample.name().equals(name) && sample.labels().equals(labels))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + labels + ": not there"))
                .value();
    }

    /** The sum over all series that have these labels. */
    double sum(String name, Map<String, String> labels) {
        return samples.stream()
                .filter(sample ->
                        sample.name().equals(name) && sample.labels().entrySet().containsAll(labels.entrySet()))
                .mapToDouble(Sample::value)
                .sum();
    }

    boolean has(String name) {
        return samples.stream().anyMatch(sample -> sample.name().equals(name));
    }

    Set<String> labelValues() {
        var values = new HashSet<String>();
        samples.forEach(sample -> values.addAll(sample.labels().values()));
        return values;
    }
}
