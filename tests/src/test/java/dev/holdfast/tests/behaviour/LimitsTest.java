package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallEvent.AttemptQueued;
import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelRequest;
import dev.holdfast.Priority;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits within a client. */
class LimitsTest {
    private static final LimitPolicy PATIENT = LimitPolicy.defaults().withMaxWait(Duration.ofHours(1));

    @Test
    void modelsOfAFamilyShareRatesOnOneAccount() {
        World world = World.of();
        LimitPolicy two = PATIENT.withRpm(2);
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of("a").withFamily("f").withLimits(two))
                .model(ModelSettings.of("b").withFamily("f"))
                .retry(World.retry().withoutDeadline())
                .build()) {
            for (String model : List.of("a", "b", "a", "b")) {
                world.call(client, request(model), CallOptions.none()).answer();
            }
        }
        assertThat(world.times()).containsExactly(seconds(0), seconds(0), seconds(60), seconds(60));
    }

    @Test
    void aRateLimitOfOneModelCoolsDownItsFamily() {
        World world = World.of(Reply.rateLimited(seconds(30)));
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of("a").withFamily("f"))
                .model(ModelSettings.of("b").withFamily("f"))
                .build()) {
            List<Ended> calls = new ArrayList<>();
            world.time().run(() -> {
                world.time()
                        .start("holdfast-a", () -> calls.add(world.callHere(client, request("a"), CallOptions.none())));
                world.sleep(seconds(1));
                calls.add(world.callHere(client, request("b"), CallOptions.none()));
            });
            assertThat(calls).allMatch(call -> call.response().isPresent());
        }
        assertThat(world.times().get(1)).isGreaterThanOrEqualTo(seconds(30));
    }

    @Test
    void placesInFlightStayEachModelsOwnInAFamily() {
        World world = World.always(Reply.completion("ok").withDelay(seconds(5)));
        LimitPolicy rates = PATIENT.withRpm(100);
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of("a").withFamily("f").withLimits(rates.withConcurrency(1)))
                .model(ModelSettings.of("b").withFamily("f").withLimits(rates.withConcurrency(1)))
                .build()) {
            world.time().run(() -> {
                for (String model : List.of("a", "a", "b")) {
                    world.time()
                            .start(
                                    "holdfast-" + model,
                                    () -> world.callHere(client, request(model), CallOptions.none()));
                }
            });
        }
        assertThat(world.times()).containsExactly(seconds(0), seconds(0), seconds(5));
    }

    @Test
    void modelsOfAFamilyCannotHaveDifferentRates() {
        assertThatThrownBy(() -> World.of()
                        .builder()
                        .model(ModelSettings.of("a").withFamily("f").withLimits(PATIENT.withRpm(2)))
                        .model(ModelSettings.of("b").withFamily("f").withLimits(PATIENT.withRpm(3)))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("limits of family f: LimitPolicy[rpm=OptionalLong[3]")
                .hasMessageContaining("(expected: the same as those of model a, ");
    }

    @Test
    void interactiveCallsPassBatchCallsInTheQueueAndItIsTold() {
        World world = World.always(Reply.completion("ok").withDelay(seconds(5)));
        List<Priority> order = new ArrayList<>();
        try (ResilientClient client = world.builder()
                .limits(World.MODEL, PATIENT.withConcurrency(1))
                .retry(World.retry().withoutDeadline())
                .build()) {
            world.time().run(() -> {
                for (int i = 0; i < 3; i++) {
                    start(world, client, Priority.BATCH, order);
                }
                world.sleep(seconds(1));
                for (int i = 0; i < 2; i++) {
                    start(world, client, Priority.INTERACTIVE, order);
                }
            });
        }
        assertThat(order)
                .containsExactly(
                        Priority.BATCH, Priority.INTERACTIVE, Priority.INTERACTIVE, Priority.BATCH, Priority.BATCH);
        assertThat(world.events(AttemptQueued.class)).hasSize(4);
    }

    private static void start(World world, ResilientClient client, Priority priority, List<Priority> order) {
        world.time().start("holdfast-call", () -> {
            world.callHere(client, World.request(), CallOptions.none().withPriority(priority));
            order.add(priority);
        });
    }

    @Test
    void whatRemainsByTheHeadersSlowsDownBeforeARefusal() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.completion("ok").withRateLimit(1, seconds(30))));
        try (ResilientClient client = world.builder()
                .limits(World.MODEL, PATIENT.withRpm(100))
                .retry(World.retry().withoutDeadline())
                .build()) {
            for (int i = 0; i < 2; i++) {
                world.call(client).answer();
            }
        }
        assertThat(world.times()).containsExactly(seconds(0), seconds(15));
    }

    @Test
    void aRateLimitClosesTheWindowAlsoWhereCooldownsAreOff() {
        World world = World.of(Reply.rateLimited(seconds(30)));
        List<Ended> calls = new ArrayList<>();
        try (ResilientClient client = world.builder()
                .limits(World.MODEL, PATIENT.withRpm(100))
                .retry(World.retry().withoutCooldowns().withMaxAttempts(1))
                .build()) {
            calls.add(world.call(client));
            calls.add(world.call(client));
        }
        assertThat(calls.getFirst().failure().kind()).isEqualTo(FailureKind.RATE_LIMITED);
        assertThat(world.times()).containsExactly(seconds(0), seconds(30));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDelayOfYearsShutsAnAccountForADayAtMost(boolean cooldowns) {
        World world = World.of(Reply.rateLimited(Duration.ofDays(3_000)));
        RetryPolicy once = World.retry().withMaxAttempts(1);
        try (ResilientClient client = world.builder()
                .limits(World.MODEL, LimitPolicy.defaults().withRpm(100))
                .retry(cooldowns ? once : once.withoutCooldowns())
                .build()) {
            assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.RATE_LIMITED);
            assertThat(world.call(client).failure().retryAfter()).contains(Duration.ofDays(1));
            world.pass(Duration.ofDays(1));
            assertThat(world.call(client).response()).isPresent();
        }
    }

    @Test
    void moreBytesThanTheRequestsInFlightMayHoldAreRefusedAtOnce() {
        World world = World.always(Reply.completion("ok").withDelay(seconds(5)));
        List<Ended> calls = new ArrayList<>();
        try (ResilientClient client = world.builder().maxInFlightBytes(50_000).build()) {
            ModelRequest large =
                    ModelRequest.chat(World.MODEL).user("x".repeat(20_000)).build();
            world.time().run(() -> {
                for (int i = 0; i < 2; i++) {
                    world.time()
                            .start("holdfast-call", () -> calls.add(world.callHere(client, large, CallOptions.none())));
                }
            });
            calls.add(world.call(client, large, CallOptions.none()));
        }
        assertThat(calls.getFirst().failure().kind()).isEqualTo(FailureKind.CLIENT_OVERLOADED);
        assertThat(calls.getFirst().failure()).hasMessageContaining("maxInFlightBytes");
        assertThat(calls.getFirst().took()).isZero();
        assertThat(calls.get(1).response()).isPresent();
        assertThat(calls.get(2).response()).as("what was held is free again").isPresent();
        assertThatThrownBy(() -> world.builder().maxInFlightBytes(0))
                .hasMessage("maxInFlightBytes: 0 (expected: >= 1)");
    }

    private static ModelRequest request(String model) {
        return ModelRequest.chat(model).user("Name three rivers.").build();
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
