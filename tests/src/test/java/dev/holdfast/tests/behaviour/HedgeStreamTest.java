package dev.holdfast.tests.behaviour;

import static dev.holdfast.tests.behaviour.Hedges.SECOND;
import static dev.holdfast.tests.behaviour.Hedges.hedged;
import static dev.holdfast.tests.behaviour.Hedges.steps;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.HedgeStep;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelResponse;
import dev.holdfast.Target;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HedgeStreamTest {
    @Test
    void aStreamThatDoesNotBeginIsHedgedUntilTheFirstMeaningfulEvent() {
        World world = new World()
                .provider("slow", FaultScript.always(Sse.of(Sse.ROLE, Sse.PING).hangAfter(Sse.ROLE.length())))
                .provider("fast", FaultScript.healthy());
        try (ResilientClient client = hedged(world).build()) {
            Reader stream = Reader.of(world, client);
            ModelResponse answer = stream.answer();

            assertThat(stream.text()).isEqualTo("Name three rivers.");
            assertThat(answer.servedBy()).contains(new Target(World.MODEL, "fast"));
            assertThat(answer.attempts())
                    .extracting(Attempt::reason)
                    .containsExactly(AttemptReason.FIRST, AttemptReason.HEDGE);
            assertThat(answer.attempts().getFirst().failure().orElseThrow().kind())
                    .isEqualTo(FailureKind.CANCELLED);
            assertThat(world.open()).as("the loser's stream is closed").isZero();
            assertThat(world.events(CallEvent.AttemptFinished.class)).hasSize(2);
            assertThat(world.events(CallEvent.CallFinished.class)).hasSize(1);
        }
    }

    @Test
    void aStreamThatHasBegunIsNotHedgedHoweverLongItTakes() {
        Reply halting = Reply.stream("a", "b", "c").withPauses(Duration.ofMillis(900));
        World world = new World().provider("slow", FaultScript.always(halting)).provider("fast", FaultScript.healthy());
        try (ResilientClient client = hedged(world).build()) {
            Reader stream = Reader.of(world, client);

            assertThat(stream.text()).isEqualTo("abc");
            assertThat(world.path()).containsExactly("slow");
        }
    }

    @Test
    void whenTheFirstBeginsAfterAllTheHedgesStreamIsClosed() {
        World world = new World()
                .provider("slow", FaultScript.always(Reply.stream("a", "b").withDelay(Duration.ofSeconds(2))))
                .provider("slower", FaultScript.always(Reply.stream("c").withDelay(Duration.ofSeconds(20))));
        try (ResilientClient client = hedged(world).build()) {
            Reader stream = Reader.of(world, client);

            assertThat(stream.text()).isEqualTo("ab");
            assertThat(stream.answer().attempts()).extracting(Attempt::number).containsExactly(1, 2);
            assertThat(stream.answer().attempts().getFirst().succeeded()).isTrue();
            assertThat(steps(world)).containsExactly(HedgeStep.SENT, HedgeStep.LOST);
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void twoStreamsThatBeginAtOneInstantLeaveOne() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.stream("a").withDelay(Duration.ofSeconds(2))))
                .provider("p2", FaultScript.always(Reply.stream("b").withDelay(SECOND)));
        try (ResilientClient client = hedged(world).build()) {
            Reader stream = Reader.of(world, client);

            assertThat(stream.text()).isIn("a", "b");
            assertThat(stream.answer().attempts().stream().filter(Attempt::succeeded))
                    .hasSize(1);
            assertThat(world.open()).isZero();
        }
    }
}
