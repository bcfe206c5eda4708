package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.SimulatedTransport;
import dev.holdfast.simulation.VirtualTime;
import dev.holdfast.simulation.Weather;
import dev.holdfast.spi.HealthProbe;
import dev.holdfast.spi.HealthProbe.ProbeRequest;
import dev.holdfast.spi.HealthProbe.ProbeResult;
import dev.holdfast.spi.Timekeeper;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What every {@link HealthProbe} that asks by the transport it is given must do, against a simulated endpoint on virtual time: tell
 * life from death, keep to its timeout, end when it is interrupted, leave nothing open and say no key. Extend it and say what is to
 * be tested.
 */
public abstract class HealthProbeContract {
    private static final String KEY = "sk-test-0123456789abcdef0123456789abcdef";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final VirtualTime time = new VirtualTime();

    /** For subclasses. */
    protected HealthProbeContract() {}

    /**
     * {@return the probe}
     *
     * @param time what tells it how long something takes
     */
    protected abstract HealthProbe probe(Timekeeper time);

    /** {@return what a healthy endpoint answers to it; {@link FaultScript#healthy()} unless overridden} */
    protected FaultScript healthy() {
        return FaultScript.healthy();
    }

    private ProbeResult ask(FaultScript script) {
        var transport = new SimulatedTransport(time, Weather.of(script));
        ProbeResult result;
        try {
            result = time.call(() -> probe(time).probe(request(transport)));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(transport.open()).as("exchanges left open").isZero();
        assertThat(result.took()).isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(result.detail()).doesNotContain(KEY);
        return result;
    }

    private static ProbeRequest request(SimulatedTransport transport) {
        Endpoint endpoint = Endpoint.builder("probed", URI.create("https://probed.test/v1"))
                .credential(Credential.of(KEY))
                .build();
        return new ProbeRequest(endpoint, Optional.of(endpoint.credentials().getFirst()), transport, TIMEOUT);
    }

    /** What answers as it should is healthy, and nothing is said against it. */
    @Test
    protected void aHealthyEndpointIsHealthy() {
        ProbeResult result = ask(healthy());
        assertThat(result.healthy()).as(result.toString()).isTrue();
        assertThat(result.kind()).isEmpty();
    }

    /** An error of the server is none of ours. */
    @Test
    protected void anErrorOfTheServerIsUnhealthy() {
        assertThat(ask(FaultScript.always(Reply.status(500))).healthy()).isFalse();
        assertThat(ask(FaultScript.always(Reply.status(503))).healthy()).isFalse();
    }

    /** A lost connection is unhealthy. */
    @Test
    protected void aLostConnectionIsUnhealthy() {
        assertThat(ask(FaultScript.always(Reply.reset())).healthy()).isFalse();
    }

    /** Silence is unhealthy, and found out within the timeout. */
    @Test
    protected void silenceIsUnhealthyWithinTheTimeout() {
        ProbeResult result = ask(FaultScript.always(Reply.hang()));
        assertThat(result.healthy()).as(result.toString()).isFalse();
        assertThat(time.elapsed()).isLessThanOrEqualTo(TIMEOUT.plusMillis(100));
    }

    /** Who refuses a key lives. */
    @Test
    protected void aRefusedKeyIsToldFromDeath() {
        ProbeResult result = ask(FaultScript.always(Reply.status(401)));
        assertThat(result.healthy()).as(result.toString()).isTrue();
        assertThat(result.kind()).contains(FailureKind.AUTH);
    }

    /** An interrupt ends it. */
    @Test
    protected void anInterruptEndsIt() {
        var transport = new SimulatedTransport(time, Weather.of(FaultScript.always(Reply.hang())));
        assertThatThrownBy(() -> time.run(() -> {
                    Thread probing = Thread.currentThread();
                    time.start("holdfast-test-interrupt", probing::interrupt);
                    probe(time).probe(request(transport));
                }))
                .isInstanceOf(InterruptedException.class);
    }
}
