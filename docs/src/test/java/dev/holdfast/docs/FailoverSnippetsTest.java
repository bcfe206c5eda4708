package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Adjustment;
import dev.holdfast.CallOptions;
import dev.holdfast.Endpoint;
import dev.holdfast.Explanation;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.RouteOrder;
import dev.holdfast.core.ClientPreset;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.HealthPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The snippets of docs/failover.md. */
class FailoverSnippetsTest {
    @Test
    void loadIsBalanced() {
        try (FaultyProvider east = FaultyProvider.start();
                FaultyProvider west = FaultyProvider.start()) {
            URI eastUrl = east.baseUrl();
            URI westUrl = west.baseUrl();
            // snippet: failover
            ResilientClient client = ResilientClient.builder()
                    .endpoint(Endpoint.builder("east", eastUrl).weight(3).build())
                    .endpoint(Endpoint.builder("west", westUrl).weight(1).build())
                    .endpointPolicy(EndpointPolicy.loadBalanced())
                    .build();
            // end
            try (client) {
                for (int i = 0; i < 40; i++) {
                    client.call(Local.request());
                }
            }
            assertThat(east.requests().size() + west.requests().size()).isEqualTo(40);
        }
    }

    @Test
    void aConversationKeepsItsEndpoint() {
        try (FaultyProvider east = FaultyProvider.start();
                FaultyProvider west = FaultyProvider.start();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Endpoint.builder("east", east.baseUrl()).build())
                        .endpoint(Endpoint.builder("west", west.baseUrl()).build())
                        .endpointPolicy(EndpointPolicy.loadBalanced())
                        .build()) {
            ModelRequest request = Local.request();
            // snippet: failover-affinity
            CallOptions conversation = CallOptions.none().withAffinityKey("conversation-7");
            ModelResponse response = client.call(request, conversation);
            // end
            for (int i = 0; i < 5; i++) {
                assertThat(client.call(request, conversation).endpoint()).isEqualTo(response.endpoint());
            }
        }
    }

    @Test
    void healthIsAPolicy() {
        // snippet: failover-health
        HealthPolicy policy = HealthPolicy.defaults()
                .withThresholds(5, 2)
                .withEjection(Duration.ofSeconds(10), Duration.ofMinutes(2))
                .withSlowStart(Duration.ofSeconds(20))
                .withUnreachableAtOnce(true);
        // end
        assertThat(policy.failureThreshold()).isEqualTo(5);
        assertThat(policy.longestEjection()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void aRequestIsFittedToTheModelThatGetsIt() {
        try (FaultyProvider big = FaultyProvider.start(FaultScript.always(Reply.status(503)));
                FaultyProvider small = FaultyProvider.start()) {
            URI bigUrl = big.baseUrl();
            URI smallUrl = small.baseUrl();
            // snippet: failover-fit
            ResilientClient client = ResilientClient.builder()
                    .endpoint(Endpoint.builder("one", bigUrl).build())
                    .endpoint(Endpoint.builder("two", smallUrl).build())
                    .model(ModelSettings.of("big").withEndpoints("one").withFallbacks("small"))
                    .model(ModelSettings.of("small")
                            .withEndpoints("two")
                            .withContextWindow(131_072)
                            .withMaxOutput(8_192)
                            .withRenamed("max_tokens", "max_completion_tokens")
                            .withDropped("temperature"))
                    .retry(RetryPolicy.none())
                    .build();
            ModelResponse response = client.call(ModelRequest.chat("big")
                    .user("Name three rivers.")
                    .maxTokens(64_000)
                    .temperature(0.2)
                    .build());
            for (Adjustment each : response.adjusted()) {
                System.out.println(each.pointer() + " " + each.what());
            }
            // end
            client.close();
            assertThat(response.adjusted()).hasSize(3);
            assertThat(small.requests().getFirst().json().flatMap(document -> document.get("max_completion_tokens")))
                    .isPresent();
        }
    }

    @Test
    void aCallIsExplained() {
        try (FaultyProvider provider = FaultyProvider.start();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Local.endpoint(provider))
                        .build()) {
            ModelRequest request = Local.request();
            // snippet: failover-explain
            Explanation explained = client.explain(request);
            System.out.println(explained);
            // end
            assertThat(explained.order()).hasSize(1);
            assertThat(provider.requests()).isEmpty();
        }
    }

    @Test
    void aPresetIsABuilder() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            // snippet: failover-preset
            ClientPreset preset = ClientPreset.workflow();
            ResilientClient client = preset.builder().endpoint(endpoint).build();
            CallOptions fast = CallOptions.none().withRoute(preset.route(RouteOrder.FAST_FIRST));
            // end
            try (client) {
                assertThat(client.call(Local.request(), fast).model()).contains("gemini-2.5-flash");
            }
        }
    }
}
