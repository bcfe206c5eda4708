package dev.holdfast.core.config;

import java.util.Optional;

/**
 * A setting as it holds.
 *
 * @param path the way to it: {@code retry.max-attempts}
 * @param text its value as written, variables not filled in; {@code (hidden)} for keys
 * @param place where it was set; empty where nothing was and the usual value holds
 */
public record Effective(String path, String text, Optional<Place> place) {
    /** {@return one line: {@code retry.max-attempts = 4  (holdfast.yaml:12)}} */
    @Override
    public String toString() {
        return path + " = " + text + "  (" + place.map(Place::toString).orElse("default") + ")";
    }
}
