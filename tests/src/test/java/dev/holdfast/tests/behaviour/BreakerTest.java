package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.CallEvent;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.CallRejectedException;
import dev.holdfast.FailureKind;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.BreakerWindow;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BreakerTest {
    private static final BreakerPolicy POLICY = BreakerPolicy.defaults()
            .withFailureThreshold(3)
            .withOpenTime(Duration.ofSeconds(10))
            .withProbes(1, 1);
    private static final CallOptions ONCE = CallOptions.none().withRetry(false);

    @Test
    void anOpenBreakerRejectsWithoutSendingAndSaysForHowLong() {
        World world = World.always(Reply.status(503));
        try (ResilientClient client = client(world)) {
            fail(world, client, 3);
            world.pass(Duration.ofSeconds(4));
            Ended call = world.call(client);

            assertThat(call.failure()).isInstanceOf(CallRejectedException.class);
            assertThat(call.failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
            assertThat(call.failure().retryAfter()).contains(Duration.ofSeconds(6));
            assertThat(call.failure().attempts()).isEmpty();
            assertThat(call.failure().rejections()).hasSize(1);
            assertThat(call.took()).isZero();
            assertThat(world.sent()).hasSize(3);
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void afterTheOpenTimeOneProbeOfManyCallersIsSentAndClosesIt() {
        World world = backAfterThreeFailures();
        try (ResilientClient client = client(world)) {
            List<Ended> calls = tenCallsAtTheEndOfTheOpenTime(world, client, ONCE);

            assertThat(calls).hasSize(10);
            assertThat(calls).filteredOn(call -> call.response().isPresent()).hasSize(1);
            assertThat(calls)
                    .filteredOn(call -> call.error().isPresent())
                    .allSatisfy(call -> assertThat(call.took()).isZero())
                    .extracting(call -> call.failure().kind())
                    .containsOnly(FailureKind.CIRCUIT_OPEN);
            assertThat(world.sent()).hasSize(4);
            assertThat(transitions(world))
                    .containsExactly(BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.CLOSED);
            assertThat(world.call(client).response()).isPresent();
        }
    }

    @Test
    void callersWhoMayTryAgainWaitForTheProbeAndAreServedAfterIt() {
        World world = backAfterThreeFailures();
        try (ResilientClient client = client(world)) {
            List<Ended> calls = tenCallsAtTheEndOfTheOpenTime(world, client, CallOptions.none());

            assertThat(calls).hasSize(10).allMatch(call -> call.response().isPresent());
            assertThat(world.times().get(3)).isEqualTo(Duration.ofSeconds(10));
            assertThat(world.times().subList(4, world.times().size()))
                    .as("none but the probe before the probe has ended")
                    .allMatch(time -> time.compareTo(Duration.ofSeconds(11)) >= 0);
            assertThat(transitions(world))
                    .containsExactly(BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.CLOSED);
        }
    }

    private static World backAfterThreeFailures() {
        Reply slow = Reply.completion("ok").withDelay(Duration.ofSeconds(1));
        Reply overloaded = Reply.status(503);
        return new World()
                .provider(
                        "p1", FaultScript.of(overloaded, overloaded, overloaded).thenAlways(slow));
    }

    private static List<Ended> tenCallsAtTheEndOfTheOpenTime(World world, ResilientClient client, CallOptions options) {
        fail(world, client, 3);
        List<Ended> calls = new ArrayList<>();
        world.time().run(() -> {
            world.sleep(Duration.ofSeconds(10));
            for (int i = 0; i < 10; i++) {
                world.time()
                        .start("holdfast-test-call", () -> calls.add(world.callHere(client, World.request(), options)));
            }
        });
        return calls;
    }

    @Test
    void aShortOpenTimeIsWaitedOutByACallThatMayTryAgain() {
        Reply overloaded = Reply.status(503);
        World world = World.of(overloaded, overloaded, overloaded);
        BreakerPolicy brief = POLICY.withOpenTime(Duration.ofSeconds(2));
        try (ResilientClient client = world.builder().breaker(brief).build()) {
            fail(world, client, 3);
            Ended hasty = world.call(client, ONCE);
            Ended patient = world.call(client);

            assertThat(hasty.failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
            assertThat(hasty.took()).isZero();
            assertThat(patient.answer().attempts()).hasSize(1);
            assertThat(patient.took()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(3));
        }
    }

    @Test
    void aFailedProbeOpensItAgain() {
        World world = World.always(Reply.status(503));
        try (ResilientClient client = client(world)) {
            fail(world, client, 3);
            world.pass(Duration.ofSeconds(10));
            Ended probe = world.call(client);
            Ended rejected = world.call(client);

            assertThat(probe.failure().kind()).isEqualTo(FailureKind.OVERLOADED);
            assertThat(rejected.failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
            assertThat(world.sent()).hasSize(4);
            assertThat(transitions(world))
                    .containsExactly(BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.OPEN);
        }
    }

    @Test
    void theFailuresOfOneCallCountOnce() {
        World world = World.always(Reply.status(503));
        try (ResilientClient client = client(world)) {
            assertThat(world.call(client).failure().attempts()).hasSize(4);
            assertThat(world.call(client).failure().attempts()).hasSize(4);
            assertThat(transitions(world)).isEmpty();

            world.call(client).failure();
            assertThat(transitions(world)).containsExactly(BreakerState.OPEN);
        }
    }

    @Test
    void callsThatFoundItClosedGoOnTryingUntilItOpens() {
        World world = World.always(Reply.status(503));
        try (ResilientClient client = client(world)) {
            fail(world, client, 2);
            Ended call = world.call(client);

            assertThat(world.sent()).hasSize(3);
            assertThat(call.failure().kind()).isIn(FailureKind.OVERLOADED, FailureKind.CIRCUIT_OPEN);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 402, 403, 404, 413, 422, 429})
    void whatIsNotTheTargetsBreakageDoesNotOpenIt(int status) {
        World world = World.always(Reply.status(status));
        try (ResilientClient client = client(world)) {
            world.time().run(() -> {
                for (int i = 0; i < 10; i++) {
                    world.callHere(client, World.request(), ONCE);
                    world.sleep(Duration.ofMinutes(2));
                }
            });

            assertThat(world.sent()).hasSize(10);
            assertThat(transitions(world)).isEmpty();
        }
    }

    @Test
    void aRefusalInHalfOpenGivesTheProbeBack() {
        World world = World.of(
                Reply.status(503), Reply.status(503), Reply.status(503), Reply.status(400), Reply.completion("ok"));
        try (ResilientClient client = client(world)) {
            fail(world, client, 3);
            world.pass(Duration.ofSeconds(10));

            assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.INVALID_REQUEST);
            assertThat(world.call(client).answer().text()).contains("ok");
        }
    }

    @Test
    void anInterruptedProbeGivesItsPlaceBack() {
        World world =
                World.of(Reply.status(503), Reply.status(503), Reply.status(503), Reply.hang(), Reply.completion("ok"));
        try (ResilientClient client = client(world)) {
            fail(world, client, 3);
            List<Ended> calls = new ArrayList<>();
            world.time().run(() -> {
                world.sleep(Duration.ofSeconds(10));
                Timekeeper.Task probe = world.startCall(client, calls);
                world.sleep(Duration.ofSeconds(1));
                probe.interrupt();
                World.join(probe);
                calls.add(world.callHere(client));
            });

            assertThat(calls.getFirst().failure().kind()).isEqualTo(FailureKind.CANCELLED);
            assertThat(calls.getLast().answer().text()).contains("ok");
        }
    }

    @Test
    void theServersSuggestionKeepsItOpenLonger() {
        World world = World.always(Reply.status(503).withHeader("Retry-After", "60"));
        BreakerPolicy touchy = POLICY.withFailureThreshold(1);
        try (ResilientClient client = world.builder().breaker(touchy).build()) {
            world.time().run(() -> {
                for (int i = 0; i < 60; i++) {
                    world.callHere(client, World.request(), ONCE);
                    world.sleep(Duration.ofSeconds(1));
                }
            });

            assertThat(world.sent()).hasSize(1);
        }
    }

    @Test
    void anOpenBreakerSendsTheCallToAnotherTargetAtOnce() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503).withDelay(Duration.ofMillis(300))))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = client(world)) {
            for (int i = 0; i < 10; i++) {
                assertThat(world.call(client, ONCE).answer().endpoint()).contains("p2");
            }

            assertThat(world.sentTo("p1")).hasSize(3);
            assertThat(world.call(client, ONCE).took()).isZero();
        }
    }

    @Test
    void aCallMayWaitForAnOpenBreaker() {
        World world = World.of(Reply.status(503), Reply.status(503), Reply.status(503));
        var policy = World.retry().withMaxAttempts(1).withWaitWhenOpen(true);
        try (ResilientClient client =
                world.builder().breaker(POLICY).retry(policy).build()) {
            fail(world, client, 3);
            Ended call = world.call(client);

            assertThat(call.answer().attempts()).hasSize(1);
            assertThat(call.took()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(15));
        }
    }

    @Test
    void aRejectedCallTakesNothingFromTheLimits() {
        World world = World.of(Reply.status(503), Reply.status(503), Reply.status(503));
        LimitPolicy four = LimitPolicy.defaults().withRpm(4).withMaxWait(Duration.ZERO);
        try (ResilientClient client =
                world.builder().breaker(POLICY).limits(World.MODEL, four).build()) {
            fail(world, client, 3);
            for (int i = 0; i < 20; i++) {
                assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
            }
            world.pass(Duration.ofSeconds(10));

            assertThat(world.call(client).response()).isPresent();
        }
    }

    @Test
    void eachTargetHasItsOwn() {
        World world = World.of(Reply.status(503), Reply.status(503), Reply.status(503));
        try (ResilientClient client = client(world)) {
            fail(world, client, 3);

            assertThat(world.call(
                                    client,
                                    dev.holdfast.ModelRequest.chat("other")
                                            .user("hi")
                                            .build(),
                                    ONCE)
                            .response())
                    .isPresent();
        }
    }

    /** How long a stream is says nothing of the target; how long it takes to begin does. */
    @Test
    void aStreamIsSlowByItsFirstEventAndNotByItsLength() {
        BreakerPolicy slowOpens =
                BreakerPolicy.defaults().withWindow(BreakerWindow.ofCalls(2).withSlowCalls(1, Duration.ofSeconds(3)));
        Reply longOne =
                Sse.every(Duration.ofSeconds(2), Sse.text("a"), Sse.text("b"), Sse.text("c"), Sse.STOP, Sse.DONE);
        World world = new World().provider("p1", FaultScript.always(longOne));
        try (ResilientClient client = world.builder().breaker(slowOpens).build()) {
            for (int i = 0; i < 3; i++) {
                assertThat(Reader.of(world, client).text()).isEqualTo("abc");
            }
            assertThat(client.control().breakers().getFirst().window()).isEqualTo(new CircuitBreaker.Counts(2, 0, 0));
        }

        Reply lateOne = Sse.every(Duration.ofSeconds(4), Sse.text("a"), Sse.STOP, Sse.DONE);
        World late = new World().provider("p1", FaultScript.always(lateOne));
        try (ResilientClient client = late.builder().breaker(slowOpens).build()) {
            Reader.of(late, client).answer();
            Reader.of(late, client).answer();
            assertThat(client.control().breakers().getFirst().state()).isEqualTo(BreakerState.OPEN);
        }
    }

    @Test
    void rateLimitsCountIfThePolicySaysSo() {
        World world = World.always(Reply.status(429));
        BreakerPolicy counting = POLICY.withCountRateLimits(true);
        try (ResilientClient client = world.builder()
                .breaker(counting)
                .retry(World.retry().withoutCooldowns())
                .build()) {
            fail(world, client, 3);

            assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
        }
    }

    private static ResilientClient client(World world) {
        return world.builder().breaker(POLICY).build();
    }

    private static void fail(World world, ResilientClient client, int times) {
        for (int i = 0; i < times; i++) {
            CallException failure = world.call(client, ONCE).failure();
            assertThat(failure.kind()).isNotEqualTo(FailureKind.CIRCUIT_OPEN);
        }
    }

    private static List<BreakerState> transitions(World world) {
        return world.events(CallEvent.BreakerChanged.class).stream()
                .map(CallEvent.BreakerChanged::to)
                .toList();
    }
}
