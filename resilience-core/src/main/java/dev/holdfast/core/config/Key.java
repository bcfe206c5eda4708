package dev.holdfast.core.config;

import java.util.Optional;

/**
 * A setting's name, what it takes and what it means. One declaration reads the setting, refuses what does not fit, documents it
 * and stands in the JSON Schema. Immutable.
 *
 * @param <T> what its value is in the program
 * @param name the name in the file: {@code max-attempts}
 * @param kind what it takes
 * @param meaning what it means, in a few words
 * @param usual what holds where it is not set, as one would write it; empty for nothing
 */
public record Key<T>(String name, Kind<T> kind, String meaning, Optional<String> usual) {
    /**
     * {@return a key without a usual value}
     *
     * @param <T> what its value is in the program
     * @param name the name in the file
     * @param kind what it takes
     * @param meaning what it means, in a few words
     */
    public static <T> Key<T> of(String name, Kind<T> kind, String meaning) {
        return new Key<>(name, kind, meaning, Optional.empty());
    }

    /**
     * {@return this key with what holds where it is not set}
     *
     * @param text as one would write it
     */
    public Key<T> usually(String text) {
        return new Key<>(name, kind, meaning, Optional.of(text));
    }
}
