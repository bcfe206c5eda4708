package dev.holdfast.core;

import java.time.Duration;

/** How long somebody is ready to wait: not less than not at all, and never so long that a clock's nanoseconds overflow. */
final class Patience {
    static final Duration LONGEST = Duration.ofDays(365);

    private Patience() {}

    static long nanos(Duration duration) {
        if (duration.isNegative()) { // by however much
            return 0;
        }
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
    }
}
