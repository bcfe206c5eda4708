package dev.holdfast.spi;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks an endpoint whether it is well.
 *
 * <p>Called off the call's path, by one thread for each endpoint, at the configured interval while calls use the endpoint and none
 * of them has just shown that it is well. May block up to the timeout; an exception counts as a failed probe.
 */
@FunctionalInterface
public interface HealthProbe {
    /**
     * {@return what was seen}
     *
     * @param request whom to ask
     * @throws InterruptedException if the thread was interrupted, as it is when the client closes
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
     * @param healthy whether the endpoint lives; one that refuses a key or has reached a limit lives
     * @param took how long it took
     * @param detail words for people, without keys
     * @param kind what was wrong, if anything, also with one that lives: {@link FailureKind#AUTH} marks it as misconfigured,
     *     {@link FailureKind#RATE_LIMITED} as limited; empty for nothing, or for a failure of no known kind
     */
    record ProbeResult(boolean healthy, Duration took, String detail, Optional<FailureKind> kind) {
        /**
         * A result without a kind.
         *
         * @param healthy whether the endpoint lives
         * @param took how long it took
         * @param detail words for people, without keys
         */
        public ProbeResult(boolean healthy, Duration took, String detail) {
            this(healthy, took, detail, Optional.empty());
        }
    }
}
