package dev.holdfast.core.internal.call;

import dev.holdfast.Target;
import dev.holdfast.core.internal.latency.LatencyHistogram;
import dev.holdfast.core.internal.registry.BoundedRegistry;
import dev.holdfast.spi.Timekeeper;
import java.util.Map;

/** How long each target took lately: to answer as a whole, and to begin a stream. */
final class Latencies {
    private static final int MOST_TARGETS = 1_000;

    private final BoundedRegistry<Target, LatencyHistogram> whole;
    private final BoundedRegistry<Target, LatencyHistogram> begun;

    Latencies(Timekeeper time) {
        this.whole = new BoundedRegistry<>(MOST_TARGETS, target -> new LatencyHistogram(time));
        this.begun = new BoundedRegistry<>(MOST_TARGETS, target -> new LatencyHistogram(time));
    }

    LatencyHistogram of(Target target, boolean streaming) {
        return (streaming ? begun : whole).get(target);
    }

    Map<Target, LatencyHistogram> whole() {
        return whole.snapshot();
    }

    Map<Target, LatencyHistogram> begun() {
        return begun.snapshot();
    }
}
