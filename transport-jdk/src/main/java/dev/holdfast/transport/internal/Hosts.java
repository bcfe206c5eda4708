package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.util.concurrent.ConcurrentHashMap;

/** The lines before every origin. Bounded: past the bound those at which nobody stands are dropped. */
final class Hosts {
    private static final int MANY = 1_000;

    private final ConcurrentHashMap<Origin, Host> hosts = new ConcurrentHashMap<>();
    private final int maxConnections;
    private final int maxStreams;

    Hosts(int maxConnections, int maxStreams) {
        this.maxConnections = maxConnections;
        this.maxStreams = maxStreams;
    }

    /** Waits for a place at the origin; whoever gets it leaves the gate again. */
    Gate enter(Origin origin, boolean multiplexed, long waitNanos) throws TransportException, InterruptedException {
        while (true) {
            Gate gate = host(origin).gate(multiplexed);
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

    private Host host(Origin origin) {
        Host known = hosts.get(origin);
        if (known != null) {
            return known;
        }
        if (hosts.size() >= MANY) {
            hosts.values().removeIf(Host::retire);
        }
        return hosts.computeIfAbsent(origin, absent -> new Host(maxConnections, maxStreams));
    }

    int size() {
        return hosts.size();
    }
}
