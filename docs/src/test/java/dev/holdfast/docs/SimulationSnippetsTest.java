package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Endpoint;
import dev.holdfast.Headers;
import dev.holdfast.HttpVersion;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.Policies;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.ProfileWeather;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.RecordedExchange;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.SimulatedTransport;
import dev.holdfast.simulation.VirtualTime;
import dev.holdfast.simulation.Weather;
import dev.holdfast.transport.JdkTransport;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of docs/simulation.md. */
class SimulationSnippetsTest {
    @Test
    void aProviderThatFails() {
        // snippet: simulation
        FaultScript script =
                FaultScript.of(Reply.reset()).then(2, Reply.status(503).withHeader("retry-after-ms", "50"));
        try (FaultyProvider provider = FaultyProvider.start(script);
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Endpoint.builder("local", provider.baseUrl()).build())
                        .build()) {
            ModelResponse response = client.call(
                    ModelRequest.chat("gpt-4.1").user("Name three rivers.").build());
            assertThat(response.attempts()).hasSize(4);
            assertThat(provider.requests()).hasSize(4);
        }
        // end
    }

    @Test
    void aProviderUnderTls() {
        ModelRequest request = Local.request();
        // snippet: simulation-secure
        FaultyProvider.Builder settings = FaultyProvider.builder(FaultScript.of(Reply.refused(), Reply.reset()))
                .secure()
                .maxStreams(2)
                .honoursIdempotencyKeys();
        try (FaultyProvider provider = settings.start();
                JdkTransport transport =
                        JdkTransport.builder().sslContext(provider.sslContext()).build();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Endpoint.builder("local", provider.baseUrl())
                                .httpVersion(HttpVersion.HTTP_2)
                                .build())
                        .transport(transport)
                        .build()) {
            client.call(request);
            assertThat(provider.executions()).isEqualTo(1);
        }
        // end
    }

    @Test
    void whatARealProviderAnswered(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("recorded.jsonl"), """
            {"request": {"uri": "https://api.example.com/v1/models", "method": "GET"}, "response": {"status": 200, "body": "[]"}}
            """);
        // snippet: simulation-recorded
        List<RecordedExchange> recordings = RecordedExchange.read(file);
        FaultScript replay = FaultScript.recorded(recordings);
        // end
        var asked = new ProviderRequest(1, "GET", "/v1/models", Headers.empty(), Bytes.empty());
        assertThat(replay.reply(asked).body().toUtf8()).isEqualTo("[]");
    }

    @Test
    void anHourInNoTime() {
        ModelRequest request = Local.request();
        // snippet: simulation-time
        VirtualTime time = new VirtualTime();
        Weather weather = Weather.of(FaultScript.of(Reply.rateLimited(Duration.ofSeconds(50))));
        SimulatedTransport transport = new SimulatedTransport(time, weather);
        time.run(() -> {
            try (ResilientClient client = ResilientClient.builder()
                    .endpoint(Endpoint.builder("simulated", URI.create("http://localhost/v1"))
                            .build())
                    .transport(transport)
                    .timekeeper(time)
                    .random(new Random(1))
                    .build()) {
                client.call(request);
            }
        });
        // end
        assertThat(transport.sends()).isEqualTo(2);
        assertThat(time.elapsed()).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(55));
    }

    @Test
    void repliesOfEveryKind() {
        // snippet: simulation-replies
        List<Reply> replies = List.of(
                Reply.completion("Rhine, Elbe, Danube").withDelay(Duration.ofMillis(300)),
                Reply.status(503),
                Reply.rateLimited(Duration.ofSeconds(2)),
                Reply.status(429).withHeader("retry-after-ms", "1500"),
                Reply.error(429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota."),
                Reply.completion("Rhine, Elbe, Danube").cutAfter(40),
                Reply.completion("Rhine, Elbe, Danube").gzipped().inPieces(7),
                Reply.hang(),
                Reply.reset());
        FaultScript script = FaultScript.of(replies).thenAlways(Reply.status(500));
        // end
        assertThat(script).isNotNull();
        assertThat(replies).hasSize(9);
    }

    @Test
    void aProfileIsRunOnVirtualTime() throws InterruptedException {
        ModelRequest request = Local.request();
        // snippet: simulation-profile
        Profile profile = Profile.named("flaky");
        ProfileWeather weather = profile.weather(7, 100);
        VirtualTime time = new VirtualTime();
        time.run(() -> {
            try (ResilientClient client = ResilientClient.builder()
                    .endpoint(Endpoint.builder("simulated", URI.create("http://localhost/v1"))
                            .build())
                    .route(profile.modelNames().toArray(String[]::new))
                    .transport(new SimulatedTransport(time, weather))
                    .timekeeper(time)
                    .random(new Random(1))
                    .build()) {
                for (int i = 0; i < weather.requests(); i++) {
                    time.sleepLast(weather.arrival(i).minus(time.elapsed()));
                    JsonObject document = request.document().with("user", JsonValue.of("r" + i));
                    client.call(request.withDocument(document));
                }
            }
        });
        // end
        assertThat(time.elapsed()).isGreaterThan(weather.arrival(99));
    }

    @Test
    void policiesAreSetTogether() {
        Endpoint endpoint =
                Endpoint.builder("local", URI.create("http://localhost/v1")).build();
        // snippet: policies
        ResilientClient client = Policies.adaptive()
                .builder()
                .endpoint(endpoint)
                .route("gpt-4.1", "claude-sonnet-4.5", "gemini-2.5-flash")
                .build();
        // end
        client.close();
        assertThat(Policies.presets()).containsEntry("adaptive", Policies.adaptive());
    }
}
