package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AllowList;
import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.BreakerState;
import dev.holdfast.CallCancelledException;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.HedgeStep;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Credential;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.Delivery;
import dev.holdfast.FailureKind;
import dev.holdfast.JsonValue;
import dev.holdfast.ModelRequest;
import dev.holdfast.Price;
import dev.holdfast.Secret;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.ClientControl.Feature;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HedgeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final HedgePolicy AFTER_A_SECOND = HedgePolicy.after(SECOND).withBudget(1, 100);

    private static Reply slow(int seconds) {
        return Reply.completion("slow").withDelay(Duration.ofSeconds(seconds));
    }

    private static World slowAndFast() {
        return new World()
                .provider("slow", FaultScript.always(slow(20)))
                .provider("fast", FaultScript.always(Reply.completion("fast")));
    }

    private static ClientBuilder hedged(World world) {
        return world.builder().hedge(AFTER_A_SECOND);
    }

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

    private static List<HedgeStep> steps(World world) {
        return world.events(CallEvent.Hedged.class).stream()
                .map(CallEvent.Hedged::step)
                .toList();
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

    @Test
    void aLivePercentileDecidesOnceThereAreEnoughSamples() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.healthy().then(19, slow(1)).then(slow(3)).thenAlways(slow(20)))
                .provider("p2", FaultScript.healthy());
        HedgePolicy policy = HedgePolicy.afterPercentile(90).withBudget(1, 100);
        try (ResilientClient client = world.builder().hedge(policy).build()) {
            for (int i = 0; i < 20; i++) {
                assertThat(world.call(client).answer().attempts()).hasSize(1);
            }
            Ended hedged = world.call(client);

            assertThat(hedged.answer().attempts()).hasSize(2);
            assertThat(hedged.took()).isBetween(SECOND, Duration.ofMillis(1_100));
        }
    }

    @Test
    void whatWasEndedForBeingSlowStaysSlowInThePercentile() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.answering(request -> request.number() % 10 < 7
                                ? Reply.completion("fast")
                                : slow(10 * (request.number() % 10 - 6))))
                .provider("p2", FaultScript.healthy());
        HedgePolicy policy = HedgePolicy.afterPercentile(80).withBudget(1, 1000);
        try (ResilientClient client = world.builder().hedge(policy).build()) {
            for (int i = 0; i < 20; i++) {
                assertThat(world.call(client).answer().attempts()).hasSize(1);
            }
            for (int i = 20; i < 200; i++) {
                world.call(client).answer();
            }

            Attempt last = world.events(CallEvent.AttemptFinished.class).stream()
                    .map(CallEvent.AttemptFinished::attempt)
                    .filter(attempt -> !attempt.succeeded())
                    .reduce((one, other) -> other)
                    .orElseThrow();
            assertThat(last.took()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11));
        }
    }

    @Test
    void theFloorBoundsALivePercentile() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.healthy().then(20, Reply.completion("ok")).thenAlways(slow(20)))
                .provider("p2", FaultScript.healthy());
        HedgePolicy policy = HedgePolicy.afterPercentile(95).withFloor(SECOND).withBudget(1, 100);
        try (ResilientClient client = world.builder().hedge(policy).build()) {
            for (int i = 0; i < 20; i++) {
                world.call(client).answer();
            }
            assertThat(world.call(client).took()).isEqualTo(SECOND);
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
        try (ResilientClient client = hedged(world)
                .interceptor(new dev.holdfast.spi.Interceptor() {
                    @Override
                    public dev.holdfast.spi.TransportReply aroundAttempt(AttemptCall attempt, AttemptChain chain)
                            throws dev.holdfast.spi.TransportException, InterruptedException {
                        if (attempt.reason() == AttemptReason.HEDGE) {
                            throw broken;
                        }
                        return chain.proceed(attempt);
                    }
                })
                .build()) {
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> world.call(client))
                    .isSameAs(broken);
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
