package dev.holdfast.core;

import dev.holdfast.Target;
import dev.holdfast.core.internal.call.CallEngine;
import dev.holdfast.core.internal.control.ControlBean;
import dev.holdfast.core.internal.control.ControlBoard;
import dev.holdfast.core.internal.control.ControlBoard.Capped;
import dev.holdfast.core.internal.control.ControlBoard.Drained;
import dev.holdfast.core.internal.control.ControlBoard.Isolated;
import dev.holdfast.core.internal.control.ControlBoard.SwitchedOff;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Steers a client while it runs: keeps calls away from a target or an endpoint, switches features off, lets fewer calls in.
 *
 * <pre>{@code
 * client.control().isolate("openai-eu", Duration.ofMinutes(15));
 * }</pre>
 *
 * <p>Every order ends by itself, so that none is forgotten. Each is logged as a warning, told to listeners as a
 * {@link dev.holdfast.CallEvent.ControlChanged}, and counted. Orders concern calls that look afterwards: an attempt that is on its way
 * goes on. They are this client's own and are neither kept nor shared. Safe for use by any number of threads.
 */
public final class ClientControl {
    private static final Duration LONGEST = Duration.ofDays(365);

    private final CallEngine engine;
    private final ControlBoard board;

    ClientControl(CallEngine engine) {
        this.engine = engine;
        this.board = engine.board();
    }

    /** What can be switched off. */
    public enum Feature {
        /** Another attempt on the same target. */
        RETRY,
        /** Another model. */
        FALLBACK,
        /** A second attempt in parallel. */
        HEDGE,
        /** Replaying and storing answers. */
        CACHE
    }

    /**
     * An order that holds now.
     *
     * @param order what was ordered, in words
     * @param remaining how long it goes on to hold
     */
    public record StandingOrder(String order, Duration remaining) {}

    /**
     * Lets a target's breaker reject everything for a while; then it is as its policy says.
     *
     * @param target a model on an endpoint
     * @param lasting how long, above zero, at most 365 days
     * @throws IllegalArgumentException if the client has no such endpoint, or the target no breaker
     */
    public void forceOpen(Target target, Duration lasting) {
        breaker(target).forceOpen(checked(lasting));
        board.told("breaker of " + target + " is forced open for " + lasting.toMillis() + " ms");
    }

    /**
     * Lets a target's breaker admit everything and count nothing for a while; then it is as its policy says.
     *
     * @param target a model on an endpoint
     * @param lasting how long, above zero, at most 365 days
     * @throws IllegalArgumentException if the client has no such endpoint, or the target no breaker
     */
    public void disable(Target target, Duration lasting) {
        breaker(target).disable(checked(lasting));
        board.told("breaker of " + target + " is disabled for " + lasting.toMillis() + " ms");
    }

    /**
     * Makes a target's breaker forget everything, also what was ordered.
     *
     * @param target a model on an endpoint
     * @throws IllegalArgumentException if the client has no such endpoint, or the target no breaker
     */
    public void reset(Target target) {
        breaker(target).reset();
        board.told("breaker of " + target + " is reset");
    }

    private CircuitBreaker breaker(Target target) {
        known(target.endpoint());
        return engine.breakers()
                .of(target)
                .orElseThrow(() -> new IllegalArgumentException(
                        "target " + target + ": has no breaker (expected: one; isolate its endpoint instead)"));
    }

    /**
     * Sends nothing to an endpoint for a while. Calls go to others; those that have no other fail with the kind {@code OUT_OF_SERVICE}.
     *
     * @param endpoint its name
     * @param lasting how long, above zero, at most 365 days
     * @throws IllegalArgumentException if the client has no such endpoint
     */
    public void isolate(String endpoint, Duration lasting) {
        board.give(new Isolated(known(endpoint)), 0, checked(lasting));
    }

    /**
     * Lets no call begin on an endpoint for a while. A call that was there before may try again there.
     *
     * @param endpoint its name
     * @param lasting how long, above zero, at most 365 days
     * @throws IllegalArgumentException if the client has no such endpoint
     */
    public void drain(String endpoint, Duration lasting) {
        board.give(new Drained(known(endpoint)), 0, checked(lasting));
    }

    /**
     * Ends what was ordered of an endpoint. Does nothing if nothing was.
     *
     * @param endpoint its name
     * @throws IllegalArgumentException if the client has no such endpoint
     */
    public void restore(String endpoint) {
        board.end(new Isolated(known(endpoint)));
        board.end(new Drained(endpoint));
    }

    /**
     * {@return how long no call may begin at an endpoint, since it is isolated or drained; empty if one may}
     *
     * @param endpoint its name
     */
    public Optional<Duration> closedFor(String endpoint) {
        return board.closedFor(endpoint, true);
    }

    /**
     * Switches a feature off for a while, for calls that begin from now on.
     *
     * @param feature which
     * @param lasting how long, above zero, at most 365 days
     */
    public void switchOff(Feature feature, Duration lasting) {
        board.give(new SwitchedOff(feature), 0, checked(lasting));
    }

    /**
     * Switches a feature on again. Does nothing if it is on.
     *
     * @param feature which
     */
    public void switchOn(Feature feature) {
        board.end(new SwitchedOff(feature));
    }

    /**
     * {@return whether a feature is not switched off; whether a call uses it is for its options and the client's policies to say}
     *
     * @param feature which
     */
    public boolean isOn(Feature feature) {
        return !board.isOff(feature);
    }

    /**
     * Lets fewer calls in than the client was built for, for a while. Those in flight go on.
     *
     * @param most how many may be in flight, at least 0; none begins at 0
     * @param lasting how long, above zero, at most 365 days
     */
    public void capCalls(int most, Duration lasting) {
        if (most < 0) {
            throw new IllegalArgumentException("most: " + most + " (expected: >= 0)");
        }
        board.give(new Capped(), most, checked(lasting));
    }

    /** Lets as many calls in as the client was built for. Does nothing if it does. */
    public void uncapCalls() {
        board.end(new Capped());
    }

    /** {@return what there is to see of every breaker that was asked so far, by name} */
    public List<CircuitBreaker.Status> breakers() {
        return engine.breakers().statuses();
    }

    /** {@return the orders that hold now, but for those of breakers, whose states say so} */
    public List<StandingOrder> orders() {
        return board.standing();
    }

    /** {@return how many orders were given since the client was built} */
    public long ordersGiven() {
        return board.given();
    }

    /** {@return how many calls are in flight} */
    public int callsInFlight() {
        return engine.callsInFlight();
    }

    /**
     * Registers this control with the platform's JMX server as {@code dev.holdfast:type=ResilientClient,name="…"}, until the
     * client is closed. Needs the module {@code java.management}.
     *
     * @param name tells this client from others in the process
     * @throws IllegalStateException if there is one of that name, or the client is closed
     */
    public void register(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: blank (expected: a name)");
        }
        engine.whenClosed(ControlBean.register(this, name));
    }

    private String known(String endpoint) {
        engine.requireEndpoint(endpoint);
        return endpoint;
    }

    private static Duration checked(Duration lasting) {
        if (!lasting.isPositive() || lasting.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("lasting: " + lasting + " (expected: > 0, at most " + LONGEST + ")");
        }
        return lasting;
    }

    /** {@return the orders that hold} */
    @Override
    public String toString() {
        return "ClientControl" + orders();
    }
}
