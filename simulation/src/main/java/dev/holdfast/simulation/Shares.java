package dev.holdfast.simulation;

/** Checks probabilities. */
final class Shares {
    private Shares() {}

    static void check(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 0 to 1)");
        }
    }
}
