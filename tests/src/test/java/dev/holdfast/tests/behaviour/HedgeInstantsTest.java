package dev.holdfast.tests.behaviour;

import static dev.holdfast.tests.behaviour.Hedges.SECOND;
import static dev.holdfast.tests.behaviour.Hedges.steps;
import static dev.holdfast.tests.behaviour.Hedges.throwing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallEvent.AttemptStarted;
import dev.holdfast.CallEvent.HedgeStep;
import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.SpendGuard;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Hedges at the very nanosecond at which something else happens: every attempt that began is told of once more and no oftener,
 * every hedge that was announced has an end, nothing stays taken, and a hedge that was not sent is not paid for.
 */
class HedgeInstantsTest {
    private static final Duration NANO = Duration.ofNanos(1);

    /** One hedge on each target, and the next after a minute, so that a lost one is missed. */
    private static ClientBuilder hedged(World world) {
        return world.builder()
                .hedge(HedgePolicy.after(SECOND).withBudget(0, 1))
                .breaker(BreakerPolicy.defaults())
                .limits(World.MODEL, LimitPolicy.defaults().withConcurrency(1));
    }

    private static World slowAndFast(Duration slow) {
        return new World()
                .provider("p1", FaultScript.always(Reply.completion("Rhine").withDelay(slow)))
                .provider("p2", FaultScript.healthy());
    }

    private static List<Duration> around(Duration instant) {
        return List.of(instant.minus(NANO), instant, instant.plus(NANO));
    }

    /** Whatever the call came to, it is over, and the next one can have what it had. */
    private static void settled(World world, ResilientClient client) {
        assertThat(world.open()).isZero();
        assertThat(client.control().callsInFlight()).isZero();
        assertThat(client.health().endpoints()).allMatch(endpoint -> endpoint.inFlight() == 0);
        assertThat(world.events(AttemptFinished.class).stream()
                        .map(event -> event.attempt().number())
                        .sorted())
                .containsExactlyElementsOf(world.events(AttemptStarted.class).stream()
                        .map(AttemptStarted::number)
                        .sorted()
                        .toList());
        long sent = steps(world).stream().filter(HedgeStep.SENT::equals).count();
        assertThat(steps(world).stream()
                        .filter(step -> step == HedgeStep.WON || step == HedgeStep.LOST || step == HedgeStep.FAILED))
                .hasSize((int) sent);
    }

    /** A hedge that did not leave is paid back: the next call has it. */
    private static void nextCallHedges(World world, ResilientClient client) {
        int sent = world.sentTo("p2").size();
        world.call(client, CallOptions.none().withDeadline(Duration.ofMinutes(1)));
        assertThat(world.sentTo("p2")).hasSize(sent + 1);
    }

    @Test
    void whatLandsWhileItIsToldOfAsGivenUpIsToldOfOnce() {
        World world = slowAndFast(Duration.ofMinutes(5));
        try (ResilientClient client = hedged(world)
                .listener(event -> {
                    if (event instanceof AttemptFinished) {
                        world.sleep(SECOND);
                    }
                })
                .build()) {
            List<Attempt> attempts = world.call(client).answer().attempts();

            assertThat(attempts).extracting(Attempt::reason).containsExactly(AttemptReason.FIRST, AttemptReason.HEDGE);
            settled(world, client);
        }
    }

    @Test
    void aHedgeLetThroughAsTheDeadlinePassesTakesNothingWithIt() {
        for (Duration takes : around(Duration.ofSeconds(4))) {
            World world = new World()
                    .provider("p1", FaultScript.always(Reply.completion("Rhine").withDelay(Duration.ofSeconds(30))))
                    .provider("p2", FaultScript.always(Reply.completion("Elbe").withDelay(SECOND)));
            var asked = new AtomicInteger();
            SpendGuard guard = request -> {
                if (asked.incrementAndGet() == 2) {
                    world.sleep(takes);
                }
                return new SpendGuard.Granted(spend -> {});
            };
            try (ResilientClient client = hedged(world).spendGuard(guard).build()) {
                Ended call = world.call(client, CallOptions.none().withDeadline(Duration.ofSeconds(5)));

                assertThat(call.failure().kind()).as("%s", takes).isEqualTo(FailureKind.TIMEOUT);
                assertThat(call.failure().attempts().getFirst().reason())
                        .as("the slow one is told of too")
                        .isEqualTo(AttemptReason.FIRST);
                settled(world, client);
                boolean inTime = takes.compareTo(Duration.ofSeconds(4)) < 0;
                assertThat(steps(world).contains(HedgeStep.SENT)).isEqualTo(inTime);
                if (world.sentTo("p2").isEmpty()) {
                    nextCallHedges(world, client);
                }
            }
        }
    }

