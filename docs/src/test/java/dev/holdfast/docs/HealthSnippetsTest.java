package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Endpoint;
import dev.holdfast.HealthReport;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.ProbePolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultyProvider;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The snippets of docs/health.md. */
class HealthSnippetsTest {
    @Test
    void aReport() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Endpoint.builder("openai", provider.baseUrl()).build();
            ModelRequest request =
                    ModelRequest.chat("gpt-4.1").user("Name three rivers.").build();
            // snippet: health
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .probes(ProbePolicy.defaults()
                            .withInterval(Duration.ofSeconds(15))
                            .withPath("/models"))
                    .build();
            client.call(request);
            HealthReport report = client.health();
            boolean ready = report.isReady();
            // end
            assertThat(ready).isTrue();
            // snippet: health-forms
            String page = report.toString();
            String json = report.document().toJson();
            // end
            assertThat(page).startsWith("health: healthy\nmodel gpt-4.1: healthy");
            assertThat(json).contains("\"endpoint\":\"openai\"");
            client.close();
        }
    }
}
