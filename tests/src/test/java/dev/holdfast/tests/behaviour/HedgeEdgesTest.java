package dev.holdfast.tests.behaviour;

import static dev.holdfast.tests.behaviour.Hedges.SECOND;
import static dev.holdfast.tests.behaviour.Hedges.hedged;
import static dev.holdfast.tests.behaviour.Hedges.steps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.AttemptsExhaustedException;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallEvent.HedgeStep;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.Credential;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Price;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.routing.Budget;
import dev.holdfast.routing.Budgets;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.ContextCarrier;
import dev.holdfast.spi.CredentialSource;
import dev.holdfast.spi.CredentialSource.IssuedCredential;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Hedges at awkward moments: what nobody sent is not paid for, what is known is told, and nothing stays taken. */
class HedgeEdgesTest {
    private static Failure failureOf(Attempt attempt) {
        return attempt.failure().orElseThrow();
    }

    @Test
    void anAttemptWhoseKeyHadNotComeYetWasNeverSentAndCostsNothing() {
        World world = new World();
        CredentialSource slow = asked -> {
            world.time().sleep(Duration.ofSeconds(20));
            return new IssuedCredential(Credential.of(World.keyOf("p1")), Optional.empty());
        };
        world.provider("p1", FaultScript.healthy()).provider("p2", FaultScript.healthy());
        try (ResilientClient client = hedged(world).credentials("p1", slow).build()) {
            Ended call = world.call(client);

            assertThat(call.took()).isEqualTo(SECOND);
            assertThat(world.path()).containsExactly("p2");
            assertThat(failureOf(call.answer().attempts().getFirst()).delivery())
                    .isEqualTo(Delivery.NEVER_SENT);
            assertThat(call.answer().attempts().getFirst().spend()).isEmpty();
        }
    }

