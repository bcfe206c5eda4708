package dev.holdfast.simulation.internal.profile;

import dev.holdfast.simulation.internal.profile.LinedJson.Elements;
import dev.holdfast.simulation.internal.profile.LinedJson.Figure;
import dev.holdfast.simulation.internal.profile.LinedJson.Flag;
import dev.holdfast.simulation.internal.profile.LinedJson.Members;
import dev.holdfast.simulation.internal.profile.LinedJson.Node;
import dev.holdfast.simulation.internal.profile.LinedJson.Text;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An object of the file: its keys are known, and every problem names file, line, key, and what was expected. */
final class Section {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)(ms|s|m|h)");
    private static final Pattern RATE = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)/(s|min|h)");
    private static final Map<String, Long> NANOS =
            Map.of("ms", 1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);
    private static final Map<String, Double> SECONDS = Map.of("s", 1.0, "min", 60.0, "h", 3_600.0);

    private final String source;
    private final String path;
    private final Members node;

    private Section(String source, String path, Members node) {
        this.source = source;
        this.path = path;
        this.node = node;
    }

    /** The whole file; it may have these keys. */
    static Section root(String source, Node node, String... keys) {
        return of(source, "", node, keys);
    }

    private static Section of(String source, String path, Node node, String... keys) {
        if (!(node instanceof Members members)) {
            throw LinedJson.problem(source, node.line(), prefix(path) + node.kind(), "an object, { … }");
        }
        members.lines().forEach((key, line) -> {
            if (!List.of(keys).contains(key)) {
                throw LinedJson.problem(
                        source, line, "unknown key \"" + dotted(path, key) + "\"", "one of " + String.join(", ", keys));
            }
        });
        return new Section(source, path, members);
    }

    boolean has(String key) {
        return node.members().containsKey(key);
    }

    Section section(String key, String... keys) {
        return of(source, dotted(path, key), required(key, "an object, { … }"), keys);
    }

    /** The objects in a list; none where there is no such key. */
    List<Section> sections(String key, String... keys) {
        Node list = node.members().get(key);
        if (list == null) {
            return List.of();
        }
        if (!(list instanceof Elements elements)) {
            throw problem(key, list.kind(), "a list, [ … ]");
        }
        var all = new ArrayList<Section>();
        for (Node element : elements.elements()) {
            all.add(of(source, dotted(path, key) + "[" + all.size() + "]", element, keys));
        }
        return all;
    }

    String text(String key) {
        Node value = required(key, "a text");
        if (value instanceof Text(int line, String text) && line > 0) {
            return text;
        }
        throw problem(key, value.kind(), "a text in double quotes");
    }

    String text(String key, String byDefault) {
        return has(key) ? text(key) : byDefault;
    }

    /** One of these words. */
    String word(String key, @Nullable String byDefault, String... words) {
        String word = byDefault == null || has(key) ? text(key) : byDefault;
        if (!List.of(words).contains(word)) {
            throw problem(key, "\"" + word + "\"", "one of " + String.join(", ", words));
        }
        return word;
    }

    boolean flag(String key, boolean byDefault) {
        Node value = node.members().get(key);
        if (value == null) {
            return byDefault;
        }
        if (value instanceof Flag(int line, boolean flag) && line > 0) {
            return flag;
        }
        throw problem(key, value.kind(), "true or false");
    }

    double share(String key, double byDefault) {
        return number(key, byDefault, 0, 1);
    }

    double share(String key) {
        required(key, "a number from 0 to 1");
        return number(key, 0, 0, 1);
    }

    double number(String key, double byDefault, double least, double most) {
        Node value = node.members().get(key);
        if (value == null) {
            return byDefault;
        }
        String range = plain(least) + " to " + plain(most);
        if (!(value instanceof Figure number)) {
            throw problem(key, value.kind(), "a number from " + range);
        }
        if (!(number.value() >= least && number.value() <= most)) {
            throw problem(key, number.text(), range);
        }
        return number.value();
    }

    int whole(String key, int byDefault, int least, int most) {
        double value = number(key, byDefault, least, most);
        if (value != Math.rint(value)) {
            throw problem(key, String.valueOf(value), "a whole number");
        }
        return (int) value;
    }

    int whole(String key, int least, int most) {
        required(key, "a whole number from " + least + " to " + most);
        return whole(key, least, least, most);
    }

    Duration duration(String key) {
        String text = text(key);
        Matcher form = DURATION.matcher(text);
        if (!form.matches()) {
            throw problem(key, "\"" + text + "\"", "a number and ms, s, m or h, as in \"1.5s\"");
        }
        long nanos = NANOS.getOrDefault(form.group(2), 0L);
        BigDecimal length = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(nanos));
        if (length.compareTo(BigDecimal.valueOf(Duration.ofDays(3_650).toNanos())) > 0) {
            throw problem(key, "\"" + text + "\"", "at most ten years");
        }
        return Duration.ofNanos(length.longValue());
    }

    Duration duration(String key, Duration byDefault) {
        return has(key) ? duration(key) : byDefault;
    }

    /** One that is not zero. */
    Duration positive(String key) {
        Duration length = duration(key);
        if (length.isZero()) {
            throw problem(key, "\"" + text(key) + "\"", "longer than 0");
        }
        return length;
    }

    Optional<Duration> optional(String key) {
        return has(key) ? Optional.of(duration(key)) : Optional.empty();
    }

    /** How many in a second. */
    double rate(String key) {
        String text = text(key);
        Matcher form = RATE.matcher(text);
        double perSecond =
                form.matches() ? Double.parseDouble(form.group(1)) / SECONDS.getOrDefault(form.group(2), 1.0) : 0;
        if (!(perSecond > 0)) {
            throw problem(key, "\"" + text + "\"", "a number above 0 and /s, /min or /h, as in \"500/min\"");
        }
        return perSecond;
    }

    /** What a constructor refuses is a problem of this section. */
    <T> T checked(Supplier<T> value) {
        try {
            return value.get();
        } catch (ProfileFormatException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new ProfileFormatException(source + ":" + node.line() + ": " + prefix(path) + e.getMessage());
        }
    }

    /** A problem of a value. */
    IllegalArgumentException problem(String key, String found, String expected) {
        int line = node.lines().getOrDefault(key, node.line());
        return new ProfileFormatException(
                source + ":" + line + ": " + dotted(path, key) + ": " + found + " (expected: " + expected + ")");
    }

    private Node required(String key, String expected) {
        Node value = node.members().get(key);
        if (value == null) {
            throw problem(key, "missing", expected);
        }
        return value;
    }

    private static String prefix(String path) {
        return path.isEmpty() ? "" : path + ": ";
    }

    private static String dotted(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }
}
