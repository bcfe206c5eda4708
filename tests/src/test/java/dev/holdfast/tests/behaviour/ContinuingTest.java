package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BreakerState;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.BreakerChanged;
import dev.holdfast.FailureKind;
import dev.holdfast.Target;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
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

/** A client that goes on where an earlier one is, as after a change of the configuration. */
class ContinuingTest {
    private static final BreakerPolicy ONE_FAILURE =
            BreakerPolicy.defaults().withFailureThreshold(1).withOpenTime(Duration.ofMinutes(1));
    private static final LimitPolicy PATIENT = LimitPolicy.defaults().withMaxWait(Duration.ofHours(1));
    private static final Target TARGET = new Target(World.MODEL, "p1");
    private static final RetryPolicy ONCE = RetryPolicy.none();

    private static ClientBuilder limited(World world, LimitPolicy limits) {
        return world.builder().retry(ONCE).model(ModelSettings.of(World.MODEL).withLimits(limits));
    }

    @Test
    void anOpenBreakerStaysOpenAndItsEndIsTheSame() {
        World world = World.of(Reply.status(503));
        try (ResilientClient earlier =
                        world.builder().retry(ONCE).breaker(ONE_FAILURE).build();
                ResilientClient next = later(world, earlier, ONE_FAILURE)) {
            assertThat(world.call(next).failure().kind()).isEqualTo(FailureKind.CIRCUIT_OPEN);
            assertThat(world.sent()).hasSize(1);
            world.pass(Duration.ofMinutes(1));
            world.call(next).answer();
        }
    }

    @Test
    void aBreakerWithAnotherPolicyBeginsAnew() {
        World world = World.of(Reply.status(503));
        try (ResilientClient earlier =
                        world.builder().retry(ONCE).breaker(ONE_FAILURE).build();
                ResilientClient next = later(world, earlier, ONE_FAILURE.withFailureThreshold(2))) {
            world.call(next).answer();
        }
    }

    /** The earlier client's one call fails, so that its breaker is open. */
    private static ResilientClient later(World world, ResilientClient earlier, BreakerPolicy policy) {
        world.call(earlier).failure();
        return earlier.continueAs(world.builder().retry(ONCE).breaker(policy));
    }

    @Test
    void whatWasGrantedCountsUnderTheSameLimit() {
        World world = World.always(Reply.completion("ok"));
        LimitPolicy two = PATIENT.withRpm(2);
        try (ResilientClient earlier = limited(world, two).build()) {
            world.call(earlier).answer();
            world.call(earlier).answer();
            try (ResilientClient next = earlier.continueAs(limited(world, two))) {
                world.call(next).answer();
            }
        }
        assertThat(world.times()).containsExactly(seconds(0), seconds(0), seconds(60));
    }

    @Test
    void whatWasGrantedCountsUnderAnotherLimit() {
        World world = World.always(Reply.completion("ok"));
        LimitPolicy two = PATIENT.withRpm(2);
        try (ResilientClient earlier = limited(world, two).build()) {
            world.call(earlier).answer();
            world.call(earlier).answer();
            try (ResilientClient next = earlier.continueAs(limited(world, two.withRpm(3)))) {
                world.call(next).answer();
                world.call(next).answer();
            }
        }
        assertThat(world.times()).containsExactly(seconds(0), seconds(0), seconds(0), seconds(60));
    }

    @Test
    void placesInFlightOfTheEarlierClientAreTaken() {
        World world = World.always(Reply.completion("ok").withDelay(seconds(5)));
        LimitPolicy one = PATIENT.withConcurrency(1);
        try (ResilientClient earlier = limited(world, one).build()) {
            var first = new ArrayList<Ended>();
            var second = new ArrayList<Ended>();
            world.time().run(() -> {
                var call = world.startCall(earlier, first);
                world.sleep(seconds(1));
                second.add(world.callHere(earlier.continueAs(limited(world, one))));
                World.join(call);
            });
            first.getFirst().answer();
            second.getFirst().answer();
        }
        assertThat(world.times()).hasSize(2);
        assertThat(world.times().getLast()).isGreaterThanOrEqualTo(seconds(5));
    }

    @Test
    void aCooldownAndTheHealthAreKept() {
        World world = World.of(Reply.rateLimited(seconds(30)));
        try (ResilientClient earlier = world.builder().retry(ONCE).build()) {
            world.call(earlier).failure();
            try (ResilientClient next = earlier.continueAs(world.builder().retry(ONCE))) {
                assertThat(next.health().models())
                        .flatExtracting(model -> model.targets())
                        .allSatisfy(
                                target -> assertThat(target.coolsDownUntil()).isPresent());
                world.call(next).answer();
            }
        }
        assertThat(world.times().getLast()).isGreaterThanOrEqualTo(seconds(30));
    }

    @Test
    void ordersHoldAndAreGivenByEither() {
        World world = new World().provider("p1", FaultScript.healthy()).provider("p2", FaultScript.healthy());
        try (ResilientClient earlier = world.builder().build()) {
            earlier.control().isolate("p1", Duration.ofMinutes(5));
            try (ResilientClient next = earlier.continueAs(world.builder())) {
                world.call(next).answer();
                next.control().restore("p1");
                world.call(earlier).answer();
                assertThat(world.path()).containsExactly("p2", "p1");
                assertThat(next.control().ordersGiven()).isEqualTo(2);
            }
        }
    }

    @Test
    void theNewClientsListenersHearOfTransitionsAndTheEarliersDoNot() {
        World world = World.of(Reply.status(503));
        List<CallEvent> heard = new ArrayList<>();
        try (ResilientClient earlier =
                world.builder().retry(ONCE).breaker(ONE_FAILURE).build()) {
            world.call(earlier).failure();
            try (ResilientClient next = earlier.continueAs(
                    world.builder().retry(ONCE).breaker(ONE_FAILURE).listener(heard::add))) {
                next.control().reset(TARGET);
                assertThat(heard)
                        .filteredOn(BreakerChanged.class::isInstance)
                        .singleElement()
                        .satisfies(event ->
                                assertThat(((BreakerChanged) event).to()).isEqualTo(BreakerState.CLOSED));
                assertThat(earlier.control().breakers())
                        .hasSameSizeAs(next.control().breakers());
            }
        }
    }

    private static Duration seconds(int count) {
        return Duration.ofSeconds(count);
    }
}
