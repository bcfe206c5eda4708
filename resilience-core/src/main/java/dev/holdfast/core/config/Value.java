package dev.holdfast.core.config;

import dev.holdfast.core.internal.config.Masks;
import dev.holdfast.core.internal.config.Node;
import dev.holdfast.core.internal.config.Node.Elements;
import dev.holdfast.core.internal.config.Node.Members;
import dev.holdfast.core.internal.config.Node.Scalar;
import dev.holdfast.core.internal.config.Node.Syntax;
import dev.holdfast.core.internal.config.Reading;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A value on its way from the file to a {@link Kind}. Immutable. */
public final class Value {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{[A-Za-z0-9_]{1,40}}");

    private final String path;
    private final Node node;
    private final Reading reading;

    Value(String path, Node node, Reading reading) {
        this.path = path;
        this.node = node;
        this.reading = reading;
    }

    /** {@return the way to it: {@code models.gpt-4.1.timeout}} */
    public String path() {
        return path;
    }

    /** {@return where it stands} */
    public Place place() {
        return node.place();
    }

    /**
     * {@return its text, variables filled in}
     *
     * @param expected what stands here, for the error
     * @throws ConfigException if it is a section, a list or nothing, or if a variable is missing
     */
    public String text(String expected) {
        if (node instanceof Scalar scalar && scalar.syntax() != Syntax.NOTHING) {
            return reading.filledIn(path, scalar);
        }
        throw refused(node.kind(), expected);
    }

    /** {@return whether it is one value, and neither a section nor a list} */
    public boolean isScalar() {
        return node instanceof Scalar;
    }

    /**
     * {@return what a reader makes of its text}
     *
     * @param <T> what it makes
     * @param expected what stands here, for the error
     * @param reader makes it; an {@link IllegalArgumentException} refuses the text
     * @throws ConfigException if it is refused
     */
    public <T> T read(String expected, Function<String, T> reader) {
        String text = text(expected);
        try {
            return reader.apply(text);
        } catch (ConfigException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw refused(shown(text), expected);
        }
    }

    /**
     * {@return the values of a list; a single value is a list of one}
     *
     * @param expected what stands here, for the error
     */
    public List<Value> elements(String expected) {
        if (node instanceof Scalar scalar && scalar.syntax() != Syntax.NOTHING) {
            return List.of(this);
        }
        if (!(node instanceof Elements list)) {
            throw refused(node.kind(), expected);
        }
        var values = new ArrayList<Value>();
        for (Node element : list.elements()) {
            values.add(new Value(path + "[" + values.size() + "]", element, reading));
        }
        return List.copyOf(values);
    }

    /**
     * {@return the members of a section by name, in the order of the file}
     *
     * @param expected what stands here, for the error
     */
    public Map<String, Value> members(String expected) {
        if (!(node instanceof Members section)) {
            throw refused(node.kind(), expected);
        }
        var values = new LinkedHashMap<String, Value>();
        section.members().forEach((name, member) -> values.put(name, new Value(under(name), member, reading)));
        return values;
    }

    /**
     * {@return this value as a section}
     *
     * @param schema its keys
     * @throws ConfigException if it is none, or has other keys
     */
    public Section section(Schema schema) {
        if (node instanceof Scalar scalar && schema.shorthand().isPresent() && scalar.syntax() != Syntax.NOTHING) {
            Key<?> key = schema.shorthand().orElseThrow();
            return new Section(this, schema, Map.of(key.name(), new Value(under(key.name()), node, reading)), reading);
        }
        if (node instanceof Scalar scalar && scalar.syntax() == Syntax.NOTHING) {
            return new Section(this, schema, Map.of(), reading);
        }
        String keys = schema.shorthand().isPresent() ? "a name or a section of " : "a section of ";
        Map<String, Value> members = members(keys + schema.names());
        if (!reading.isCollecting()) {
            unknown(members.keySet(), schema).findFirst().ifPresent(mistake -> {
                throw mistake;
            });
        }
        return new Section(this, schema, members, reading);
    }

    private Stream<ConfigException> unknown(Collection<String> names, Schema schema) {
        return names.stream().filter(name -> schema.key(name).isEmpty()).map(name -> {
            Optional<String> near = Similar.nearest(name, schema.keyNames());
            Place place = ((Members) node).names().getOrDefault(name, place());
            return new ConfigException(
                    place,
                    // What is nearly one of our names is no key of a provider.
                    under(near.isPresent() ? name : shown(name)) + ": unknown key (expected: "
                            + near.map(known -> "perhaps " + known + "; ").orElse("") + "one of " + schema.names()
                            + ")");
        });
    }

    /** Finds every mistake in a section: each unknown key, and in each known one what does not fit. */
    void check(Schema schema, Consumer<ConfigException> found) {
        if (node instanceof Scalar scalar && (schema.shorthand().isPresent() || scalar.syntax() == Syntax.NOTHING)) {
            if (scalar.syntax() != Syntax.NOTHING) {
                Key<?> key = schema.shorthand().orElseThrow();
                key.kind().check(new Value(under(key.name()), node, reading), found);
            }
            return;
        }
        Map<String, Value> members = members("a section of " + schema.names());
        unknown(members.keySet(), schema).forEach(found);
        members.forEach(
                (name, member) -> schema.key(name).ifPresent(key -> key.kind().check(member, found)));
    }

    /**
     * {@return an error about this value}
     *
     * @param found what stands there
     * @param expected what should
     */
    public ConfigException refused(String found, String expected) {
        String at = path.isEmpty() ? "" : path + ": ";
        return new ConfigException(place(), at + found + " (expected: " + expected + ")");
    }

    /** What a part said that refused it, less what a variable brought; the cause would say that too. */
    ConfigException refused(IllegalArgumentException why) {
        String words = String.valueOf(why.getMessage());
        String clean = reading.shown(node instanceof Scalar scalar ? Masks.hideQuoted(words, scalar.text()) : words);
        String problem = path + ": " + clean;
        return clean.equals(words) ? new ConfigException(place(), problem, why) : new ConfigException(place(), problem);
    }

    /** A text in an error: hidden if a variable brought it, and told by its length if it may be a key. */
    String shown(String text) {
        if (node instanceof Scalar scalar && !scalar.text().equals(text)) {
            return VARIABLE.matcher(scalar.text()).matches()
                    ? "what " + scalar.text() + " stands for"
                    : "what its variables stand for";
        }
        return Masks.mayBeKey(text) ? "a text of " + text.length() + " characters" : text;
    }

    private String under(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    Reading reading() {
        return reading;
    }

    /** {@return the value as the file has it, for a report, in one line} */
    String asWritten() {
        return asWritten(node);
    }

    private static String asWritten(Node node) {
        return switch (node) {
            case Scalar scalar -> scalar.text();
            case Elements list ->
                list.elements().stream().map(Value::asWritten).collect(Collectors.joining(", ", "[", "]"));
            case Members section ->
                section.members().entrySet().stream()
                        .map(member -> member.getKey() + ": " + asWritten(member.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
        };
    }
}
