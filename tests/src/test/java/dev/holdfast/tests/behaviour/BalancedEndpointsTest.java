package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Weather;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How balanced calls are spread over endpoints, and which of them stay together. */
class BalancedEndpointsTest {
    @Test
    void balancedCallsFollowTheWeights() {
        World world = new World()
                .provider("p1", Weather.of(FaultScript.healthy()), builder -> builder.weight(3))
                .provider("p2", FaultScript.healthy());
        int calls = 2_000;
        try (ResilientClient client = balanced(world)) {
            for (int i = 0; i < calls; i++) {
                world.call(client);
            }
            double deviation = Math.sqrt(calls * 0.75 * 0.25);
            assertThat((double) world.sentTo("p1").size())
                    .isBetween(calls * 0.75 - 5 * deviation, calls * 0.75 + 5 * deviation);
        }
    }

    @Test
    void balancedCallsAvoidASlowEndpointAndLookAtItNowAndThen() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.completion("ok").withDelay(Duration.ofSeconds(4))))
                .provider("p2", FaultScript.always(Reply.completion("ok").withDelay(Duration.ofMillis(500))));
        try (ResilientClient client = balanced(world)) {
            for (int i = 0; i < 500; i++) {
                world.call(client);
            }
            assertThat(world.sentTo("p1").size()).isBetween(2, 25);
        }
    }

    @Test
    void balancedCallsInFlightAreSpread() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.completion("ok").withDelay(Duration.ofSeconds(1))))
                .provider("p2", FaultScript.always(Reply.completion("ok").withDelay(Duration.ofSeconds(1))));
        List<Ended> results = new ArrayList<>();
        try (ResilientClient client = balanced(world)) {
            world.time().run(() -> {
                List<Timekeeper.Task> tasks = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    tasks.add(world.startCall(client, results));
                }
                tasks.forEach(World::join);
            });
        }
        assertThat(results).hasSize(100).allMatch(ended -> ended.response().isPresent());
        assertThat(world.sentTo("p1").size()).isBetween(48, 52);
    }

    @Test
    void balancedCallsSkipAnOpenBreakerWithoutARejection() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503)))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder()
                .retry(RetryPolicy.none())
                .breaker(BreakerPolicy.defaults().withFailureThreshold(1))
                .endpointPolicy(EndpointPolicy.loadBalanced())
                .build()) {
            for (int i = 0; i < 40; i++) {
                assertThat(world.call(client).answer().endpoint()).contains("p2");
            }
            assertThat(world.sentTo("p1")).hasSize(1);
            assertThat(world.events(CallEvent.TargetRejected.class)).isEmpty();
        }
    }

    @Test
    void theSameSeedMakesTheSameChoices() {
        assertThat(pathOf(1)).isEqualTo(pathOf(1)).isNotEqualTo(pathOf(2));
    }

    private static List<String> pathOf(long seed) {
        World world = new World();
        List.of("p1", "p2", "p3").forEach(name -> world.provider(name, FaultScript.healthy()));
        try (ResilientClient client = world.builder()
                .random(new Random(seed))
                .endpointPolicy(EndpointPolicy.loadBalanced())
                .build()) {
            for (int i = 0; i < 50; i++) {
                world.call(client);
            }
        }
        return world.path();
    }

    @Test
    void aConversationStaysAtItsEndpointMovesWhileThatCoolsDownAndReturns() {
        var limited = new AtomicReference<>("");
        World world = new World();
        for (String name : List.of("p1", "p2", "p3")) {
            world.provider(
                    name,
                    FaultScript.answering(request -> name.equals(limited.get())
                            ? Reply.rateLimited(Duration.ofSeconds(20))
                            : Reply.completion("ok")));
        }
        CallOptions mine = CallOptions.none().withAffinityKey("user-7");
        try (ResilientClient client = balanced(world)) {
            for (int i = 0; i < 20; i++) {
                world.call(client, mine);
            }
            assertThat(Set.copyOf(world.path())).hasSize(1);
            String home = world.path().getFirst();
            limited.set(home);
            String refuge = world.call(client, mine).answer().endpoint().orElseThrow();
            limited.set("");
            assertThat(refuge).isNotEqualTo(home);
            for (int i = 0; i < 10; i++) {
                assertThat(world.call(client, mine).answer().endpoint()).contains(refuge);
                assertThat(world.call(client, mine).answer().attempts()).hasSize(1);
            }
            world.pass(Duration.ofSeconds(21));
            assertThat(world.call(client, mine).answer().endpoint()).contains(home);
        }
    }

    @Test
    void onlyKeysOfItsOwnTryAnEndpointThatWasAway() {
        World world = new World();
        world.provider("p1", world.downUntil(Duration.ofSeconds(20))).provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder()
                .retry(RetryPolicy.none())
                .endpointPolicy(EndpointPolicy.loadBalanced())
                .build()) {
            List<CallOptions> keys = IntStream.range(0, 20)
                    .mapToObj(i -> CallOptions.none().withAffinityKey("user-" + i))
                    .toList();
            List<CallOptions> ofFirst = keys.stream()
                    .filter(key -> client.explain(World.request(), key)
                            .order()
                            .getFirst()
                            .endpoint()
                            .equals("p1"))
                    .toList();
            assertThat(ofFirst).hasSizeBetween(3, 17);
            ofFirst.forEach(key -> world.call(client, key));
            int sent = world.sentTo("p1").size();
            world.pass(Duration.ofSeconds(40));
            keys.stream().filter(key -> !ofFirst.contains(key)).forEach(key -> world.call(client, key));
            assertThat(world.sentTo("p1")).as("others leave it alone").hasSize(sent);
            for (int i = 0; i < 2; i++) {
                world.call(client, ofFirst.getFirst());
            }
            assertThat(world.sentTo("p1").size()).isEqualTo(sent + 2);
            ofFirst.forEach(key -> world.call(client, key));
            assertThat(world.sentTo("p1").size() - sent - 2)
                    .as("it has just returned, and its keys come back little by little")
                    .isLessThanOrEqualTo(ofFirst.size() / 2);
            world.pass(Duration.ofSeconds(30));
            int early = world.sentTo("p1").size();
            ofFirst.forEach(key -> world.call(client, key));
            assertThat(world.sentTo("p1").size()).isEqualTo(early + ofFirst.size());
        }
    }

    @Test
    void promptsThatBeginAlikeGoTogetherWhereThePolicySaysSo() {
        World world = new World();
        List.of("p1", "p2", "p3", "p4").forEach(name -> world.provider(name, FaultScript.healthy()));
        try (ResilientClient client = world.builder()
                .endpointPolicy(EndpointPolicy.loadBalanced().withAffinity(true))
                .build()) {
            Set<String> used = new HashSet<>();
            for (int prompt = 0; prompt < 20; prompt++) {
                String system = ("You answer as clerk number " + prompt + ". ").repeat(100);
                Set<String> endpoints = new HashSet<>();
                for (int question = 0; question < 5; question++) {
                    ModelRequest request = ModelRequest.chat(World.MODEL)
                            .system(system)
                            .user("Question " + question)
                            .build();
                    endpoints.add(world.call(client, request, CallOptions.none())
                            .answer()
                            .endpoint()
                            .orElseThrow());
                }
                assertThat(endpoints).hasSize(1);
                used.addAll(endpoints);
            }
            assertThat(used).as("different prompts are spread").hasSize(4);
        }
    }

    private static ResilientClient balanced(World world) {
        return world.builder().endpointPolicy(EndpointPolicy.loadBalanced()).build();
    }
}
