package dev.holdfast.core.config;

/**
 * Where something stands in a configuration.
 *
 * @param source the file, or what else it was read from
 * @param line the line, from 1
 */
public record Place(String source, int line) {
    /** {@return as editors and compilers write it: {@code holdfast.json:12}} */
    @Override
    public String toString() {
        return source + ":" + line;
    }
}
