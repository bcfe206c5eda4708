package dev.holdfast.cache.internal.flight;

import dev.holdfast.spi.ContextCarrier;
import dev.holdfast.spi.ContextCarrier.Captured;
import dev.holdfast.spi.ContextCarrier.Restored;
import java.util.List;
import java.util.function.Supplier;

/** What the leader's thread held, for the thread that flies. */
public record Baggage(List<Captured> captured) {
    /** Captures what the calling thread holds now. */
    public static Baggage capture(List<ContextCarrier> carriers) {
        return new Baggage(carriers.stream().map(ContextCarrier::capture).toList());
    }

    /** Runs the body with everything restored, in order, and taken away again in the other. */
    public <T> T carry(Supplier<T> body) {
        return carry(0, body);
    }

    private <T> T carry(int from, Supplier<T> body) {
        if (from == captured.size()) {
            return body.get();
        }
        try (Restored restored = captured.get(from).restore()) {
            return carry(from + 1, body);
        }
    }
}
