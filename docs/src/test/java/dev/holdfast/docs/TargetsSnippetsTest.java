package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.AllowList;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallOptions;
import dev.holdfast.CallRejectedException;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.Secret;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The snippets of docs/targets.md. */
class TargetsSnippetsTest {
    private static final Reply DOWN = Reply.status(503);

    @Test
    void anotherEndpointThenAnotherModel() {
        try (FaultyProvider east = FaultyProvider.start(FaultScript.always(DOWN));
                FaultyProvider west = FaultyProvider.start()) {
            URI eastUrl = east.baseUrl();
            URI westUrl = west.baseUrl();
            // snippet: targets
            ResilientClient client = ResilientClient.builder()
                    .endpoint(Endpoint.builder("east", eastUrl).region("us").build())
                    .endpoint(Endpoint.builder("west", westUrl).region("eu").build())
                    .model(ModelSettings.of("gpt-4.1").withFallbacks("gpt-4.1-mini"))
                    .model(ModelSettings.of("gpt-4.1-mini"))
                    .build();
            ModelResponse response = client.call(
                    ModelRequest.chat("gpt-4.1").user("Name three rivers.").build());
            String served = response.model().orElse("none") + " at "
                    + response.endpoint().orElse("none");
            // end
            assertThat(served).isEqualTo("gpt-4.1 at west");
            assertThat(response.attempts().getLast().reason()).isEqualTo(AttemptReason.FAILOVER);
        }
    }

    @Test
    void anEndpointWithEverything() {
        String teamKey = "key-1";
        String spareKey = "key-2";
        // snippet: targets-endpoint
        Endpoint endpoint = Endpoint.builder("router", URI.create("https://llm.example.com/v1"))
                .credential(new Credential("team", Secret.of("TEAM_KEY", teamKey)))
                .credential(new Credential("spare", Secret.of("SPARE_KEY", spareKey)))
                .header("X-Title", "search")
                .region("eu")
                .vendor("example")
                .retention("none")
                .honoursIdempotencyKey(true)
                .build();
        // end
        assertThat(endpoint.credentials()).hasSize(2);
        assertThat(endpoint.toString()).doesNotContain(teamKey);
    }

    @Test
    void modelsKnownByOtherNames() {
        try (FaultyProvider primary = FaultyProvider.start(FaultScript.always(DOWN));
                FaultyProvider other = FaultyProvider.start()) {
            URI primaryUrl = primary.baseUrl();
            URI otherUrl = other.baseUrl();
            // snippet: targets-models
            ResilientClient client = ResilientClient.builder()
                    .endpoint(Endpoint.builder("primary", primaryUrl).build())
                    .endpoint(Endpoint.builder("other", otherUrl).build())
                    .model(ModelSettings.of("large")
                            .withEndpoints("primary")
                            .withUpstreamName("gpt-4.1-2025-04-14")
                            .withTimeout(Duration.ofSeconds(30))
                            .withFallbacks("small"))
                    .model(ModelSettings.of("small")
                            .withEndpoints("other")
                            .withUpstreamName("gemini-2.5-flash")
                            .withContextWindow(1_048_576))
                    .retry(RetryPolicy.none())
                    .build();
            ModelResponse response = client.call(
                    ModelRequest.chat("large").user("Name three rivers.").build());
            // end
            assertThat(response.model()).hasValue("small");
            assertThat(response.attempts().getLast().reason()).isEqualTo(AttemptReason.FALLBACK);
            assertThat(other.requests().getFirst().json().flatMap(document -> document.text("model")))
                    .hasValue("gemini-2.5-flash");
        }
    }

    @Test
    void aRouteOfOneCall() {
        try (FaultyProvider provider = FaultyProvider.start();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Local.endpoint(provider))
                        .build()) {
            ModelRequest request = Local.request();
            // snippet: targets-route
            CallOptions fast =
                    CallOptions.none().withRoute(List.of("gemini-2.5-flash", "gpt-4.1", "claude-sonnet-4.5"));
            ModelResponse response = client.call(request, fast);
            // end
            assertThat(response.model()).hasValue("gemini-2.5-flash");
        }
    }

    @Test
    void aCallThatMustStayInEurope() {
        try (FaultyProvider provider = FaultyProvider.start();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Local.endpoint(provider))
                        .build()) {
            ModelRequest request = Local.request();
            // snippet: targets-allow
            AllowList europe = new AllowList(Set.of("eu"), Set.of(), Set.of("none"));
            CallOptions options = CallOptions.none().withAllow(europe);
            // end
            var error = catchThrowableOfType(CallRejectedException.class, () -> client.call(request, options));
            assertThat(error.kind()).isEqualTo(FailureKind.POLICY_REFUSED);
            assertThat(provider.requests()).isEmpty();
        }
    }

    @Test
    void aCallThatMayNotCostMore() {
        try (FaultyProvider provider = FaultyProvider.start();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Local.endpoint(provider))
                        .build()) {
            ModelRequest request = ModelRequest.chat("gpt-4.1")
                    .user("Name three rivers.")
                    .maxTokens(10_000)
                    .build();
            // snippet: targets-cost
            CallOptions options = CallOptions.none().withMaxCostUsd(new BigDecimal("0.02"));
            // end
            var error = catchThrowableOfType(CallRejectedException.class, () -> client.call(request, options));
            assertThat(error.kind()).isEqualTo(FailureKind.COST_LIMIT);
        }
    }

    @Test
    void aSubstituteWhenNothingServed() {
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.always(Reply.status(400)))) {
            Endpoint endpoint = Local.endpoint(provider);
            ModelRequest request = Local.request();
            // snippet: targets-degraded
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .degradedReply(error -> error.kind() == FailureKind.CANCELLED
                            ? Optional.empty()
                            : Optional.of(ModelAnswer.ofText("Please try again in a few minutes.")))
                    .build();
            ModelResponse response = client.call(request);
            // end
            assertThat(response.degraded()).isTrue();
            assertThat(response.servedBy()).isEmpty();
        }
    }
}
