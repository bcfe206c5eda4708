package dev.holdfast.routing.internal.route;

import java.time.Duration;

/** Durations as numbers to compare. */
public final class Nanos {
    private Nanos() {}

    /** A duration of any length in nanoseconds, not negative. */
    public static double of(Duration duration) {
        return Math.max(0, duration.getSeconds() * 1e9 + duration.getNano());
    }
}
