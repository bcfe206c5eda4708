package dev.holdfast;

import java.time.Duration;

/** Argument checks whose messages say name, value and expectation. */
final class Checks {
    private Checks() {}

    static void notBlank(String name, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(name + ": blank (expected: a name)");
        }
    }

    static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
        }
    }

    static void notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 0)");
        }
    }
}
