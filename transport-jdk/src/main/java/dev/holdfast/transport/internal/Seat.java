package dev.holdfast.transport.internal;

import dev.holdfast.spi.TransportException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** What one exchange takes up: a place at the gate of its origin and a use of the client. Given back once, by whoever is first. */
final class Seat {
    private final Gate gate;
    private final Generation generation;
    private final boolean multiplexed;
    private final AtomicBoolean left = new AtomicBoolean();

    Seat(Gate gate, Generation generation, boolean multiplexed) {
        this.gate = gate;
        this.generation = generation;
        this.multiplexed = multiplexed;
    }

    Generation generation() {
        return generation;
    }

    boolean multiplexed() {
        return multiplexed;
    }

    /** The connection stands, so that others may share it. */
    void connected() {
        if (multiplexed) {
            gate.warmedUp();
        }
    }

    void leave() {
        if (left.compareAndSet(false, true)) {
            gate.leave();
            generation.leave();
        }
    }

    /** A seat instead of this one, at the head of the line; empty, and this one is kept, if nobody's leaving would make room. */
    Optional<Seat> again(long waitNanos) throws TransportException, InterruptedException {
        Gate.Entry entry = Gate.Entry.LATE;
        try {
            entry = gate.turnedAway(waitNanos);
        } finally {
            if (entry != Gate.Entry.ALONE && left.compareAndSet(false, true) && entry != Gate.Entry.IN) {
                generation.leave();
            }
        }
        return switch (entry) {
            case IN -> Optional.of(new Seat(gate, generation, multiplexed));
            case ALONE -> Optional.empty();
            case LATE, GONE -> throw Hosts.full(multiplexed);
        };
    }
}
