package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CacheMode;
import dev.holdfast.CallEvent.CacheConsulted;
import dev.holdfast.CallEvent.CacheOutcome;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.FailureKind;
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

    /** The leader has no time for what the server asks for, and leaves; the follower has, and waits it out. */
    @Test
    void aFlightWaitsAsLongAsAnyoneAboardWould() {
        World world = World.of(Reply.rateLimited(Duration.ofSeconds(20)));
        List<Ended> hasty = new ArrayList<>();
        List<Ended> patient = new ArrayList<>();
        try (ResilientClient client = client(world, new ArrayList<>())) {
            world.time().run(() -> {
                start(world, client, Duration.ofSeconds(10), hasty);
                start(world, client, Duration.ofSeconds(60), patient);
            });
        }
        assertThat(hasty.getFirst().failure()).isInstanceOf(DeadlineExceededException.class);
        assertThat(hasty.getFirst().took()).isEqualTo(Duration.ofSeconds(10));
        assertThat(patient.getFirst().answer().text()).isPresent();
        assertThat(patient.getFirst().took()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(23));
        assertThat(world.sent()).hasSize(2);
    }

    @Test
    void aLoneCallerFailsAtOnceAsItWouldWithoutACache() {
        World world = World.of(Reply.rateLimited(Duration.ofSeconds(20)));
        List<Ended> hasty = new ArrayList<>();
        try (ResilientClient client = client(world, new ArrayList<>())) {
            world.time().run(() -> start(world, client, Duration.ofSeconds(10), hasty));
        }
        assertThat(hasty.getFirst().failure().kind()).isEqualTo(FailureKind.RATE_LIMITED);
        assertThat(hasty.getFirst().failure().retryAfter()).contains(Duration.ofSeconds(20));
        assertThat(hasty.getFirst().took()).isZero();
    }

    /** The attempt in flight is the leader's, and outlives it. */
    @Test
    void anAttemptIsNotCutByTheDeadlineOfALeaderWhoHasFollowers() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.completion("ok").withDelay(Duration.ofSeconds(8))));
        List<Ended> hasty = new ArrayList<>();
        List<Ended> patient = new ArrayList<>();
        try (ResilientClient client = client(world, new ArrayList<>())) {
            world.time().run(() -> {
                start(world, client, Duration.ofSeconds(1), hasty);
                world.sleep(Duration.ofMillis(900));
                start(world, client, Duration.ofSeconds(60), patient);
            });
        }
        assertThat(hasty.getFirst().took()).isEqualTo(Duration.ofSeconds(1));
        assertThat(patient.getFirst().took()).isEqualTo(Duration.ofMillis(7_100));
        assertThat(world.sent()).hasSize(1);
        assertThat(world.open()).isZero();
    }

    @Test
    void whenTheLastCallerHasRunOutOfTimeItHearsThatItMayBeBilled() {
        World world = World.always(Reply.hang());
        List<Ended> hasty = new ArrayList<>();
        try (ResilientClient client = client(world, new ArrayList<>())) {
            world.time().run(() -> start(world, client, Duration.ofSeconds(1), hasty));
        }
        assertThat(hasty.getFirst().failure()).isInstanceOf(DeadlineExceededException.class);
        assertThat(hasty.getFirst().failure().mayHaveBeenBilled()).isTrue();
        assertThat(hasty.getFirst().failure().attempts()).hasSize(1);
        assertThat(world.open()).isZero();
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

    private static void start(World world, ResilientClient client, Duration deadline, List<Ended> ends) {
        CallOptions options = CallOptions.none().withDeadline(deadline);
        world.time().start("holdfast-test-call", () -> ends.add(world.callHere(client, World.request(), options)));
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
