package dev.holdfast.tests.behaviour;

import static dev.holdfast.tests.behaviour.Hedges.SECOND;
import static dev.holdfast.tests.behaviour.Hedges.hedged;
import static dev.holdfast.tests.behaviour.Hedges.slow;
import static dev.holdfast.tests.behaviour.Hedges.slowAndFast;
import static dev.holdfast.tests.behaviour.Hedges.steps;
import static dev.holdfast.tests.behaviour.Hedges.throwing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.BreakerState;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.HedgeStep;
import dev.holdfast.CallOptions;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.Delivery;
import dev.holdfast.FailureKind;
import dev.holdfast.Price;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of a call that is hedged: whose answer counts, how both attempts end, and what is told of them. */
class HedgeTest {
    @Test
    void aSecondAttemptGoesElsewhereAfterTheDelayAndItsAnswerCounts() {
        World world = slowAndFast();
        try (ResilientClient client = hedged(world).build()) {
            Ended call = world.call(client);

            assertThat(call.answer().text()).contains("fast");
            assertThat(call.answer().servedBy()).contains(new Target(World.MODEL, "fast"));
            assertThat(call.took()).isEqualTo(SECOND);
            assertThat(world.path()).containsExactly("slow", "fast");
            assertThat(world.open()).as("the loser's exchange is ended").isZero();
        }
    }

    @Test
    void theAttemptsShowBothAndWhatTheLoserMayHaveCost() {
        World world = slowAndFast();
        Price price = Price.blended(new BigDecimal("8.00"));
        try (ResilientClient client =
                hedged(world).prices((model, at) -> Optional.of(price)).build()) {
            List<Attempt> attempts = world.call(client).answer().attempts();

            assertThat(attempts).extracting(Attempt::number).containsExactly(1, 2);
            assertThat(attempts).extracting(Attempt::reason).containsExactly(AttemptReason.FIRST, AttemptReason.HEDGE);
            assertThat(attempts.getLast().succeeded()).isTrue();
            Attempt loser = attempts.getFirst();
            assertThat(loser.failure().orElseThrow().kind()).isEqualTo(FailureKind.CANCELLED);
            assertThat(loser.failure().orElseThrow().delivery()).isEqualTo(Delivery.AMBIGUOUS);
            assertThat(loser.failure().orElseThrow().mayHaveBeenBilled()).isTrue();
            assertThat(loser.spend().orElseThrow().basis()).isEqualTo(Spend.Basis.POSSIBLE);
            assertThat(loser.spend().flatMap(Spend::cost)).isPresent();
            assertThat(loser.took()).isEqualTo(SECOND);
            assertThat(world.events(CallEvent.AttemptFinished.class)).hasSize(2);
        }
    }

