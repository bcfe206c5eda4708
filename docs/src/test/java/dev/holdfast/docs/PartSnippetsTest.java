package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CacheMode;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Endpoint;
import dev.holdfast.HttpVersion;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.Usage;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.cache.CacheStatistics;
import dev.holdfast.cache.CaffeineIdempotencyStore;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.IdempotencyGuard;
import dev.holdfast.cache.IdempotencyPolicy;
import dev.holdfast.cache.IdempotencyPolicy.OnStoreFailure;
import dev.holdfast.cache.IdempotencyPolicy.WhenInFlight;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.cache.TieredResponseCache;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.routing.CostRouter;
import dev.holdfast.routing.PriceBook;
import dev.holdfast.routing.RagRouter;
import dev.holdfast.routing.SeedRouter;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.spi.ResponseCache;
import dev.holdfast.transport.JdkTransport;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of docs/transport.md, docs/routing.md and docs/cache.md. */
class PartSnippetsTest {
    @Test
    void aTransportWithAProxy() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            // snippet: transport
            JdkTransport transport = JdkTransport.builder()
                    .connectTimeout(Duration.ofSeconds(5))
                    .proxy(ProxySelector.of(new InetSocketAddress("proxy.example.com", 3128)))
                    .maxResponseBytes(16 << 20)
                    .maxConnections(200)
                    .build();
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .transport(transport)
                    .build();
            // end
            assertThat(client.toString()).contains("JdkTransport");
            client.close();
        }
    }

    @Test
    void anEndpointOverHttpTwo() {
        try (FaultyProvider provider =
                FaultyProvider.builder(FaultScript.healthy()).secure().start()) {
            URI baseUrl = provider.baseUrl();
            // snippet: transport-multiplexed
            Endpoint multiplexed = Endpoint.builder("multiplexed", baseUrl)
                    .httpVersion(HttpVersion.HTTP_2)
                    .build();
            // end
            JdkTransport transport =
                    JdkTransport.builder().sslContext(provider.sslContext()).build();
            try (ResilientClient client = ResilientClient.builder()
                    .endpoint(multiplexed)
                    .transport(transport)
                    .build()) {
                assertThat(client.call(Local.request()).text()).isNotEmpty();
                assertThat(provider.versionOf(1)).isEqualTo(HttpVersion.HTTP_2);
            }
        }
    }

    @Test
    void theCheapestFirst() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            ModelRequest request = Local.request();
            // snippet: routing
            PriceBook prices = PriceBook.listPrices();
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .model(ModelSettings.of("gpt-4.1"))
                    .model(ModelSettings.of("deepseek-v3.2"))
                    .prices(prices)
                    .router(CostRouter.of(prices))
                    .build();
            ModelResponse response = client.call(request);
            Optional<Cost> cost = response.cost();
            // end
            assertThat(response.model()).hasValue("deepseek-v3.2");
            assertThat(cost).isPresent();
            client.close();
        }
    }

    @Test
    void pricesOfOnesOwn(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("prices.json");
        Files.writeString(file, """
                {"asOf": "2026-01-31", "models": [
                  {"name": "gpt-4.1", "input": 1.80, "cachedInput": 0.45, "output": 7.20},
                  {"name": "in-house", "blended": 0}]}
                """);
        // snippet: routing-prices
        PriceBook prices = PriceBook.listPrices().withOverrides(PriceBook.load(file));
        Optional<Cost> known = prices.estimateCost("gpt-4.1", Usage.of(100, 400));
        Optional<Cost> free = prices.estimateCost("in-house", Usage.of(100, 400));
        Optional<Cost> unknown = prices.estimateCost("no-such-model", Usage.of(100, 400));
        // end
        assertThat(known).map(Cost::toString).hasValue("$0.00306");
        assertThat(free).hasValue(Cost.ZERO);
        assertThat(unknown).isEmpty();
        assertThat(PriceBook.blended().estimateCost("deepseek-v3.2", Usage.of(100, 400)))
                .map(Cost::toString)
                .hasValue("$0.00021");
    }

    @Test
    void thePresetsOfTheArticles() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            // snippet: routing-presets
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .model(ModelSettings.of("gpt-4.1"))
                    .model(ModelSettings.of("gemini-2.5-flash"))
                    .model(ModelSettings.of("deepseek-v3.2"))
                    .router(SeedRouter.defaults())
                    .build();
            ResilientClient retrieval = ResilientClient.builder()
                    .endpoint(endpoint)
                    .model(ModelSettings.of("gpt-4.1"))
                    .model(ModelSettings.of("gemini-2.5-flash"))
                    .model(ModelSettings.of("deepseek-v3.2"))
                    .router(RagRouter.defaults())
                    .defaults(CallOptions.none().withTag("tier", "premium"))
                    .build();
            // end
            assertThat(client.call(Local.request()).model()).hasValue("deepseek-v3.2");
            assertThat(retrieval.call(Local.request()).model()).hasValue("gpt-4.1");
            client.close();
            retrieval.close();
        }
    }

    @Test
    void theSecondAnswerIsFree() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            // snippet: cache
            CaffeineResponseCache store = new CaffeineResponseCache(64 << 20);
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .interceptor(ResponseCaching.of(store, CachePolicy.defaults()))
                    .build();
            ModelRequest request = ModelRequest.chat("gpt-4.1")
                    .user("Name three rivers.")
                    .temperature(0)
                    .build();
            client.call(request);
            ModelResponse again = client.call(request);
            // end
            assertThat(again.fromCache()).isTrue();
            assertThat(again.cost()).hasValue(Cost.ZERO);
            assertThat(provider.executions()).isEqualTo(1);
            // snippet: cache-call
            CallOptions fresh =
                    CallOptions.none().withCacheMode(CacheMode.REFRESH).withTenant("customer-17");
            // end
            assertThat(client.call(request, fresh).fromCache()).isFalse();
            client.close();
        }
    }

    @Test
    void aCacheThatIsTunedPurgedAndCounted() {
        CaffeineResponseCache store = new CaffeineResponseCache(64 << 20);
        CaffeineResponseCache shared = new CaffeineResponseCache(64 << 20);
        // snippet: cache-policy
        CachePolicy policy = CachePolicy.defaults()
                .withMode(CacheMode.ALL)
                .withTtl(Duration.ofMinutes(10))
                .withTtl("gpt-4.1-mini", Duration.ofHours(1))
                .withStaleIfError(Duration.ofHours(6))
                .withTags("tier")
                .withMaxAnswerBytes(100_000);
        ResponseCaching caching = ResponseCaching.of(store, policy);
        // end
        assertThat(policy.ttlOf("gpt-4.1-mini")).isEqualTo(Duration.ofHours(1));
        // snippet: cache-purge
        caching.purge("customer-17");
        CacheStatistics seen = caching.statistics();
        double saved = seen.savedRate();
        long bytes = store.weight();
        // end
        assertThat(saved).isZero();
        assertThat(bytes).isZero();
        // snippet: cache-levels
        ResponseCache both = TieredResponseCache.of(store, shared);
        // end
        assertThat(both).hasToString("TieredResponseCache[" + store + ", " + shared + "]");
    }

    @Test
    void aKeyIsExecutedOnce() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            ModelRequest request = Local.request();
            // snippet: idempotency
            IdempotencyGuard guard =
                    IdempotencyGuard.of(new CaffeineIdempotencyStore(100_000), IdempotencyPolicy.defaults());
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .interceptor(guard)
                    .build();
            CallOptions order = CallOptions.none().withIdempotencyKey("order-17");
            client.call(request, order);
            ModelResponse again = client.call(request, order);
            // end
            assertThat(again.fromCache()).isTrue();
            assertThat(provider.executions()).isEqualTo(1);
            client.close();
        }
        // snippet: idempotency-policy
        IdempotencyPolicy strict = IdempotencyPolicy.defaults()
                .withLifetime(Duration.ofHours(48))
                .withWhenInFlight(WhenInFlight.REFUSE)
                .withOnStoreFailure(OnStoreFailure.REFUSE);
        // end
        assertThat(strict.onStoreFailure()).isEqualTo(OnStoreFailure.REFUSE);
    }
}
