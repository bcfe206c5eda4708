package dev.holdfast.tests.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.HealthStatus;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.Secret;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.ProbePolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.AfterOther;
import dev.holdfast.transport.JdkTransport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The weather of three regions in short, on real sockets: what the regions see, and that the client learns of it. */
class RegionsOverSocketsTest {
    private static final Duration SOON = Duration.ofSeconds(3);
    private static final String KEY = Regions.keyOf(Region.US);
    private static final ModelRequest REQUEST =
            ModelRequest.chat("gpt-4.1").user("Name three rivers.").build();

    private final ConcurrentLinkedQueue<CallEvent> events = new ConcurrentLinkedQueue<>();

    /** What a region does now; may change while it serves. */
    private static final class Sky {
        private final AtomicReference<Reply> reply = new AtomicReference<>(Reply.completion("ok"));

        FaultScript script() {
            return FaultScript.answering(request -> reply.get());
        }
    }

    @Test
    void aRegionThatGoesDarkIsLeftAloneAndReturnsByItsProbes() throws InterruptedException {
        var sky = new Sky();
        try (FaultyProvider us = FaultyProvider.start(sky.script());
                FaultyProvider eu = FaultyProvider.start();
                FaultyProvider ap = FaultyProvider.start();
                ResilientClient client = client(us, eu, ap)
                        .timeout(SOON)
                        .probes(ProbePolicy.defaults()
                                .withInterval(Duration.ofMillis(200))
                                .withTimeout(SOON))
                        .healthPolicy(HealthPolicy.defaults().withDegraded(Duration.ofSeconds(30), 1))
                        .build()) {
            // The first call of a JVM takes its time, and is not to be the region's fault.
            ModelResponse first = client.call(REQUEST, CallOptions.none().withTimeout(Duration.ofMinutes(2)));
            assertThat(first.endpoint()).contains("us");
            assertThat(calls(us)).isEqualTo(1);

            sky.reply.set(Reply.hang());
            for (int i = 0; i < 4; i++) {
                assertThat(call(client).endpoint()).contains("eu");
            }
            await(() -> standing(client) == HealthStatus.UNHEALTHY);
            long before = calls(us);
            for (int i = 0; i < 20; i++) {
                assertThat(call(client).attempts()).hasSize(1);
            }
            assertThat(calls(us))
                    .as("nobody waits for the dark region any more")
                    .isEqualTo(before);

            sky.reply.set(Reply.completion("back"));
            // Probes go on for ten intervals after the last call, so calls go on until it is back.
            await(() -> call(client).endpoint().isPresent() && standing(client) == HealthStatus.HEALTHY);
        }
    }

    private static HealthStatus standing(ResilientClient client) {
        return client.health().endpoints().getFirst().status();
    }

    private static long calls(FaultyProvider provider) {
        return provider.requests().stream()
                .filter(request -> request.method().equals("POST"))
                .count();
    }

    @Test
    void inABrownOutHedgesAnswerAndTheSlowExchangesAreEnded() throws InterruptedException {
        var sky = new Sky();
        try (FaultyProvider us = FaultyProvider.start(sky.script());
                FaultyProvider eu = FaultyProvider.start(AfterOther.script(us));
                FaultyProvider ap = FaultyProvider.start();
                ResilientClient client = client(us, eu, ap)
                        .hedge(HedgePolicy.after(Duration.ofMillis(100)).withBudget(1, 100))
                        .build()) {
            sky.reply.set(Reply.completion("slow").withDelay(Duration.ofSeconds(100)));
            for (int i = 0; i < 10; i++) {
                assertThat(call(client).endpoint()).contains("eu");
            }

            await(() -> us.connectionsOpen() == 0);
            assertThat(calls(us)).isEqualTo(10);
            assertThat(us.answers()).isZero();
            assertThat(count(CallEvent.Hedged.class)).isEqualTo(20);
        }
    }

    @Test
    void aRevokedKeyIsSetAsideAndTheOtherKeyOfTheRegionServes() {
        FaultScript choosy = FaultScript.answering(
                request -> request.headers().first("Authorization").orElse("").endsWith(KEY)
                        ? Reply.error(401, "invalid_request_error", "invalid_api_key", "revoked")
                        : Reply.completion("ok"));
        try (FaultyProvider us = FaultyProvider.start(choosy);
                FaultyProvider eu = FaultyProvider.start();
                FaultyProvider ap = FaultyProvider.start();
                ResilientClient client = client(us, eu, ap).build()) {
            for (int i = 0; i < 10; i++) {
                assertThat(call(client).endpoint()).contains("us");
            }

            assertThat(calls(us)).as("the revoked key is tried once").isEqualTo(11);
            assertThat(client.health().isReady()).isTrue();
        }
    }

    private static ModelResponse call(ResilientClient client) {
        return client.call(REQUEST);
    }

    private long count(Class<? extends CallEvent> type) {
        return events.stream().filter(type::isInstance).count();
    }

    private ClientBuilder client(FaultyProvider us, FaultyProvider eu, FaultyProvider ap) {
        ClientBuilder builder = ResilientClient.builder()
                .transport(new JdkTransport())
                .endpointPolicy(EndpointPolicy.failover())
                .timeout(Duration.ofMinutes(2))
                .closeGrace(Duration.ofMillis(50))
                .listener(events::add)
                .discovery(false)
                .logging(false);
        List<FaultyProvider> providers = List.of(us, eu, ap);
        for (Region region : Region.values()) {
            builder.endpoint(Endpoint.builder(
                            region.endpoint(), providers.get(region.ordinal()).baseUrl())
                    .credential(Credential.of(Regions.keyOf(region)))
                    .credential(new Credential("spare", Secret.of(Regions.keyOf(region) + "-new")))
                    .build());
        }
        return builder;
    }

    /** Waits for something that must happen, however long the machine takes for it. */
    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 10_000 && !condition.getAsBoolean(); i++) {
            Thread.sleep(10);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
