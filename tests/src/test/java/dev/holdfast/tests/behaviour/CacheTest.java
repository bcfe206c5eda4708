package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CacheMode;
import dev.holdfast.CallEvent.CacheConsulted;
import dev.holdfast.CallEvent.CacheOutcome;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.ModelRequest;
import dev.holdfast.cache.CachePolicy;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The response cache as an interceptor of a whole client. */
class CacheTest {
    @Test
    void aRepeatedQuestionIsAnsweredFromTheCacheForNothing() {
        World world = World.of();
        List<CacheOutcome> heard = new ArrayList<>();
        try (ResilientClient client = client(world, heard)) {
            assertThat(world.call(client).answer().fromCache()).isFalse();
            Ended second = world.call(client);
            assertThat(second.answer().fromCache()).isTrue();
            assertThat(second.answer().attempts()).isEmpty();
            assertThat(second.answer().cost()).contains(Cost.ZERO);
            assertThat(second.answer().endpoint()).contains("p1");
        }
        assertThat(world.sent()).hasSize(1);
        assertThat(heard).containsExactly(CacheOutcome.MISS, CacheOutcome.HIT);
    }

    @Test
    void callersOfOneQuestionShareOneFlightThroughRetriesAndAll() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.of(Reply.status(503))
                                .thenAlways(Reply.completion("ok").withDelay(Duration.ofSeconds(1))));
        List<CacheOutcome> heard = new ArrayList<>();
        List<Ended> calls = new ArrayList<>();
        try (ResilientClient client = client(world, heard)) {
            world.time().run(() -> {
                for (int i = 0; i < 20; i++) {
                    world.startCall(client, calls);
                }
            });
        }
        assertThat(calls).hasSize(20).allMatch(call -> call.response().isPresent());
        assertThat(world.sent()).as("one failed attempt and its retry").hasSize(2);
        assertThat(heard)
                .containsOnlyOnce(CacheOutcome.MISS)
                .filteredOn(CacheOutcome.JOINED::equals)
                .hasSize(19);
    }

    @Test
    void aFailureIsNotStored() {
        World world = World.of(Reply.status(400));
        try (ResilientClient client = client(world, new ArrayList<>())) {
            assertThat(world.call(client).error()).isPresent();
            assertThat(world.call(client).answer().fromCache()).isFalse();
        }
        assertThat(world.sent()).hasSize(2);
    }

    @Test
    void tenantsDoNotShareAnswers() {
        World world = World.of();
        try (ResilientClient client = client(world, new ArrayList<>())) {
            world.call(client.with(CallOptions.none().withTenant("a")));
            world.call(client.with(CallOptions.none().withTenant("b")));
            world.call(client.with(CallOptions.none().withTenant("a")));
        }
        assertThat(world.sent()).hasSize(2);
    }

    @Test
    void aRequestForAStreamIsRefusedBeforeAnythingIsSent() {
        World world = World.of();
        ModelRequest stream = ModelRequest.chat(World.MODEL)
                .user("x")
                .with("stream", dev.holdfast.JsonValue.of(true))
                .build();
        try (ResilientClient client = world.builder().build()) {
            world.time()
                    .run(() -> assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> client.call(stream)))
                            .isInstanceOf(dev.holdfast.CallRejectedException.class)
                            .hasMessageStartingWith("invalid_request: /stream: true (expected: absent or false"));
        }
        assertThat(world.sent()).isEmpty();
    }

    private static ResilientClient client(World world, List<CacheOutcome> heard) {
        var caching = ResponseCaching.of(
                new CaffeineResponseCache(1 << 20, world.time()),
                CachePolicy.defaults().withMode(CacheMode.ALL),
                world.time(),
                new Random(1));
        return world.builder()
                .interceptor(caching)
                .listener(event -> {
                    if (event instanceof CacheConsulted consulted) {
                        heard.add(consulted.outcome());
                    }
                })
                .build();
    }
}
