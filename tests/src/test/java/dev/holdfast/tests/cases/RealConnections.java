package dev.holdfast.tests.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.Headers;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World;
import dev.holdfast.transport.JdkTransport;

/** A case that is about connections, so on real ones: every call fails once with a large body, and is then answered. */
final class RealConnections {
    private static final int CALLS = 200;
    private static final Bytes LARGE = Bytes.utf8("x".repeat(64 * 1024));

    private RealConnections() {}

    static void play(Case one) {
        Reply overloaded = Reply.of(503, Headers.of("Content-Type", "text/plain"), LARGE);
        FaultScript everyOther =
                FaultScript.answering(request -> request.number() % 2 == 1 ? overloaded : Reply.completion("ok"));
        try (FaultyProvider provider = FaultyProvider.start(everyOther);
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Endpoint.builder("p1", provider.baseUrl())
                                .credential(Credential.of("sk-test"))
                                .build())
                        .transport(new JdkTransport())
                        .discovery(false)
                        .retry(Setting.policy(one.config())
                                .withBackoff(Backoff.immediate())
                                .withoutBudget())
                        .build()) {
            for (int i = 0; i < CALLS; i++) {
                assertThat(client.call(World.request()).attempts()).hasSize(2);
            }
            assertThat(provider.requests()).hasSize(2 * CALLS);
            assertThat(provider.connectionsOpen())
                    .isLessThanOrEqualTo(
                            one.expect().path("connections_open_at_end_max").asInt());
            assertThat(provider.connectionsOpened())
                    .isLessThanOrEqualTo(
                            one.expect().path("connections_open_at_end_max").asInt());
        }
    }
}
