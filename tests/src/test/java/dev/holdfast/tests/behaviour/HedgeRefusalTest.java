package dev.holdfast.tests.behaviour;

import static dev.holdfast.tests.behaviour.Hedges.SECOND;
import static dev.holdfast.tests.behaviour.Hedges.hedged;
import static dev.holdfast.tests.behaviour.Hedges.slow;
import static dev.holdfast.tests.behaviour.Hedges.slowAndFast;
import static dev.holdfast.tests.behaviour.Hedges.steps;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AllowList;
import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.HedgeStep;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Credential;
import dev.holdfast.JsonValue;
import dev.holdfast.ModelRequest;
import dev.holdfast.Price;
import dev.holdfast.Secret;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientControl.Feature;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a call is not hedged, though its answer is slow: nowhere to go, not allowed, or not paid for. */
class HedgeRefusalTest {
    @Test
    void nothingIsHedgedWhereThereIsNoOtherTarget() {
        World world = World.always(slow(20));
        try (ResilientClient client = hedged(world).build()) {
            assertThat(world.call(client).answer().attempts()).hasSize(1);
        }
    }

    @Test
    void anotherKeyOfTheSameTargetIsNoOtherTarget() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.always(slow(20)),
                        endpoint -> endpoint.credential(new Credential("second", Secret.of(World.keyOf("second")))));
        try (ResilientClient client = hedged(world).build()) {
            assertThat(world.call(client).answer().attempts()).hasSize(1);
            assertThat(world.sent()).hasSize(1);
        }
    }

    @Test
    void anotherModelIsAHedgeWhereNoOtherEndpointHasThisOne() {
        World world = slowAndFast();
        try (ResilientClient client = hedged(world)
                .model(ModelSettings.of(World.MODEL).withEndpoints("slow").withFallbacks("other"))
                .model(ModelSettings.of("other").withEndpoints("fast"))
                .build()) {
            Ended call = world.call(client);

            assertThat(call.answer().servedBy()).contains(new Target("other", "fast"));
            assertThat(call.answer().attempts().getLast().reason()).isEqualTo(AttemptReason.HEDGE);
        }
    }

    @Test
    void aCallThatWantsNoOtherModelIsNotHedgedByOne() {
        World world = slowAndFast();
        try (ResilientClient client = hedged(world)
                .model(ModelSettings.of(World.MODEL).withEndpoints("slow").withFallbacks("other"))
                .model(ModelSettings.of("other").withEndpoints("fast"))
                .build()) {
            assertThat(world.call(client, CallOptions.none().withFallback(false))
                            .answer()
                            .attempts())
                    .hasSize(1);
        }
    }

    @Test
    void aRequestWithEffectsIsNeverHedgedAlsoWhereKeysAreHonoured() {
        World world = new World()
                .provider("slow", FaultScript.always(slow(20)), endpoint -> endpoint.honoursIdempotencyKey(true))
                .provider("fast", FaultScript.healthy(), endpoint -> endpoint.honoursIdempotencyKey(true));
        ModelRequest stored =
                World.request().withDocument(World.request().document().with("store", JsonValue.of(true)));
        try (ResilientClient client = hedged(world).build()) {
            world.call(client, stored, CallOptions.none()).answer();

            assertThat(world.path()).containsExactly("slow");
        }
    }

    @Test
    void aCallThatItsCallerGaveAKeyIsExecutedOnceAtATime() {
        World world = slowAndFast();
        try (ResilientClient client = hedged(world).build()) {
            world.call(client, CallOptions.none().withIdempotencyKey("order-7")).answer();

            assertThat(world.path()).containsExactly("slow");
        }
    }

    @Test
    void aPolicyThatRepeatsOnlyWithKeysDoesNotHedge() {
        World world = slowAndFast();
        try (ResilientClient client =
                hedged(world).retry(World.retry().withOnlyIfIdempotent(true)).build()) {
            world.call(client).answer();

            assertThat(world.path()).containsExactly("slow");
        }
    }

    @Test
    void aHedgeGoesNowhereTheCallMayNotGo() {
        World world = new World()
                .provider("slow", FaultScript.always(slow(5)), endpoint -> endpoint.region("eu"))
                .provider("fast", FaultScript.healthy(), endpoint -> endpoint.region("us"));
        var eu = new AllowList(Set.of("eu"), Set.of(), Set.of());
        try (ResilientClient client = hedged(world).build()) {
            world.call(client, CallOptions.none().withAllow(eu)).answer();

            assertThat(world.path()).containsExactly("slow");
        }
    }

    @Test
    void aHedgeThatCouldPassTheCallsMaximalCostIsNotSent() {
        World world = slowAndFast();
        Price price = Price.blended(new BigDecimal("8.00"));
        try (ResilientClient client =
                hedged(world).prices((model, at) -> Optional.of(price)).build()) {
            Attempt loser = world.call(client).answer().attempts().getFirst();
            BigDecimal one = loser.spend().flatMap(Spend::cost).map(Cost::usd).orElseThrow();
            CallOptions lessThanTwo = CallOptions.none().withMaxCostUsd(one.multiply(new BigDecimal("1.9")));

            assertThat(world.call(client, lessThanTwo).answer().attempts()).hasSize(1);
            assertThat(steps(world)).containsExactly(HedgeStep.SENT, HedgeStep.WON, HedgeStep.REJECTED);
        }
    }

    @Test
    void aHedgeDoesNotWaitForALimit() {
        World world = slowAndFast();
        LimitPolicy one = LimitPolicy.defaults().withRpm(1).withMaxWait(Duration.ofMinutes(5));
        try (ResilientClient client = hedged(world)
                .model(ModelSettings.of(World.MODEL).withEndpoints("slow").withFallbacks("other"))
                .model(ModelSettings.of("other").withEndpoints("fast").withLimits(one))
                .build()) {
            world.call(client).answer();
            Ended second = world.call(client);

            assertThat(second.answer().attempts()).hasSize(1);
            assertThat(second.took()).isEqualTo(Duration.ofSeconds(20));
            assertThat(steps(world)).containsExactly(HedgeStep.SENT, HedgeStep.WON, HedgeStep.REJECTED);
        }
    }

    @Test
    void aHedgePassesOverATargetThatIsOpenForOneThatIsNot() {
        World world = new World()
                .provider("slow", FaultScript.always(slow(20)))
                .provider("open", FaultScript.healthy())
                .provider("fast", FaultScript.healthy());
        try (ResilientClient client =
                hedged(world).breaker(BreakerPolicy.defaults()).build()) {
            client.control().forceOpen(new Target(World.MODEL, "open"), Duration.ofHours(1));
            Ended call = world.call(client);

            assertThat(call.answer().servedBy()).contains(new Target(World.MODEL, "fast"));
            assertThat(steps(world)).containsExactly(HedgeStep.REJECTED, HedgeStep.SENT, HedgeStep.WON);
        }
    }

    @Test
    void theAttemptsOfACallBoundItsHedges() {
        World world = slowAndFast();
        try (ResilientClient client =
                hedged(world).retry(World.retry().withMaxAttemptsPerCall(1)).build()) {
            assertThat(world.call(client).answer().attempts()).hasSize(1);
        }
    }

    @Test
    void anOperatorSwitchesHedgesOff() {
        World world = slowAndFast();
        try (ResilientClient client = hedged(world).build()) {
            client.control().switchOff(Feature.HEDGE, Duration.ofHours(1));
            assertThat(world.call(client).answer().attempts()).hasSize(1);

            client.control().switchOn(Feature.HEDGE);
            assertThat(world.call(client).answer().attempts()).hasSize(2);
        }
    }

    @Test
    void aCallMaySayThatItIsNotHedged() {
        World world = slowAndFast();
        try (ResilientClient client = hedged(world).build()) {
            assertThat(world.call(client, CallOptions.none().withHedge(false))
                            .answer()
                            .attempts())
                    .hasSize(1);
        }
    }

    @Test
    void theBudgetOfHedgesIsTheSlowTargetsShareAndAReserve() {
        World world = new World()
                .provider("slow", FaultScript.always(slow(2)))
                .provider("slower", FaultScript.always(slow(3)));
        HedgePolicy few = HedgePolicy.after(SECOND).withBudget(0.1, 2);
        try (ResilientClient client = world.builder().hedge(few).build()) {
            world.time().run(() -> {
                List<Timekeeper.Task> calls = new ArrayList<>();
                List<Ended> ended = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    calls.add(world.startCall(client, ended));
                }
                calls.forEach(World::join);
            });

            // The reserve is full when the first attempts begin, so that they earn nothing until one is spent.
            assertThat(steps(world).stream().filter(HedgeStep.SENT::equals)).hasSize(2);
            assertThat(steps(world).stream().filter(HedgeStep.OVER_BUDGET::equals))
                    .hasSize(38);
            assertThat(world.events(CallEvent.BudgetRefused.class)).hasSize(38);
        }
    }

    @Test
    void aHedgeIsAlsoPaidFromTheRetryBudgetOfWhereItGoes() {
        World world = slowAndFast();
        try (ResilientClient client = hedged(world)
                .retry(World.retry().withBudget(new RetryBudgetPolicy(0, 1)))
                .build()) {
            world.call(client).answer();
            world.call(client).answer();

            assertThat(steps(world)).containsExactly(HedgeStep.SENT, HedgeStep.WON, HedgeStep.OVER_BUDGET);
            assertThat(world.events(CallEvent.BudgetRefused.class))
                    .extracting(CallEvent.BudgetRefused::target)
                    .containsExactly(new Target(World.MODEL, "fast"));
        }
    }
}