    @Test
    void anAnswerAtTheInstantOfTheHedgeLeavesNothingTaken() {
        for (Duration slow : around(SECOND)) {
            World world = slowAndFast(slow);
            try (ResilientClient client = hedged(world).build()) {
                assertThat(world.call(client).answer().attempts().getFirst().reason())
                        .isEqualTo(AttemptReason.FIRST);

                settled(world, client);
                assertThat(world.sent())
                        .hasSize(world.events(AttemptStarted.class).size());
            }
        }
    }

    @Test
    void twoAnswersAtOneInstantLeaveOneAndNothingTaken() {
        for (Duration slow : around(SECOND.multipliedBy(3))) {
            World world = new World()
                    .provider("p1", FaultScript.always(Reply.completion("Rhine").withDelay(slow)))
                    .provider("p2", FaultScript.always(Reply.completion("Elbe").withDelay(SECOND.multipliedBy(2))));
            try (ResilientClient client = hedged(world).build()) {
                assertThat(world.call(client).answer().attempts())
                        .filteredOn(Attempt::succeeded)
                        .hasSize(1);
                settled(world, client);
            }
        }
    }

    @Test
    void aCancelAtTheInstantOfTheHedgeLeavesNothingTaken() {
        for (Duration at : around(SECOND)) {
            World world = slowAndFast(Duration.ofSeconds(30));
            try (ResilientClient client = hedged(world).build()) {
                var ended = new ArrayList<Ended>();
                world.time().run(() -> {
                    Timekeeper.Task caller = world.startCall(client, ended);
                    world.sleep(at);
                    caller.interrupt();
                });
                assertThat(ended).hasSize(1);
                settled(world, client);
                if (world.sentTo("p2").isEmpty()) {
                    nextCallHedges(world, client);
                }
            }
        }
    }

    @Test
    void aCloseAtTheInstantOfTheHedgeLeavesNothingTaken() {
        for (Duration at : around(SECOND)) {
            World world = slowAndFast(Duration.ofSeconds(30));
            ResilientClient client = hedged(world).closeGrace(Duration.ZERO).build();
            var ended = new ArrayList<Ended>();
            world.time().run(() -> {
                Timekeeper.Task caller = world.startCall(client, ended);
                world.sleep(at);
                client.close();
                World.join(caller);
            });
            assertThat(ended).hasSize(1);
            settled(world, client);
        }
    }

    @Test
    void aHedgeThatIsCalledOffBeforeItLeavesIsNotPaidFor() {
        World world = slowAndFast(SECOND.multipliedBy(2));
        var first = new AtomicInteger();
        try (ResilientClient client = hedged(world)
                .listener(event -> {
                    if (event instanceof CallEvent.Hedged hedged
                            && hedged.step() == HedgeStep.SENT
                            && first.getAndIncrement() == 0) {
                        world.sleep(SECOND.multipliedBy(5));
                    }
                })
                .build()) {
            world.call(client);
            assertThat(world.path()).containsExactly("p1");
            settled(world, client);
            nextCallHedges(world, client);
        }
    }

    @Test
    void aHedgeWhosePartsThrowHasAnEndToo() {
        World world = slowAndFast(Duration.ofSeconds(30));
        var broken = new IllegalStateException("a part");
        try (ResilientClient client =
                hedged(world).interceptor(throwing(broken)).build()) {
            assertThatThrownBy(() -> world.call(client)).isSameAs(broken);

            assertThat(steps(world)).containsExactly(HedgeStep.SENT, HedgeStep.FAILED);
            settled(world, client);
        }
    }
}
