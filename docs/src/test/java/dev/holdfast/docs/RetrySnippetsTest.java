package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.CallOptions;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.Jitter;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.Retry;
import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The snippets of docs/retry.md. */
class RetrySnippetsTest {
    private final AtomicInteger failures = new AtomicInteger(2);

    @Test
    void aCallIsTriedAgain() {
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.of(Local.soon(503)))) {
            Endpoint endpoint = Local.endpoint(provider);
            ModelRequest request = Local.request();
            // snippet: retry
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .retry(RetryPolicy.interactive())
                    .build();
            ModelResponse response = client.call(request);
            List<Attempt> attempts = response.attempts();
            // end
            assertThat(attempts).hasSize(2);
            assertThat(attempts.getFirst().failure()).isPresent();
        }
    }

    @Test
    void everythingThatAPolicySays() {
        // snippet: retry-policy
        RetryPolicy policy = RetryPolicy.standard()
                .withMaxAttempts(3)
                .withMaxAttemptsPerCall(6)
                .withBackoff(Backoff.parse("exponential(500ms, x2, max 20s, jitter full)"))
                .withDeadline(Duration.ofSeconds(45))
                .withMaxSuggestedDelay(Duration.ofSeconds(20))
                .withFallbackIfWaitOver(Duration.ofSeconds(2))
                .withBudget(RetryBudgetPolicy.defaults().withRatio(0.1))
                .withFallbackOn(FailureKind.CONTENT_POLICY);
        // end
        assertThat(policy.maxAttempts()).isEqualTo(3);
        assertThat(policy.backoff()).hasToString("exponential(500ms, x2, max 20s, jitter full)");
    }

    @Test
    void aBackoffIsWrittenInTwoWays() {
        // snippet: retry-backoff
        Backoff built = Backoff.exponential(Duration.ofSeconds(1)).withJitter(Jitter.proportional(0.5));
        Backoff parsed = Backoff.parse("exponential(1s, x2, max 60s, jitter 0.5)");
        // end
        assertThat(parsed).isEqualTo(built);
        assertThat(built).isEqualTo(RetryPolicy.standard().backoff());
        for (String text : List.of(
                "immediate()",
                "fixed(1s)",
                "linear(1s, max 30s)",
                "exponential(2s, x2, max 45s, jitter 0.5)",
                "exponential(1s, x2, max 10s, floor 2s)",
                "exponential(1s, x2, max 60s, jitter +1s)",
                "exponential(1s, x2, max 60s, floor 100ms, jitter 0.5)",
                "exponential(1s, x2, max 60s, jitter decorrelated)")) {
            assertThat(Backoff.parse(Backoff.parse(text).toString())).isEqualTo(Backoff.parse(text));
        }
    }

    @Test
    void oneCallWantsItOtherwise() {
        try (FaultyProvider provider = FaultyProvider.start();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Local.endpoint(provider))
                        .build()) {
            ModelRequest request = Local.request();
            // snippet: retry-call
            CallOptions once = CallOptions.none()
                    .withDeadline(Duration.ofSeconds(5))
                    .withTimeout(Duration.ofSeconds(3))
                    .withRetry(false);
            ModelResponse response = client.call(request, once);
            // end
            assertThat(response.attempts()).hasSize(1);
        }
    }

    @Test
    void oneKeyForAllAttempts() {
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.of(Local.soon(503)))) {
            ModelRequest request = Local.request();
            // snippet: retry-idempotency
            Endpoint endpoint = Endpoint.builder("local", provider.baseUrl())
                    .honoursIdempotencyKey(true)
                    .build();
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .retry(RetryPolicy.standard().withOnlyIfIdempotent(true))
                    .build();
            client.call(request, CallOptions.none().withIdempotencyKey("order-4711"));
            // end
            assertThat(provider.requests())
                    .extracting(ProviderRequest::headers)
                    .hasSize(2)
                    .allSatisfy(headers ->
                            assertThat(headers.first("Idempotency-Key")).hasValue("order-4711"));
        }
    }

    @Test
    void aRetryOnItsOwn() throws Exception {
        VirtualTime time = new VirtualTime();
        Random random = new Random(1);
        time.run(() -> {
            // snippet: retry-alone
            Retry retry = Retry.of(RetryPolicy.standard(), time, random).onException(e -> e instanceof IOException);
            String document = retry.call(() -> load("rivers"));
            // end
            assertThat(document).isEqualTo("rivers");
        });
        assertThat(time.elapsed()).isBetween(Duration.ofMillis(1_500), Duration.ofMillis(4_500));
    }

    private String load(String name) throws IOException {
        if (failures.getAndDecrement() > 0) {
            throw new IOException(name);
        }
        return name;
    }
}
