package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lines before every origin: one for connections of HTTP/1.1 and one for streams of HTTP/2. Bounded: past the bound those at which
 * nobody stands are dropped, each by itself.
 */
final class Hosts {
    private static final int MANY = 1_000;

    private final ConcurrentHashMap<Line, Gate> gates = new ConcurrentHashMap<>();
    private final int maxConnections;
    private final int maxStreams;

    private record Line(Origin origin, boolean multiplexed) {}

    Hosts(int maxConnections, int maxStreams) {
        this.maxConnections = maxConnections;
        this.maxStreams = maxStreams;
    }

    /** Waits for a place at the origin; whoever gets it leaves the gate again. */
    Gate enter(Origin origin, boolean multiplexed, long waitNanos) throws TransportException, InterruptedException {
        var line = new Line(origin, multiplexed);
        while (true) {
            Gate gate = gate(line);
            switch (gate.enter(waitNanos)) {
                case IN -> {
                    return gate;
                }
                case LATE -> throw full(multiplexed);
                case GONE, ALONE -> {}
            }
        }
    }

    static TransportException full(boolean multiplexed) {
        String what = multiplexed ? "stream" : "connection";
        return new TransportException(
                Fault.POOL, Delivery.NEVER_SENT, "no " + what + " to the host became free in time", null);
    }

    private Gate gate(Line line) {
        Gate known = gates.get(line);
        if (known != null) {
            return known;
        }
        if (gates.size() >= MANY) {
            gates.values().removeIf(Gate::closeIfIdle);
        }
        return gates.computeIfAbsent(line, this::make);
    }

    private Gate make(Line line) {
        return line.multiplexed() ? Gate.ofStreams(maxStreams) : Gate.ofConnections(maxConnections);
    }

    int size() {
        return gates.size();
    }
}
