package dev.holdfast.core.config;

import dev.holdfast.core.internal.config.Node;
import dev.holdfast.core.internal.config.Node.Scalar;
import dev.holdfast.core.internal.config.Node.Syntax;
import dev.holdfast.core.internal.config.Nodes;
import dev.holdfast.core.internal.config.Reading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * A configuration as it was read: JSON, in which comments and trailing commas are allowed, or YAML if
 * {@code jackson-dataformat-yaml} is there. Every error names file and line. Used by one thread.
 */
public final class Configuration {
    private final Node node;
    private final Variables variables;
    private final Value root;
    private final Reading reading;

    private Configuration(Node node, Variables variables) {
        this.node = node;
        this.variables = variables;
        this.reading = new Reading(variables);
        this.root = new Value("", node, reading);
    }

    /**
     * {@return the configuration in a file; one whose name ends in {@code .yaml} or {@code .yml} is YAML}
     *
     * @param file the file
     * @param variables what variables stand for
     * @throws ConfigException if it is neither JSON nor YAML
     * @throws UncheckedIOException if it cannot be read
     */
    public static Configuration read(Path file, Variables variables) {
        String source = file.toString();
        String name = source.toLowerCase(Locale.ROOT);
        try {
            String text = Files.readString(file);
            return name.endsWith(".yaml") || name.endsWith(".yml")
                    ? ofYaml(source, text, variables)
                    : ofJson(source, text, variables);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    source + ": cannot be read, " + why(file, e) + " (expected: a configuration in JSON or YAML)", e);
        }
    }

    private static String why(Path file, IOException e) {
        if (e instanceof CharacterCodingException) {
            return "it is no UTF-8";
        }
        if (Files.isDirectory(file)) {
            return "it is a directory";
        }
        return Files.exists(file) ? "this process may not" : "there is no such file";
    }

    /**
     * {@return the configuration in a JSON text}
     *
     * @param source what to call it in errors
     * @param text the text
     * @param variables what variables stand for
     * @throws ConfigException if it is no JSON
     */
    public static Configuration ofJson(String source, String text, Variables variables) {
        return new Configuration(Nodes.ofJson(source, text), variables);
    }

    /**
     * {@return the configuration in a YAML text}
     *
     * @param source what to call it in errors
     * @param text the text
     * @param variables what variables stand for
     * @throws ConfigException if it is no YAML
     * @throws IllegalStateException if {@code jackson-dataformat-yaml} is not there
     */
    public static Configuration ofYaml(String source, String text, Variables variables) {
        return new Configuration(Nodes.ofYaml(source, text), variables);
    }

    /**
     * {@return this configuration with one value set, whatever it was before; nothing of it has been asked for yet}
     *
     * @param schema the keys it may have
     * @param path the way to the value, as in {@code models.gpt-4.1.breaker.open-for}; sections that are not there are made
     * @param text the value as one would write it; a list in brackets or a section in braces is JSON
     * @param source what to call it in errors
     * @throws ConfigException if there is no such key, or the text is no JSON where it has to be; whether the value fits shows when it is
     *     asked for
     */
    public Configuration with(Schema schema, String path, String text, String source) {
        boolean json = text.startsWith("[") || text.startsWith("{");
        Node value = json ? Nodes.ofJson(source, text) : new Scalar(new Place(source, 1), text, Syntax.TEXT);
        return new Configuration(new SettingPath(path, value).setIn(node, schema), variables);
    }

    /** {@return the same configuration, of which nothing has been asked for yet, so that another thread can read it} */
    public Configuration unread() {
        return new Configuration(node, variables);
    }

    /**
     * {@return the whole as one section}
     *
     * @param schema the keys it may have
     * @throws ConfigException if it has others
     */
    public Section root(Schema schema) {
        return root.section(schema);
    }

    /**
     * {@return what a reader makes of the whole}. All that is refused is told at once, not only the first: what the schema refuses,
     * and what the reader does, as far as {@link Section#get}, {@link Section#change} and {@link Section#attempt} go on.
     *
     * @param <T> what it makes
     * @param schema the keys it may have
     * @param reader reads it; what it makes is dropped if anything was refused
     * @throws ConfigException if anything is refused; each line of its message is one mistake
     */
    public <T> T read(Schema schema, Function<Section, T> reader) {
        reading.collect();
        Kinds.section(schema).check(root, reading::refuse);
        Optional<T> read = Optional.empty();
        try {
            read = Optional.of(reader.apply(root.section(schema)));
        } catch (ConfigException e) {
            reading.refuse(e);
        }
        if (!reading.refused().isEmpty()) {
            throw ConfigException.ofAll(reading.refused());
        }
        return read.orElseThrow();
    }

    /** {@return what was asked for so far, as it holds and with where it was set} */
    public List<Effective> effective() {
        return reading.effective();
    }
}
