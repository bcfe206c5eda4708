package dev.holdfast.core.internal.breaker;

import org.jspecify.annotations.Nullable;

/**
 * The calls of one generation that a breaker looks at; it goes with its generation, and what is counted too late goes with it. Any number of threads may use it; nothing
 * blocks or loses a call.
 */
public sealed interface SampleWindow permits CallWindow, TimeWindow, FailureRow {
    /** {@return what the window holds with this call, if that is too much; null if all is well, which allocates nothing} */
    @Nullable
    Sums record(boolean failed, boolean slow, long nowNanos);

    /** {@return what the window holds} */
    Sums sums(long nowNanos);

    /** {@return failures since the last success, where that is what it counts} */
    default int failuresInARow() {
        return 0;
    }
}
