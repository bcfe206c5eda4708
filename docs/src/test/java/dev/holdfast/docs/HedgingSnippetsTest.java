package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.Spend;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The snippets of docs/hedging.md. */
class HedgingSnippetsTest {
    @Test
    void aClientThatHedges() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint east = Endpoint.builder("east", provider.baseUrl()).build();
            Endpoint west = Endpoint.builder("west", provider.baseUrl()).build();
            // snippet: hedging
            ResilientClient client = ResilientClient.builder()
                    .endpoint(east)
                    .endpoint(west)
                    .hedge(HedgePolicy.parse("after: p95, floor: 50ms, samples: 20, budget: 0.05, reserve: 10"))
                    .build();
            // end
            assertThat(client.toString()).contains("hedge(" + HedgePolicy.defaults() + ")");
            client.close();
        }
    }

    @Test
    void bothAttemptsAreShown() {
        try (FaultyProvider slow = FaultyProvider.start(FaultScript.always(Reply.hang()));
                FaultyProvider fast = FaultyProvider.start();
                ResilientClient client = ResilientClient.builder()
                        .endpoint(Endpoint.builder("slow", slow.baseUrl()).build())
                        .endpoint(Endpoint.builder("fast", fast.baseUrl()).build())
                        .hedge(HedgePolicy.after(Duration.ofMillis(20)))
                        .build()) {
            ModelRequest request =
                    ModelRequest.chat("gpt-4.1").user("Name three rivers.").build();
            // snippet: hedging-attempts
            ModelResponse response = client.call(request);
            List<AttemptReason> reasons =
                    response.attempts().stream().map(Attempt::reason).toList();
            Optional<Spend> lost = response.attempts().getFirst().spend();
            // end
            assertThat(reasons).containsExactly(AttemptReason.FIRST, AttemptReason.HEDGE);
            assertThat(lost.orElseThrow().basis()).isEqualTo(Spend.Basis.POSSIBLE);
        }
    }
}
