package dev.holdfast.core.config;

import dev.holdfast.core.internal.config.Masks;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A configuration that cannot be used. Each line of the message is one mistake: it begins with file and line, names the key and says
 * what was expected. A secret is never part of it, nor anything that looks like one.
 */
public final class ConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient Place place;

    /**
     * Creates the exception.
     *
     * @param place where
     * @param problem what is wrong there and what was expected
     */
    public ConfigException(Place place, String problem) {
        this(place + ": " + Masks.hide(problem), place);
    }

    private ConfigException(String message, Place place) {
        super(message);
        this.place = place;
    }

    /** One that tells them all, a line for each in the order of the file, each once. */
    static ConfigException ofAll(Collection<ConfigException> all) {
        List<ConfigException> sorted = all.stream()
                .sorted(Comparator.comparingInt(each -> each.place().line()))
                .toList();
        String message = sorted.stream()
                .flatMap(each -> each.problems().stream())
                .distinct()
                .collect(Collectors.joining("\n"));
        return new ConfigException(message, sorted.getFirst().place());
    }

    /** {@return what is wrong, an element for each mistake, each with file and line} */
    public List<String> problems() {
        return String.valueOf(getMessage()).lines().toList();
    }

    /**
     * Creates the exception.
     *
     * @param place where
     * @param problem what is wrong there and what was expected
     * @param cause what found it
     */
    public ConfigException(Place place, String problem, Throwable cause) {
        super(place + ": " + Masks.hide(problem), cause);
        this.place = place;
    }

    /** {@return where} */
    public Place place() {
        return place;
    }
}