    @Test
    void aHedgeThatLosesIsEndedAndToldOf() {
        World world = new World()
                .provider("slow", FaultScript.always(slow(2)))
                .provider("slower", FaultScript.always(slow(20)));
        try (ResilientClient client = hedged(world).build()) {
            Ended call = world.call(client);

            assertThat(call.answer().servedBy()).contains(new Target(World.MODEL, "slow"));
            assertThat(call.took()).isEqualTo(Duration.ofSeconds(2));
            assertThat(call.answer().attempts()).extracting(Attempt::number).containsExactly(1, 2);
            assertThat(call.answer().attempts().getFirst().succeeded()).isTrue();
            assertThat(steps(world)).containsExactly(HedgeStep.SENT, HedgeStep.LOST);
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void eventsTellWhichTargetWasSlowAndWhichWon() {
        World world = slowAndFast();
        try (ResilientClient client = hedged(world).build()) {
            world.call(client);

            assertThat(world.events(CallEvent.Hedged.class)).allSatisfy(event -> {
                assertThat(event.slow()).isEqualTo(new Target(World.MODEL, "slow"));
                assertThat(event.hedge()).isEqualTo(new Target(World.MODEL, "fast"));
            });
            assertThat(steps(world)).containsExactly(HedgeStep.SENT, HedgeStep.WON);
        }
    }

    @Test
    void aFastAnswerIsNotHedged() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.completion("ok").withDelay(Duration.ofMillis(999))))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = hedged(world).build()) {
            assertThat(world.call(client).answer().attempts()).hasSize(1);
            assertThat(world.events(CallEvent.Hedged.class)).isEmpty();
        }
    }

    @Test
    void aFailureBeforeTheDelayIsNoReasonToHedge() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503).withDelay(Duration.ofMillis(500))))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = hedged(world).build()) {
            Ended call = world.call(client);

            assertThat(call.answer().attempts().getLast().reason()).isEqualTo(AttemptReason.FAILOVER);
            assertThat(call.took()).isEqualTo(Duration.ofMillis(500));
            assertThat(world.events(CallEvent.Hedged.class)).isEmpty();
        }
    }

    @Test
    void whenTheFirstFailsTheHedgeThatIsOnItsWayIsAwaited() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503).withDelay(Duration.ofSeconds(2))))
                .provider("p2", FaultScript.always(slow(5)))
                .provider("p3", FaultScript.healthy());
        try (ResilientClient client = hedged(world).build()) {
            Ended call = world.call(client);

            assertThat(call.answer().servedBy()).contains(new Target(World.MODEL, "p2"));
            assertThat(call.took()).isEqualTo(Duration.ofSeconds(6));
            assertThat(world.path()).containsExactly("p1", "p2");
            assertThat(steps(world)).containsExactly(HedgeStep.SENT, HedgeStep.WON);
        }
    }

    @Test
    void whenTheHedgeFailsTheFirstIsAwaited() {
        World world = new World()
                .provider("p1", FaultScript.always(slow(5)))
                .provider("p2", FaultScript.always(Reply.status(503)))
                .provider("p3", FaultScript.healthy());
        try (ResilientClient client = hedged(world).build()) {
            Ended call = world.call(client);

            assertThat(call.answer().servedBy()).contains(new Target(World.MODEL, "p1"));
            assertThat(call.took()).isEqualTo(Duration.ofSeconds(5));
            assertThat(steps(world)).containsExactly(HedgeStep.SENT, HedgeStep.FAILED);
        }
    }

    @Test
    void whenBothFailTheCallGoesOnByTheRules() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503).withDelay(Duration.ofSeconds(2))))
                .provider("p2", FaultScript.always(Reply.status(503).withDelay(Duration.ofSeconds(3))))
                .provider("p3", FaultScript.healthy());
        try (ResilientClient client = hedged(world).build()) {
            Ended call = world.call(client);

            assertThat(call.answer().servedBy()).contains(new Target(World.MODEL, "p3"));
            assertThat(call.took()).isEqualTo(Duration.ofSeconds(4));
            assertThat(call.answer().attempts())
                    .extracting(Attempt::reason)
                    .containsExactly(AttemptReason.FIRST, AttemptReason.HEDGE, AttemptReason.FAILOVER);
        }
    }

    @Test
    void anErrorListsTheAttemptsAsTheyWereBegun() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503).withDelay(Duration.ofSeconds(3))))
                .provider("p2", FaultScript.always(Reply.status(503)));
        try (ResilientClient client = hedged(world).build()) {
            Ended call = world.call(client, CallOptions.none().withRetry(false));

            assertThat(call.failure().attempts()).extracting(Attempt::number).containsExactly(1, 2);
        }
    }

    @Test
    void aLoserIsNoFailureForItsBreaker() {
        World world = slowAndFast();
        BreakerPolicy once = BreakerPolicy.defaults().withFailureThreshold(1);
        try (ResilientClient client = hedged(world).breaker(once).build()) {
            world.call(client).answer();
            world.call(client).answer();

            assertThat(client.control().breakers())
                    .allSatisfy(breaker -> assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED));
            assertThat(world.events(CallEvent.BreakerChanged.class)).isEmpty();
        }
    }

    @Test
    void aHedgeThatFailsByItselfIsAFailureForItsBreaker() {
        World world = new World()
                .provider("p1", FaultScript.always(slow(5)))
                .provider("p2", FaultScript.always(Reply.status(503)));
        BreakerPolicy once = BreakerPolicy.defaults().withFailureThreshold(1);
        try (ResilientClient client = hedged(world).breaker(once).build()) {
            world.call(client).answer();

            assertThat(world.events(CallEvent.BreakerChanged.class))
                    .extracting(CallEvent.BreakerChanged::target)
                    .containsExactly(new Target(World.MODEL, "p2"));
        }
    }

    @Test
    void theDeadlineEndsBoth() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.hang()))
                .provider("p2", FaultScript.always(Reply.hang()));
        try (ResilientClient client = hedged(world).build()) {
            Ended call = world.call(client, CallOptions.none().withDeadline(Duration.ofSeconds(5)));

            assertThat(call.failure()).isInstanceOf(DeadlineExceededException.class);
            assertThat(call.took()).isEqualTo(Duration.ofSeconds(5));
            assertThat(call.failure().attempts()).hasSize(2);
            assertThat(world.open()).isZero();
            assertThat(world.events(CallEvent.AttemptFinished.class)).hasSize(2);
        }
    }

    @Test
    void anInterruptEndsBoth() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.hang()))
                .provider("p2", FaultScript.always(Reply.hang()));
        try (ResilientClient client = hedged(world).build()) {
            List<Ended> calls = new ArrayList<>();
            world.time().run(() -> {
                Timekeeper.Task caller = world.startCall(client, calls);
                world.sleep(Duration.ofSeconds(3));
                caller.interrupt();
            });

            Ended call = calls.getFirst();
            assertThat(call.failure()).isInstanceOf(CallCancelledException.class);
            assertThat(call.interrupted()).isTrue();
            assertThat(call.at()).isEqualTo(Duration.ofSeconds(3));
            assertThat(call.failure().attempts())
                    .hasSize(2)
                    .allSatisfy(attempt ->
                            assertThat(attempt.failure().orElseThrow().kind()).isEqualTo(FailureKind.CANCELLED));
            assertThat(world.open()).isZero();
            assertThat(steps(world)).containsExactly(HedgeStep.SENT, HedgeStep.LOST);
        }
    }

    @Test
    void closingTheClientEndsBoth() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.hang()))
                .provider("p2", FaultScript.always(Reply.hang()));
        ResilientClient client = hedged(world).closeGrace(SECOND).build();
        List<Ended> calls = new ArrayList<>();
        world.time().run(() -> {
            world.startCall(client, calls);
            world.sleep(Duration.ofSeconds(3));
            client.close();
        });

        assertThat(calls.getFirst().failure()).isInstanceOf(CallCancelledException.class);
        assertThat(world.open()).isZero();
    }

    @Test
    void whatAPluggedInPartThrowsEndsTheCallAndTheOtherAttempt() {
        World world = slowAndFast();
        var broken = new IllegalStateException("no");
        try (ResilientClient client =
                hedged(world).interceptor(throwing(broken)).build()) {
            assertThatThrownBy(() -> world.call(client)).isSameAs(broken);
            assertThat(world.open()).isZero();
            assertThat(world.events(CallEvent.AttemptFinished.class)).hasSize(2);
        }
    }

    @Test
    void limitsGetBackWhatBothTook() {
        World world = slowAndFast();
        LimitPolicy two = LimitPolicy.defaults().withConcurrency(1);
        try (ResilientClient client = hedged(world).limits(World.MODEL, two).build()) {
            for (int i = 0; i < 3; i++) {
                assertThat(world.call(client).answer().servedBy()).contains(new Target(World.MODEL, "fast"));
            }
        }
    }
}
