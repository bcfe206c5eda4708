package dev.holdfast.spi;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks an endpoint whether it is well.
 *
 * <p>Called off the call's path, by one thread for each endpoint, at the configured interval. May block up to the timeout; an
 * exception counts as a failed probe.
 */
@FunctionalInterface
public interface HealthProbe {
    /**
     * {@return what was seen}
     *
     * @param request whom to ask
     * @throws InterruptedException if the thread was interrupted
     */
    ProbeResult probe(ProbeRequest request) throws InterruptedException;

    /**
     * Whom to ask.
     *
     * @param endpoint the endpoint
     * @param credential the key; empty where the endpoint wants none
     * @param transport sends the request
     * @param timeout how long it may take
     */
    record ProbeRequest(Endpoint endpoint, Optional<Credential> credential, Transport transport, Duration timeout) {}

    /**
     * What was seen.
     *
     * @param healthy whether the endpoint answered as it should
     * @param took how long it took
     * @param detail words for people, without keys
     */
    record ProbeResult(boolean healthy, Duration took, String detail) {}
}
