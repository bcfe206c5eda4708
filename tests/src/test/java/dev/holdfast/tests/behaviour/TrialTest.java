package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallOptions;
import dev.holdfast.ModelRequest;
import dev.holdfast.Target;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which call tries an endpoint that was unhealthy and has rested. */
class TrialTest {
    private static final ModelRequest SECOND =
            ModelRequest.chat("second").user("hi").build();

    private static ResilientClient withFallback(World world) {
        return world.builder()
                .retry(RetryPolicy.none())
                .model(ModelSettings.of(World.MODEL).withEndpoints("p3").withFallbacks("second"))
                .model(ModelSettings.of("second").withEndpoints("p1", "p2"))
                .build();
    }

    @Test
    void callsThatNeverFallBackLeaveTheTryToThoseThatDo() {
        World world = new World()
                .provider("p1", FaultScript.of(Reply.status(503), Reply.status(503), Reply.status(503)))
                .provider("p2", FaultScript.healthy())
                .provider("p3", FaultScript.healthy());
        try (ResilientClient client = withFallback(world)) {
            for (int i = 0; i < 3; i++) {
                world.call(client, SECOND, CallOptions.none());
            }
            assertThat(world.sentTo("p1")).hasSize(3);
            for (int i = 0; i < 20; i++) {
                world.pass(Duration.ofSeconds(30));
                assertThat(world.call(client).answer().endpoint()).contains("p3");
            }
            world.call(client, SECOND, CallOptions.none());
            assertThat(world.sentTo("p1")).as("it is tried at once").hasSize(4);
        }
    }

    @Test
    void aCallThatFallsBackTriesItToo() {
        World world = new World()
                .provider("p1", FaultScript.of(Reply.status(503), Reply.status(503), Reply.status(503)))
                .provider("p2", FaultScript.healthy())
                .provider("p3", FaultScript.always(Reply.status(503)));
        try (ResilientClient client = withFallback(world)) {
            for (int i = 0; i < 3; i++) {
                world.call(client);
            }
            world.pass(Duration.ofSeconds(31));
            List<Target> explained = client.explain(World.request()).order();
            assertThat(world.call(client).answer().endpoint()).contains("p1");
            assertThat(explained).containsSubsequence(new Target("second", "p1"), new Target("second", "p2"));
        }
    }

    @Test
    void aCallThatMayNotCostSoMuchDoesNotUseUpTheTry() {
        World world = new World()
                .provider("p1", FaultScript.of(Reply.status(503), Reply.status(503), Reply.status(503)))
                .provider("p2", FaultScript.healthy());
        CallOptions free = CallOptions.none().withMaxCostUsd(java.math.BigDecimal.ZERO);
        try (ResilientClient client = world.builder()
                .retry(RetryPolicy.none())
                .prices((model, at) -> java.util.Optional.of(dev.holdfast.Price.blended(java.math.BigDecimal.TEN)))
                .build()) {
            for (int i = 0; i < 3; i++) {
                world.call(client);
            }
            world.pass(Duration.ofSeconds(31));
            int before = world.sent().size();
            for (int i = 0; i < 5; i++) {
                assertThat(world.call(client, free).failure().kind()).isEqualTo(dev.holdfast.FailureKind.COST_LIMIT);
            }
            assertThat(world.sent()).hasSize(before);
            assertThat(world.call(client).answer().endpoint()).contains("p1");
        }
    }

    @Test
    void aRejectionTellsWhatKeepsTheTargetClosedLongest() {
        World world = new World().provider("p1", FaultScript.of(Reply.status(503)));
        try (ResilientClient client = world.builder()
                .retry(RetryPolicy.none())
                .breaker(BreakerPolicy.defaults().withFailureThreshold(1).withOpenTime(Duration.ofSeconds(30)))
                .build()) {
            world.call(client);
            client.control().isolate("p1", Duration.ofSeconds(3));
            assertThat(world.call(client).failure().retryAfter()).contains(Duration.ofSeconds(30));
            client.control().isolate("p1", Duration.ofSeconds(90));
            assertThat(world.call(client).failure().retryAfter()).contains(Duration.ofSeconds(90));
            client.control().drain("p1", Duration.ofSeconds(200));
            assertThat(world.call(client).failure().retryAfter()).contains(Duration.ofSeconds(200));
        }
    }
}