    @Test
    void aRateLimitThatHasComeBesideTheAnswerIsKnownAndHeeded() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.always(
                                Reply.rateLimited(Duration.ofMinutes(1)).withDelay(SECOND.multipliedBy(3))))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = hedged(world)
                .listener(event -> {
                    if (event instanceof CallEvent.Hedged hedged && hedged.step() == HedgeStep.WON) {
                        world.sleep(SECOND.multipliedBy(5));
                    }
                })
                .build()) {
            List<Attempt> attempts = world.call(client).answer().attempts();

            assertThat(attempts.getLast().succeeded()).isTrue();
            assertThat(failureOf(attempts.getFirst()).kind()).isEqualTo(FailureKind.RATE_LIMITED);
            assertThat(failureOf(attempts.getFirst()).mayHaveBeenBilled()).isFalse();
            assertThat(attempts.getFirst().spend()).isEmpty();
            assertThat(world.events(CallEvent.CooldownStarted.class)).hasSize(1);
        }
    }

    @Test
    void aHedgeByAnotherModelThatFailsLeavesTheCallWithTheModelItAskedFor() {
        for (int hedgeTakes : new int[] {1, 4}) {
            World world = new World()
                    .provider("p1", FaultScript.of(Reply.status(503).withDelay(SECOND.multipliedBy(3))))
                    .provider("p2", FaultScript.of(Reply.status(503).withDelay(SECOND.multipliedBy(hedgeTakes))));
            try (ResilientClient client = hedged(world)
                    .model(ModelSettings.of(World.MODEL).withEndpoints("p1").withFallbacks("other"))
                    .model(ModelSettings.of("other").withEndpoints("p2"))
                    .build()) {
                Ended call = world.call(client);

                assertThat(call.answer().attempts())
                        .as("the hedge fails after %d s", hedgeTakes)
                        .extracting(Attempt::reason, attempt -> attempt.target().model())
                        .containsExactly(
                                tuple(AttemptReason.FIRST, World.MODEL),
                                tuple(AttemptReason.HEDGE, "other"),
                                tuple(AttemptReason.RETRY, World.MODEL));
            }
        }
    }

    @Test
    void theErrorOfACallWhoseHedgeFailedLastTellsOneFailureAndWhyThatEndedIt() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.of(Reply.rateLimited(Duration.ofMinutes(5)).withDelay(SECOND.multipliedBy(2))))
                .provider("p2", FaultScript.of(Reply.status(503).withDelay(SECOND.multipliedBy(3))));
        try (ResilientClient client = hedged(world).build()) {
            CallException error =
                    world.call(client, CallOptions.none().withRetry(false)).failure();

            assertThat(error.kind()).isEqualTo(FailureKind.OVERLOADED);
            assertThat(error).isInstanceOf(AttemptsExhaustedException.class);
            assertThat(error.getMessage()).doesNotContain("longer wait");
        }
    }

    @Test
    void aHedgeThatHadNotLeftWhenTheAnswerCameIsNotSent() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.completion("Rhine").withDelay(SECOND.multipliedBy(2))))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = hedged(world)
                .listener(event -> {
                    if (event instanceof CallEvent.Hedged hedged && hedged.step() == HedgeStep.SENT) {
                        world.sleep(SECOND.multipliedBy(5));
                    }
                })
                .build()) {
            List<Attempt> attempts = world.call(client).answer().attempts();

            assertThat(world.path()).containsExactly("p1");
            assertThat(failureOf(attempts.getLast()).delivery()).isEqualTo(Delivery.NEVER_SENT);
            assertThat(steps(world)).containsExactly(HedgeStep.SENT, HedgeStep.LOST);
        }
    }

    @Test
    void aThreadThatCannotBeStartedLeavesNothingUnderway() {
        for (int failing = 1; failing <= 2; failing++) {
            var calls = new AtomicInteger();
            int which = failing;
            World world = new World()
                    .provider("p1", FaultScript.always(Reply.completion("Rhine").withDelay(SECOND.multipliedBy(20))))
                    .provider("p2", FaultScript.healthy());
            Budgets budgets = Budgets.of(10, world.time(), Budget.perDay("day", new BigDecimal("1000")));
            var broken = new IllegalStateException("no context");
            ContextCarrier carrier = () -> {
                if (calls.incrementAndGet() == which) {
                    throw broken;
                }
                return () -> () -> {};
            };
            try (ResilientClient client = hedged(world)
                    .contextCarrier(carrier)
                    .prices((model, at) -> Optional.of(Price.blended(new BigDecimal("8.00"))))
                    .spendGuard(budgets)
                    .limits(World.MODEL, LimitPolicy.defaults().withConcurrency(1))
                    .build()) {
                assertThatThrownBy(() -> world.call(client)).isSameAs(broken);

                assertThat(world.events(AttemptFinished.class)).hasSize(which);
                assertThat(world.events(CallEvent.AttemptStarted.class)).hasSize(which);
                assertThat(budgets.statusOf(CallOptions.none()).getFirst().reserved())
                        .isEqualTo(Cost.ZERO);
                assertThat(client.health().endpoints()).allMatch(endpoint -> endpoint.inFlight() == 0);
                assertThat(world.open()).isZero();
                assertThat(world.call(client).answer().attempts())
                        .as("the places in flight are free")
                        .hasSize(2);
            }
        }
    }

    @Test
    void anInterruptAtAnyMomentLeavesNothingTakenAndCountsWhatWasSent() {
        for (int moment = 0; moment <= 45; moment++) {
            World world = new World()
                    .provider("p1", FaultScript.always(Reply.completion("Rhine").withDelay(Duration.ofSeconds(3))))
                    .provider("p2", FaultScript.of(Reply.status(503).withDelay(SECOND)))
                    .provider("p3", FaultScript.healthy());
            Budgets budgets = Budgets.of(10, world.time(), Budget.perDay("day", new BigDecimal("1000")));
            Duration at = Duration.ofMillis(moment * 100L);
            try (ResilientClient client = hedged(world)
                    .prices((model, now) -> Optional.of(Price.blended(new BigDecimal("8.00"))))
                    .spendGuard(budgets)
                    .limits(World.MODEL, LimitPolicy.defaults().withConcurrency(1))
                    .build()) {
                var ended = new ArrayList<Ended>();
                world.time().run(() -> {
                    Timekeeper.Task caller = world.startCall(client, ended);
                    world.sleep(at);
                    caller.interrupt();
                });
                List<Attempt> attempts = ended.getFirst()
                        .response()
                        .map(response -> response.attempts())
                        .orElseGet(() -> ended.getFirst().failure().attempts());

                assertThat(attempts.stream()
                                .filter(attempt -> attempt.failure()
                                        .filter(failure -> failure.delivery() == Delivery.NEVER_SENT)
                                        .isEmpty()))
                        .as("sent by %s", at)
                        .hasSize(world.sent().size());
                assertThat(world.open()).isZero();
                assertThat(budgets.statusOf(CallOptions.none()).getFirst().reserved())
                        .isEqualTo(Cost.ZERO);
                assertThat(client.health().endpoints()).allMatch(endpoint -> endpoint.inFlight() == 0);
                assertThat(client.control().callsInFlight()).isZero();
            }
        }
    }
}
