package dev.holdfast.simulation.lab;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Settings that are tried, each value of each with each of the others.
 *
 * @param axes what is tried, the slowest first
 */
public record Sweep(List<Axis> axes) {
    /** More combinations than this are refused. */
    public static final int MOST = 1_000;

    /** Refuses a key that occurs twice, and more than {@link #MOST} combinations. */
    public Sweep {
        axes = List.copyOf(axes);
        var keys = new HashSet<String>();
        long points = 1;
        for (Axis axis : axes) {
            if (!keys.add(axis.key())) {
                throw new IllegalArgumentException(axis.key() + ": for the second time (expected: one list of values)");
            }
            points = Math.min(Integer.MAX_VALUE, points * axis.values().size());
        }
        if (points > MOST) {
            throw new IllegalArgumentException(points + " combinations (expected: at most " + MOST
                    + "; try fewer values or fewer keys at a time)");
        }
    }

    /**
     * One setting and its values.
     *
     * @param key the way to it in a configuration: {@code retry.max-attempts}
     * @param values as one would write them, at least one
     */
    public record Axis(String key, List<String> values) {
        /** Refuses a blank key or value, and one that occurs twice. */
        public Axis {
            if (key.isBlank()) {
                throw new IllegalArgumentException("without a key (expected: key=a,b,c)");
            }
            if (values.isEmpty() || values.stream().anyMatch(String::isBlank)) {
                throw new IllegalArgumentException(key + ": a blank value (expected: " + key + "=a,b,c)");
            }
            values = List.copyOf(values);
            if (new HashSet<>(values).size() < values.size()) {
                throw new IllegalArgumentException(key + ": a value for the second time (expected: each once)");
            }
        }

        /** {@return the text that {@link #of} reads} */
        @Override
        public String toString() {
            return key + "=" + String.join(",", values);
        }
    }

    /** {@return nothing to try} */
    public static Sweep none() {
        return new Sweep(List.of());
    }

    /**
     * {@return what texts say}
     *
     * @param texts each {@code key=a,b,c}; a comma within brackets or quotes belongs to the value
     * @throws IllegalArgumentException if one has another form, or there is too much to try
     */
    public static Sweep of(String... texts) {
        var axes = new ArrayList<Axis>();
        for (String text : texts) {
            int border = text.indexOf('=');
            if (border < 0) {
                throw new IllegalArgumentException(text + ": without values (expected: key=a,b,c)");
            }
            axes.add(new Axis(text.substring(0, border).strip(), split(text.substring(border + 1))));
        }
        return new Sweep(axes);
    }

    /** {@return all combinations, each by key in the order of the axes; a single empty one for nothing to try} */
    public List<Map<String, String>> points() {
        List<Map<String, String>> points = List.of(Map.of());
        for (Axis axis : axes) {
            var longer = new ArrayList<Map<String, String>>();
            for (Map<String, String> point : points) {
                for (String value : axis.values()) {
                    var one = new LinkedHashMap<>(point);
                    one.put(axis.key(), value);
                    longer.add(one);
                }
            }
            points = longer;
        }
        return List.copyOf(points);
    }

    /** What commas part, but for those within brackets or quotes. */
    private static List<String> split(String text) {
        var parts = new ArrayList<String>();
        int depth = 0;
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            quoted ^= c == '"';
            depth += quoted ? 0 : nesting(c);
            if (c == ',' && depth == 0 && !quoted) {
                parts.add(text.substring(start, i).strip());
                start = i + 1;
            }
        }
        parts.add(text.substring(start).strip());
        return parts;
    }

    private static int nesting(char c) {
        return switch (c) {
            case '(', '[', '{' -> 1;
            case ')', ']', '}' -> -1;
            default -> 0;
        };
    }
}
