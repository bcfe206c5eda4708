package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Endpoint;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelStream;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamFailedException;
import dev.holdfast.StreamTimeouts;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The snippets of docs/streams.md. */
class StreamSnippetsTest {
    private static final String BROKEN = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Rhine, \"}}]}\n\n";

    private final StringBuilder out = new StringBuilder();

    private void show(StreamEvent event) {
        out.append(event instanceof StreamEvent.TextDelta(String text) ? text : "");
    }

    @Test
    void readsAStream() {
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.of(Local.soon(503)));
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Local.endpoint(provider))
                        .build()) {
            ModelRequest request = Local.request();
            // snippet: streams
            try (ModelStream stream = client.stream(request)) {
                for (StreamEvent event : stream) {
                    if (event instanceof StreamEvent.TextDelta(String text)) {
                        out.append(text);
                    }
                }
                out.append(" ")
                        .append(stream.toResponse().usage().orElseThrow().total())
                        .append(" tokens");
            }
            // end
            assertThat(out).hasToString("Name three rivers. 6 tokens");
        }
    }

    @Test
    void keepsWhatArrived() {
        Reply broken = Reply.events(List.of(Reply.Chunk.of(BROKEN)));
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.always(broken));
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Local.endpoint(provider))
                        .build()) {
            ModelRequest request = Local.request();
            // snippet: streams-partial
            try (ModelStream stream = client.stream(request)) {
                stream.forEach(event -> show(event));
            } catch (StreamFailedException e) {
                String soFar = e.partialAnswer().flatMap(ModelAnswer::text).orElse("");
                out.append(" (")
                        .append(e.kind())
                        .append(" after ")
                        .append(soFar.length())
                        .append(" characters)");
            }
            // end
            assertThat(out).hasToString("Rhine,  (TRUNCATED after 7 characters)");
        }
    }

    @Test
    void setsTheTimers() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            // snippet: streams-timers
            StreamTimeouts patient = StreamTimeouts.defaults()
                    .withFirstToken(Duration.ofMinutes(2))
                    .withMeaningfulIdle(Duration.ofMinutes(5));
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .streamTimeouts(patient)
                    .build();
            // end
            assertThat(client.stream(Local.request()).toResponse().text()).contains("Name three rivers.");
            client.close();
        }
    }
}
