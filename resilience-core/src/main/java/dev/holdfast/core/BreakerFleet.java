package dev.holdfast.core;

import dev.holdfast.core.internal.breaker.Fleet;
import dev.holdfast.spi.BreakerStore;
import dev.holdfast.spi.Timekeeper;

/**
 * Lets breakers of several clients, in one process or many, share what they find out by a {@link BreakerStore}: when one opens,
 * all open; when the open time is over, one of them probes and the others wait for its word; when that one closes, all
 * close. A client that was built with {@link ClientBuilder#breakerStore} does this by itself; this class does it for breakers
 * that are used alone.
 *
 * <pre>{@code
 * var fleet = BreakerFleet.of(store, Timekeeper.system());
 * var breaker = CircuitBreaker.of("search", BreakerPolicy.defaults(), Timekeeper.system());
 * fleet.join(breaker);
 * }</pre>
 *
 * <p>Transitions are shared, samples are not. What is ordered by hand is not shared either, but a reset is, since it closes.
 * The store is asked by a thread of its own. Only the first probe after an open time asks it on a call's thread, for at most
 * 50 ms; a store that does not answer by then, or fails, leaves each breaker to itself, which one line of log says, and is
 * asked again until it answers. Safe for use by any number of threads.
 */
public final class BreakerFleet implements AutoCloseable {
    private final Fleet fleet;

    private BreakerFleet(BreakerStore store, Timekeeper timekeeper) {
        this.fleet = new Fleet(store, timekeeper);
    }

    /**
     * {@return a fleet that no breaker has joined yet}
     *
     * @param store where transitions are shared; not closed with the fleet, since others may use it
     * @param timekeeper time and threads
     */
    public static BreakerFleet of(BreakerStore store, Timekeeper timekeeper) {
        return new BreakerFleet(store, timekeeper);
    }

    /**
     * Lets a breaker share its transitions with those of its name. Returns at once; what the others know is heard soon after.
     *
     * @param breaker the breaker; it joins one fleet at most
     * @return ends the sharing; the breaker goes on by itself
     */
    public Membership join(CircuitBreaker breaker) {
        return fleet.join(breaker.name(), breaker.machine)::close;
    }

    /** Every breaker goes on by itself. The store stays open. */
    @Override
    public void close() {
        fleet.close();
    }

    /** A breaker's part in a fleet. */
    @FunctionalInterface
    public interface Membership extends AutoCloseable {
        /** Ends it. Does nothing the second time. */
        @Override
        void close();
    }
}
