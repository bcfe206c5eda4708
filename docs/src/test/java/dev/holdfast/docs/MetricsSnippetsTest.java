package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.micrometer.ClientMetrics;
import dev.holdfast.simulation.FaultyProvider;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** The snippets of docs/metrics.md. */
class MetricsSnippetsTest {
    @Test
    void metersOfAClient() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Endpoint.builder("openai", provider.baseUrl()).build();
            var registry = new SimpleMeterRegistry();
            // snippet: metrics
            ClientMetrics metrics = ClientMetrics.of(registry);
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .model(ModelSettings.of("gpt-4.1"))
                    .listener(metrics)
                    .build();
            metrics.watch(client);
            // end
            client.call(ModelRequest.chat("gpt-4.1").user("Name three rivers.").build());
            assertThat(registry.get("holdfast.calls").timer().count()).isEqualTo(1);
            client.close();
            metrics.close();
        }
    }
}
