package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttemptsExhaustedException;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallException;
import dev.holdfast.CallRejectedException;
import dev.holdfast.CallResult;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.ProviderFailedException;
import dev.holdfast.StreamFailedException;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The snippets of docs/errors.md. */
class ErrorSnippetsTest {
    @Test
    void whatToDoAboutAnError() {
        try (FaultyProvider provider = FaultyProvider.start(FaultScript.always(Reply.status(400)));
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Local.endpoint(provider))
                        .build()) {
            assertThat(ask(client, Local.request())).startsWith("it would fail again: invalid_request 400");
        }
    }

    private static String ask(ResilientClient client, ModelRequest request) {
        // snippet: errors
        try {
            return client.call(request).text().orElse("");
        } catch (CallException e) {
            return switch (e) {
                case CallRejectedException rejected -> "nothing was sent: come back in " + rejected.retryAfter();
                case ProviderFailedException failed -> "it would fail again: " + failed.failure();
                case AttemptsExhaustedException exhausted -> "tried in vain: " + exhausted.attempts();
                case DeadlineExceededException late -> "no time left: " + late.attempts();
                case CallCancelledException cancelled -> "nobody waits any more: " + cancelled.kind();
                case StreamFailedException broken -> "as far as it came: " + broken.partialAnswer();
            };
        }
        // end
    }

    @Test
    void manyCalls() {
        FaultScript script = FaultScript.answering(request -> request.json()
                        .map(document -> document.toJson().contains("bad"))
                        .orElse(false)
                ? Reply.status(400)
                : Reply.completion(request, "fine"));
        try (FaultyProvider provider = FaultyProvider.start(script);
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Local.endpoint(provider))
                        .build()) {
            ModelRequest good = ModelRequest.chat("gpt-4.1").user("good").build();
            ModelRequest bad = ModelRequest.chat("gpt-4.1").user("bad").build();
            Map<String, String> told = new LinkedHashMap<>();
            // snippet: errors-batch
            Map<String, ModelRequest> requests = new LinkedHashMap<>();
            requests.put("first", good);
            requests.put("second", bad);
            for (CallResult<String> result : client.callAll(requests)) {
                switch (result) {
                    case CallResult.Succeeded<String>(String id, ModelResponse response) ->
                        told.put(id, response.text().orElse(""));
                    case CallResult.Failed<String>(String id, CallException error) ->
                        told.put(id, "failed: " + error.kind().wireName());
                }
            }
            // end
            assertThat(told)
                    .containsExactly(Map.entry("first", "fine"), Map.entry("second", "failed: invalid_request"));
        }
    }
}
