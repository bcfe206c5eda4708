package dev.holdfast.spi;

import dev.holdfast.BreakerState;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Shares the transitions of breakers between clients. The state machine is the client's own: a store only keeps
 * snapshots. Keys are names of targets; generations are any 64-bit numbers but 0.
 *
 * <p>Called off the call's path by a thread of the client, and on it only to win a probe for the whole fleet. It may
 * throw any unchecked exception: the client then goes on with its own state. It should answer within 50 ms.
 */
public interface BreakerStore extends AutoCloseable {
    /**
     * {@return the shared snapshot, else empty}
     *
     * @param key whose breaker
     */
    Optional<BreakerSnapshot> load(String key);

    /**
     * Replaces the snapshot if it is still the expected one. Of several who expect the same one, whatever client they belong
     * to, one wins.
     *
     * @param key whose breaker
     * @param expectedGeneration the generation of the snapshot that is replaced; 0 for none
     * @param next the new snapshot
     * @return whether it was replaced
     */
    boolean compareAndSet(String key, long expectedGeneration, BreakerSnapshot next);

    /**
     * Hears of later changes of the key, on a thread of the store, in their order. Of several changes in a short time a store may
     * tell the last only; it must tell that one, also after it was out of reach for a while.
     *
     * @param key whose breaker
     * @param listener takes the new snapshot; must not throw
     * @return ends the watch
     */
    Watch watch(String key, Consumer<BreakerSnapshot> listener);

    /** Frees what the store holds. */
    @Override
    default void close() {}

    /** A watch that can be ended. */
    @FunctionalInterface
    interface Watch extends AutoCloseable {
        /** Ends the watch. Does nothing the second time. */
        @Override
        void close();
    }

    /**
     * The part of a breaker's state that is shared: transitions, never samples.
     *
     * @param state the state
     * @param generation a unique number of this transition, never 0
     * @param remainingOpen how long it stays open from now, by the store's clock; zero unless open
     * @param openings how often it opened in a row without closing
     */
    record BreakerSnapshot(BreakerState state, long generation, Duration remainingOpen, int openings) {}
}
