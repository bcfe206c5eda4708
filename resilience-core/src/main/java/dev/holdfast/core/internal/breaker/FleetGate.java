package dev.holdfast.core.internal.breaker;

import dev.holdfast.spi.BreakerStore.BreakerSnapshot;
import java.time.Duration;

/** Where a breaker shares its state with those of other clients. */
public interface FleetGate {
    /** How long a call waits for the fleet's word before it probes by itself. */
    Duration PATIENCE = Duration.ofMillis(50);

    /** A breaker of its own. */
    FleetGate ALONE = new FleetGate() {
        @Override
        public boolean mayProbe(BreakerSnapshot halfOpen) {
            return true;
        }

        @Override
        public void moved() {}

        @Override
        public boolean isShared() {
            return false;
        }
    };

    /**
     * Asks, for at most {@link #PATIENCE}, whether this client is the one that probes. Where another one is, its state has been
     * heard before this returns.
     */
    boolean mayProbe(BreakerSnapshot halfOpen);

    /** There is a transition to share; returns at once. */
    void moved();

    /** A probe of this client begins; returns at once. */
    default void probes() {}

    /** {@return whether there is anyone to ask} */
    default boolean isShared() {
        return true;
    }
}
