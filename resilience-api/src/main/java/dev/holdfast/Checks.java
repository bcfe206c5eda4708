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

    /** What may stand in an HTTP header field: visible ASCII and blanks within. The value is not told, it may be secret. */
    static void headerValue(String name, String value) {
        boolean fits = value.chars().allMatch(c -> c >= 0x20 && c <= 0x7E) && value.equals(value.strip());
        if (value.isEmpty() || !fits || value.length() > 8_192) {
            throw new IllegalArgumentException(name + ": cannot stand in an HTTP header (expected: visible ASCII)");
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
