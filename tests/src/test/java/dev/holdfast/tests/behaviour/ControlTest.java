package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.BreakerState;
import dev.holdfast.CallEvent.ControlChanged;
import dev.holdfast.CallOptions;
import dev.holdfast.Explanation;
import dev.holdfast.FailureKind;
import dev.holdfast.Target;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.CircuitBreaker;
import dev.holdfast.core.ClientControl;
import dev.holdfast.core.ClientControl.Feature;
import dev.holdfast.core.ClientControlBean;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class ControlTest {
    private static final Duration WHILE = Duration.ofMinutes(10);
    private static final Target FIRST = new Target(World.MODEL, "p1");

    @Test
    void anIsolatedEndpointGetsNothingUntilTheOrderEnds() {
        World world = twoProviders();
        try (ResilientClient client = world.builder().build()) {
            client.control().isolate("p1", WHILE);
            world.call(client).answer();
            world.pass(WHILE);
            world.call(client).answer();

            assertThat(world.path()).containsExactly("p2", "p1");
            assertThat(client.control().orders()).isEmpty();
            assertThat(world.events(ControlChanged.class))
                    .extracting(ControlChanged::order)
                    .containsExactly(
                            "endpoint p1 is isolated for 600000 ms",
                            "no longer, its time is over: endpoint p1 is isolated");
            assertThat(client.control().ordersGiven()).isEqualTo(1);
        }
    }

    @Test
    void aCallWithNowhereElseToGoIsToldThatItWasOnPurpose() {
        World world = World.always(Reply.completion("ok"));
        try (ResilientClient client = world.builder().build()) {
            client.control().isolate("p1", WHILE);
            world.pass(Duration.ofMinutes(4));
            Ended call = world.call(client);

            assertThat(call.failure().kind()).isEqualTo(FailureKind.OUT_OF_SERVICE);
            assertThat(call.failure())
                    .hasMessageContaining("out_of_service: every target was taken out of service by an operator");
            assertThat(call.failure().retryAfter()).contains(Duration.ofMinutes(6));
            assertThat(world.sent()).isEmpty();
            client.control().restore("p1");
            assertThat(world.call(client).response()).isPresent();
        }
    }

    @Test
    void anExplanationTellsWhatWasTakenOutFromWhatFails() {
        World world = twoProviders();
        try (ResilientClient client =
                world.builder().breaker(BreakerPolicy.defaults()).build()) {
            client.control().isolate("p1", WHILE);
            client.control().forceOpen(new Target(World.MODEL, "p2"), WHILE);

            assertThat(client.explain(World.request()).candidates())
                    .extracting(Explanation.Candidate::reason)
                    .containsExactlyInAnyOrder(
                            "an operator took it out of service for 600000 ms", "its breaker is open for 600000 ms");
            assertThat(world.call(client).failure()).hasMessageContaining("every target was skipped");
        }
    }

    @Test
    void aDrainedEndpointServesTheCallsThatBeganThere() {
        World world =
                new World().provider("p1", FaultScript.of(Reply.status(503)).thenAlways(Reply.completion("ok")));
        try (ResilientClient client = world.builder().build()) {
            List<Ended> ended = new ArrayList<>();
            world.time().run(() -> {
                var began = world.startCall(client, ended);
                world.sleep(Duration.ofMillis(500));
                client.control().drain("p1", WHILE);
                ended.add(world.callHere(client));
                World.join(began);
            });
            assertThat(ended.get(0).failure().kind()).isEqualTo(FailureKind.OUT_OF_SERVICE);
            assertThat(ended.get(1).answer().attempts()).hasSize(2);
        }
    }

    @Test
    void aDrainedEndpointReadsItsStreamsToTheirEndAndBeginsNone() {
        Reply slow =
                Sse.every(Duration.ofSeconds(1), Sse.ROLE, Sse.text("Rhine"), Sse.text(", Rhone"), Sse.STOP, Sse.DONE);
        World world = new World()
                .provider("p1", FaultScript.always(slow))
                .provider("p2", FaultScript.always(Sse.of(Sse.ROLE, Sse.text("Danube"), Sse.STOP, Sse.DONE)));
        try (ResilientClient client =
                world.builder().breaker(BreakerPolicy.defaults()).build()) {
            List<Reader> read = new ArrayList<>();
            world.time().run(() -> {
                startStream(world, client, read);
                world.sleep(Duration.ofMillis(2_500));
                startStream(world, client, read);
                world.sleep(Duration.ofMillis(500));
                client.control().drain("p1", WHILE);
                read.add(Reader.read(world, client, World.request(), CallOptions.none()));
                assertThat(world.open()).as("streams at the drained endpoint").isEqualTo(2);
            });
            assertThat(read).extracting(Reader::text).containsExactly("Danube", "Rhine, Rhone", "Rhine, Rhone");
            assertThat(read)
                    .allSatisfy(each -> assertThat(each.answer().attempts()).hasSize(1));
            assertThat(world.path()).containsExactly("p1", "p1", "p2");
            assertThat(world.open()).isZero();
            assertThat(client.control().callsInFlight()).isZero();
            client.control().restore("p1");
            assertThat(Reader.of(world, client).text()).isEqualTo("Rhine, Rhone");
        }
    }

    /** One that was there before may try again, also if what it asked for is a stream. */
    @Test
    void aStreamThatHasNotBegunWhenItsEndpointIsDrainedMayStillTryAgainThere() {
        Reply good = Sse.of(Sse.ROLE, Sse.text("Rhine"), Sse.STOP, Sse.DONE);
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.of(Reply.status(503).withDelay(Duration.ofSeconds(1)))
                                .thenAlways(good));
        try (ResilientClient client = world.builder().build()) {
            List<Reader> read = new ArrayList<>();
            world.time().run(() -> {
                startStream(world, client, read);
                world.sleep(Duration.ofMillis(500));
                client.control().drain("p1", WHILE);
            });
            assertThat(read.getFirst().answer().attempts()).hasSize(2);
            assertThat(Reader.of(world, client).error().orElseThrow().kind()).isEqualTo(FailureKind.OUT_OF_SERVICE);
        }
    }

    private static void startStream(World world, ResilientClient client, List<Reader> read) {
        world.time()
                .start(
                        "holdfast-test-stream",
                        () -> read.add(Reader.read(world, client, World.request(), CallOptions.none())));
    }

    @Test
    void aForcedBreakerIsAsItsPolicySaysWhenTheOrderEnds() {
        World world = World.always(Reply.completion("ok"));
        try (ResilientClient client =
                world.builder().breaker(BreakerPolicy.defaults()).build()) {
            ClientControl control = client.control();
            control.forceOpen(FIRST, WHILE);
            assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
            assertThat(control.breakers())
                    .extracting(CircuitBreaker.Status::state)
                    .containsExactly(BreakerState.FORCED_OPEN);
            control.reset(FIRST);
            assertThat(world.call(client).response()).isPresent();
            control.forceOpen(FIRST, WHILE);
            world.pass(WHILE);
            assertThat(world.call(client).response()).isPresent();
            control.disable(FIRST, WHILE);
            assertThat(control.breakers().getFirst().state()).isEqualTo(BreakerState.DISABLED);
            assertThat(control.ordersGiven()).isEqualTo(4);
        }
    }

    @Test
    void ofTwoOrdersForABreakerTheLaterOneHoldsForItsOwnTime() {
        World world = World.always(Reply.completion("ok"));
        try (ResilientClient client =
                world.builder().breaker(BreakerPolicy.defaults()).build()) {
            ClientControl control = client.control();
            control.forceOpen(FIRST, Duration.ofHours(1));
            control.disable(FIRST, WHILE);
            world.pass(WHILE.minusMinutes(1));
            assertThat(control.breakers().getFirst().state()).isEqualTo(BreakerState.DISABLED);
            control.disable(FIRST, WHILE);
            world.pass(WHILE.minusMinutes(1));
            assertThat(control.breakers().getFirst().state())
                    .as("it began anew")
                    .isEqualTo(BreakerState.DISABLED);
            world.pass(Duration.ofMinutes(1));
            assertThat(control.breakers().getFirst().state()).isEqualTo(BreakerState.CLOSED);
            assertThat(control.breakers().getFirst().transitions()).isEqualTo(3);
        }
    }

    @Test
    void aClientWhoseNameIsTakenLeavesTheBeanOfTheOther() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        var name = new ObjectName("dev.holdfast:type=ResilientClient,name=\"taken\"");
        World world = World.always(Reply.completion("ok"));
        try (ResilientClient one = world.builder().build()) {
            one.control().register("taken");
            try (ResilientClient other = world.builder().build()) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> other.control().register("taken"));
            }
            assertThat(server.isRegistered(name)).isTrue();
        }
        assertThat(server.isRegistered(name)).isFalse();
    }

    @Test
    void retryAndFallbackCanBeSwitchedOff() {
        World world = World.always(Reply.status(503));
        var settings = ModelSettings.of(World.MODEL).withFallbacks("other");
        try (ResilientClient client =
                world.builder().model(settings).model(ModelSettings.of("other")).build()) {
            client.control().switchOff(Feature.FALLBACK, WHILE);
            assertThat(world.call(client).failure().attempts()).hasSize(4);
            client.control().switchOff(Feature.RETRY, WHILE);
            assertThat(world.call(client).failure().attempts()).hasSize(1);
            client.control().switchOn(Feature.FALLBACK);
            assertThat(world.call(client).failure().attempts()).hasSize(2);
            assertThat(client.control().isOn(Feature.RETRY)).isFalse();
            world.pass(WHILE);
            assertThat(client.control().isOn(Feature.RETRY)).isTrue();
            assertThat(world.call(client, CallOptions.none().withFallback(false))
                            .failure()
                            .attempts())
                    .hasSize(4);
        }
    }

    @Test
    void fewerCallsAreLetInAndThoseInFlightGoOn() {
        World world = World.always(Reply.completion("ok").withDelay(Duration.ofSeconds(10)));
        try (ResilientClient client = world.builder().build()) {
            List<Ended> ended = new ArrayList<>();
            world.time().run(() -> {
                for (int i = 0; i < 3; i++) {
                    world.startCall(client, ended);
                }
                world.sleep(Duration.ofSeconds(1));
                assertThat(client.control().callsInFlight()).isEqualTo(3);
                client.control().capCalls(2, WHILE);
                ended.add(world.callHere(client));
                client.control().uncapCalls();
                ended.add(world.callHere(client));
            });
            assertThat(ended.getFirst().failure().kind()).isEqualTo(FailureKind.CLIENT_OVERLOADED);
            assertThat(ended).filteredOn(each -> each.response().isPresent()).hasSize(4);
        }
    }

    @Test
    void tellsWhichOrdersStandAndForHowLong() {
        World world = twoProviders();
        try (ResilientClient client = world.builder().build()) {
            ClientControl control = client.with(CallOptions.none()).control();
            control.capCalls(7, WHILE);
            control.drain("p2", Duration.ofMinutes(20));
            world.pass(Duration.ofMinutes(1));

            assertThat(client.control().orders())
                    .containsExactly(
                            new ClientControl.StandingOrder("calls in flight are capped at 7", Duration.ofMinutes(9)),
                            new ClientControl.StandingOrder("endpoint p2 is drained", Duration.ofMinutes(19)));
        }
    }

    @Test
    void refusesWhatItCannotDo() {
        World world = World.always(Reply.completion("ok"));
        try (ResilientClient client = world.builder().build()) {
            ClientControl control = client.control();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> control.isolate("p9", WHILE))
                    .withMessage("endpoint: p9 (expected: one of [p1])");
            assertThatIllegalArgumentException().isThrownBy(() -> control.isolate("p1", Duration.ZERO));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> control.isolate("p1", Duration.ofSeconds(Long.MAX_VALUE)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> control.forceOpen(FIRST, WHILE))
                    .withMessageContaining("has no breaker");
            assertThatIllegalArgumentException().isThrownBy(() -> control.capCalls(-1, WHILE));
            assertThat(control.ordersGiven()).isZero();
        }
    }

    @Test
    void isABeanOfThePlatformUntilTheClientIsClosed() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        var name = new ObjectName("dev.holdfast:type=ResilientClient,name=\"control:test\"");
        World world = World.always(Reply.completion("ok"));
        try (ResilientClient client =
                world.builder().breaker(BreakerPolicy.defaults()).build()) {
            client.control().register("control:test");
            world.call(client).answer();
            ClientControlBean bean = JMX.newMXBeanProxy(server, name, ClientControlBean.class);
            bean.isolate("p1", 60);
            bean.switchOff("retry", 60);

            assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.OUT_OF_SERVICE);
            assertThat(bean.getOrders())
                    .containsExactly("endpoint p1 is isolated, 60 s left", "retry is off, 60 s left");
            assertThat(bean.getBreakers()).containsOnlyKeys(FIRST.toString());
            assertThat(bean.getBreakers().get(FIRST.toString())).startsWith("CLOSED, failures in a row 0");
            assertThat(bean.getCallsInFlight()).isZero();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bean.switchOff("retries", 60))
                    .withMessage("feature: retries (expected: one of [RETRY, FALLBACK, HEDGE, CACHE])");
            bean.restore("p1");
            bean.switchOn("RETRY");
            bean.forceOpen(World.MODEL, "p1", 60);
            assertThat(bean.getBreakers().get(FIRST.toString())).startsWith("FORCED_OPEN");
            bean.disable(World.MODEL, "p1", 60);
            bean.reset(World.MODEL, "p1");
            bean.drain("p1", 60);
            bean.capCalls(3, 60);
            bean.uncapCalls();
            assertThat(bean.getOrders()).containsExactly("endpoint p1 is drained, 60 s left");
            assertThat(bean.getOrdersGiven()).isEqualTo(10);
            assertThatIllegalStateException().isThrownBy(() -> client.control().register("control:test"));
        }
        assertThat(server.isRegistered(name)).isFalse();
    }

    @Test
    void aClosedClientRegistersNothing() throws Exception {
        ResilientClient client = World.always(Reply.completion("ok")).builder().build();
        client.close();
        assertThatIllegalStateException().isThrownBy(() -> client.control().register("closed"));
        assertThat(ManagementFactory.getPlatformMBeanServer()
                        .isRegistered(new ObjectName("dev.holdfast:type=ResilientClient,name=\"closed\"")))
                .isFalse();
    }

    private static World twoProviders() {
        return new World()
                .provider("p1", FaultScript.always(Reply.completion("ok")))
                .provider("p2", FaultScript.always(Reply.completion("ok")));
    }
}
