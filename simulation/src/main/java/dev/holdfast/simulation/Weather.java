package dev.holdfast.simulation;

import java.time.Duration;

/**
 * What a provider does to a request that comes at some time. A {@link SimulatedTransport} plays it.
 *
 * <p>Called once for each attempt, in the order of their times; may keep state. Not called by two threads at once on
 * {@link VirtualTime}.
 */
@FunctionalInterface
public interface Weather {
    /**
     * {@return what the provider answers, and how long it takes for it}
     *
     * @param request the request as the provider received it
     * @param at when it came, from the beginning of the simulation
     */
    Reply reply(ProviderRequest request, Duration at);

    /**
     * {@return weather that keeps to a script, whatever the time}
     *
     * @param script the script
     */
    static Weather of(FaultScript script) {
        return (request, at) -> script.reply(request);
    }
}
