package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.BreakerState;
import dev.holdfast.CallRejectedException;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.Priority;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.core.AdaptiveLimiter;
import dev.holdfast.core.AdaptivePolicy;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.BreakerWindow;
import dev.holdfast.core.Bulkhead;
import dev.holdfast.core.BulkheadPolicy;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.ClientControl;
import dev.holdfast.core.InMemoryBreakerStore;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.RateLimiter;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.VirtualTime;
import dev.holdfast.spi.BreakerStore;
import dev.holdfast.spi.Timekeeper;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The snippets of docs/breakers.md and docs/limits.md. */
class GuardSnippetsTest {
    @Test
    void breakersOfAClient() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            // snippet: breakers
            Map<String, BreakerPolicy> presets = BreakerPolicy.presets();
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .breaker(BreakerPolicy.adaptive().withFailureThreshold(10))
                    .model(ModelSettings.of("gpt-4.1").withBreaker(presets.get("gpt-4.1")))
                    .build();
            // end
            assertThat(client.call(Local.request()).attempts()).hasSize(1);
            assertThat(presets.get("gpt-4.1").failureThreshold()).isEqualTo(5);
            assertThat(presets.get("gpt-4.1").openTime()).isEqualTo(Duration.ofSeconds(60));
            client.close();
        }
    }

    @Test
    void windowsOfABreaker() {
        // snippet: breakers-windows
        BreakerPolicy halfFail = BreakerPolicy.adaptive()
                .withWindow(BreakerWindow.ofCalls(100).withMinimumCalls(20).withFailureRate(0.5));
        BreakerPolicy tooSlow = BreakerPolicy.adaptive()
                .withWindow(BreakerWindow.ofTime(Duration.ofMinutes(1)).withSlowCalls(0.8, Duration.ofSeconds(20)));
        // end
        var breaker = CircuitBreaker.of("half", halfFail, new VirtualTime());
        for (int i = 0; i < 20; i++) {
            ((CircuitBreaker.Permit) breaker.acquire()).failed();
        }
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
        assertThat(tooSlow.window()).isPresent();
    }

    @Test
    void aClientThatIsSteered() {
        try (FaultyProvider provider = FaultyProvider.start();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Endpoint.builder("openai-eu", provider.baseUrl())
                                .build())
                        .build()) {
            // snippet: breakers-control
            ClientControl control = client.control();
            control.isolate("openai-eu", Duration.ofMinutes(15));
            control.switchOff(ClientControl.Feature.RETRY, Duration.ofMinutes(5));
            control.register("checkout");
            // end
            assertThat(control.orders()).hasSize(2);
            assertThatThrownBy(() -> client.call(Local.request())).isInstanceOf(CallRejectedException.class);
        }
    }

    @Test
    void clientsThatShareTheirBreakers() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            // snippet: breakers-shared
            BreakerStore store = new InMemoryBreakerStore(Timekeeper.system());
            ResilientClient one = ResilientClient.builder()
                    .endpoint(endpoint)
                    .breakerStore(store)
                    .build();
            ResilientClient other = ResilientClient.builder()
                    .endpoint(endpoint)
                    .breakerStore(store)
                    .build();
            // end
            assertThat(one.toString()).contains("breaker(shared)");
            assertThat(one.call(Local.request()).attempts()).hasSize(1);
            assertThat(other.call(Local.request()).attempts()).hasSize(1);
            one.close();
            other.close();
        }
    }

    @Test
    void aBreakerOnItsOwn() throws Exception {
        VirtualTime time = new VirtualTime();
        // snippet: breakers-alone
        CircuitBreaker breaker = CircuitBreaker.of("search", BreakerPolicy.defaults(), time);
        for (int i = 0; i < 5; i++) {
            try {
                breaker.call(() -> search("rivers"));
            } catch (IOException e) {
                // five failures in a row open it
            }
        }
        // end
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
        assertThatThrownBy(() -> breaker.call(() -> search("rivers"))).isInstanceOf(CallRejectedException.class);
        time.run(() -> time.sleep(Duration.ofSeconds(30)));
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
    }

    @Test
    void aPermitThatIsEndedByHand() {
        CircuitBreaker breaker = CircuitBreaker.of("search", BreakerPolicy.defaults(), Timekeeper.system());
        int status = 200;
        // snippet: breakers-permit
        switch (breaker.acquire()) {
            case CircuitBreaker.Permit permit -> {
                if (status < 400) {
                    permit.succeeded();
                } else if (status < 500) {
                    permit.ignored();
                } else {
                    permit.failed();
                }
            }
            case CircuitBreaker.Open open -> throw new IllegalStateException("open for " + open.availableIn());
        }
        // end
        assertThat(breaker.status().failuresInARow()).isZero();
    }

    @Test
    void aLimitThatRefuses() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            ModelRequest request = Local.request();
            // snippet: limits-refusing
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .limits("gpt-4.1", LimitPolicy.perMinute(500, 1_000_000).withMaxWait(Duration.ZERO))
                    .build();
            try {
                client.call(request);
            } catch (CallRejectedException e) {
                System.out.println("free in " + e.retryAfter());
            }
            // end
            assertThat(provider.requests()).hasSize(1);
            client.close();
        }
    }

    @Test
    void limitsOfAClient() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            // snippet: limits
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .limits("gpt-4.1", LimitPolicy.perMinute(500, 1_000_000).withConcurrency(20))
                    .limits("gpt-4.1-mini", LimitPolicy.presets().get("gpt-4.1-mini"))
                    .build();
            // end
            assertThat(client.toString()).contains("limiter");
            client.close();
        }
    }

    @Test
    void aLimiterOnItsOwn() throws Exception {
        // snippet: limits-alone
        RateLimiter limiter = RateLimiter.of("search", LimitPolicy.defaults().withRpm(60), Timekeeper.system());
        switch (limiter.acquire(1_200)) {
            case RateLimiter.Granted(RateLimiter.Reservation reservation) -> reservation.settle(950);
            case RateLimiter.Refused refused -> throw new IllegalStateException("free in " + refused.availableIn());
        }
        // end
        assertThat(limiter.status().requests()).isEqualTo(1);
        assertThat(limiter.status().tokens()).isIn(0L, 950L);
    }

    @Test
    void modelsOfOneFamily() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            // snippet: limits-family
            LimitPolicy shared =
                    LimitPolicy.defaults().withRpm(50).withInputTpm(30_000).withOutputTpm(8_000);
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .model(ModelSettings.of("claude-sonnet-4.5")
                            .withFamily("sonnet")
                            .withLimits(shared.withConcurrency(10)))
                    .model(ModelSettings.of("claude-sonnet-4")
                            .withFamily("sonnet")
                            .withLimits(shared))
                    .build();
            // end
            assertThat(client.toString()).contains("limiter");
            client.close();
        }
    }

    @Test
    void aBulkheadOnItsOwn() throws Exception {
        // snippet: limits-bulkhead
        Bulkhead bulkhead = Bulkhead.of("search", BulkheadPolicy.of(20), Timekeeper.system());
        String answer = bulkhead.call(() -> "Rhine");
        switch (bulkhead.acquire(Priority.BATCH, Duration.ofSeconds(5))) {
            case Bulkhead.Permit permit -> permit.release();
            case Bulkhead.Full full -> throw new IllegalStateException("no place within 5 s");
        }
        // end
        assertThat(answer).isEqualTo("Rhine");
        assertThat(bulkhead.status().inFlight()).isZero();
    }

    @Test
    void anAdaptiveLimiterOnItsOwn() throws Exception {
        // snippet: limits-adaptive
        AdaptiveLimiter limiter = AdaptiveLimiter.of("search", AdaptivePolicy.aimd(), Timekeeper.system());
        switch (limiter.acquire(Priority.INTERACTIVE, Duration.ofSeconds(5))) {
            case AdaptiveLimiter.Permit permit -> permit.succeeded();
            case AdaptiveLimiter.Full full -> throw new IllegalStateException("full at " + limiter.limit());
        }
        // end
        assertThat(limiter.inFlight()).isZero();
    }

    @Test
    void whatTheHeadersSay() {
        Reply almostUsedUp = Reply.completion("Rhine, Elbe, Danube").withRateLimit(0, Duration.ofSeconds(12));
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.of(almostUsedUp));
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Local.endpoint(provider))
                        .build()) {
            ModelRequest request = Local.request();
            // snippet: limits-headers
            Optional<RateLimitSnapshot> snapshot =
                    client.call(request).attempts().getLast().rateLimits();
            Optional<Duration> wait = snapshot.flatMap(RateLimitSnapshot::waitTime);
            // end
            assertThat(wait).hasValue(Duration.ofSeconds(12));
        }
    }

    private static String search(String question) throws IOException {
        throw new IOException(question);
    }
}
