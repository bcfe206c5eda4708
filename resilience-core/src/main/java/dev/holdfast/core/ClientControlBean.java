package dev.holdfast.core;

import java.util.Map;
import javax.management.MXBean;

/**
 * What {@link ClientControl} offers, for JMX consoles: durations in seconds, names as text. Registered by
 * {@link ClientControl#register} under {@code dev.holdfast:type=ResilientClient,name="…"}.
 */
@MXBean
public interface ClientControlBean {
    /** {@return the breakers that were asked so far, by target, in words} */
    Map<String, String> getBreakers();

    /** {@return the orders that stand, in words} */
    String[] getOrders();

    /** {@return how many orders were given} */
    long getOrdersGiven();

    /** {@return how many calls are in flight} */
    int getCallsInFlight();

    /**
     * Lets a target's breaker reject everything for a while.
     *
     * @param model the model
     * @param endpoint the endpoint
     * @param seconds how long, at least 1
     */
    void forceOpen(String model, String endpoint, long seconds);

    /**
     * Lets a target's breaker admit everything for a while.
     *
     * @param model the model
     * @param endpoint the endpoint
     * @param seconds how long, at least 1
     */
    void disable(String model, String endpoint, long seconds);

    /**
     * Resets a target's breaker.
     *
     * @param model the model
     * @param endpoint the endpoint
     */
    void reset(String model, String endpoint);

    /**
     * Sends nothing to an endpoint for a while.
     *
     * @param endpoint the endpoint
     * @param seconds how long, at least 1
     */
    void isolate(String endpoint, long seconds);

    /**
     * Lets no call begin on an endpoint for a while.
     *
     * @param endpoint the endpoint
     * @param seconds how long, at least 1
     */
    void drain(String endpoint, long seconds);

    /**
     * Ends what was ordered of an endpoint.
     *
     * @param endpoint the endpoint
     */
    void restore(String endpoint);

    /**
     * Switches a feature off for a while.
     *
     * @param feature retry, fallback, hedge or cache
     * @param seconds how long, at least 1
     */
    void switchOff(String feature, long seconds);

    /**
     * Switches a feature on again.
     *
     * @param feature retry, fallback, hedge or cache
     */
    void switchOn(String feature);

    /**
     * Lets fewer calls in for a while.
     *
     * @param most how many may be in flight
     * @param seconds how long, at least 1
     */
    void capCalls(int most, long seconds);

    /** Lets as many calls in as the client was built for. */
    void uncapCalls();
}
