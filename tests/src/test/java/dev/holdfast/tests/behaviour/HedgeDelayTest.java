package dev.holdfast.tests.behaviour;

import static dev.holdfast.tests.behaviour.Hedges.SECOND;
import static dev.holdfast.tests.behaviour.Hedges.hedged;
import static dev.holdfast.tests.behaviour.Hedges.slow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.CallEvent;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a call waits for its first answer where live percentiles decide. */
class HedgeDelayTest {
    @Test
    void aLivePercentileDecidesOnceThereAreEnoughSamples() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.healthy().then(19, slow(1)).then(slow(3)).thenAlways(slow(20)))
                .provider("p2", FaultScript.healthy());
        HedgePolicy policy = HedgePolicy.afterPercentile(90).withBudget(1, 100);
        try (ResilientClient client = world.builder().hedge(policy).build()) {
            for (int i = 0; i < 20; i++) {
                assertThat(world.call(client).answer().attempts()).hasSize(1);
            }
            Ended hedged = world.call(client);

            assertThat(hedged.answer().attempts()).hasSize(2);
            assertThat(hedged.took()).isBetween(SECOND, Duration.ofMillis(1_100));
        }
    }

    @Test
    void whatWasEndedForBeingSlowStaysSlowInThePercentile() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.answering(request -> request.number() % 10 < 7
                                ? Reply.completion("fast")
                                : slow(10 * (request.number() % 10 - 6))))
                .provider("p2", FaultScript.healthy());
        HedgePolicy policy = HedgePolicy.afterPercentile(80).withBudget(1, 1000);
        try (ResilientClient client = world.builder().hedge(policy).build()) {
            for (int i = 0; i < 20; i++) {
                assertThat(world.call(client).answer().attempts()).hasSize(1);
            }
            for (int i = 20; i < 200; i++) {
                world.call(client).answer();
            }

            Attempt last = world.events(CallEvent.AttemptFinished.class).stream()
                    .map(CallEvent.AttemptFinished::attempt)
                    .filter(attempt -> !attempt.succeeded())
                    .reduce((one, other) -> other)
                    .orElseThrow();
            assertThat(last.took()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11));
        }
    }

    @Test
    void theFloorBoundsALivePercentile() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.healthy().then(20, Reply.completion("ok")).thenAlways(slow(20)))
                .provider("p2", FaultScript.healthy());
        HedgePolicy policy = HedgePolicy.afterPercentile(95).withFloor(SECOND).withBudget(1, 100);
        try (ResilientClient client = world.builder().hedge(policy).build()) {
            for (int i = 0; i < 20; i++) {
                world.call(client).answer();
            }
            assertThat(world.call(client).took()).isEqualTo(SECOND);
        }
    }
}
