package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallEvent;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BudgetTest {
    @Test
    void anOutageIsNotAnsweredWithAMultipleOfTheLoad() {
        World world = World.always(Reply.status(503));
        try (ResilientClient client = world.builder().retry(budget(0.2, 0)).build()) {
            int calls = 1_000;
            for (int i = 0; i < calls; i++) {
                world.call(client);
            }

            assertThat(world.sent().size()).isBetween(calls + calls / 5 - 10, calls + calls / 5 + 1);
            assertThat(world.events(CallEvent.BudgetRefused.class)).hasSizeGreaterThan(700);
        }
    }

    @Property(tries = 50)
    void retriesNeverPassRatioAndReserve(
            @ForAll @IntRange(max = 100) int percent,
            @ForAll @IntRange(max = 20) int reserve,
            @ForAll @IntRange(min = 1, max = 60) int calls) {
        World world = World.always(Reply.status(503));
        try (ResilientClient client =
                world.builder().retry(budget(percent / 100.0, reserve)).build()) {
            for (int i = 0; i < calls; i++) {
                world.call(client);
            }

            assertThat(world.time().elapsed()).isZero();
            assertThat(world.sent().size() - calls)
                    .isLessThanOrEqualTo((int) (calls * percent / 100.0) + Math.max(1, reserve));
        }
    }

    @Test
    void theReserveRefillsOverAMinute() {
        World world = World.always(Reply.status(503));
        try (ResilientClient client = world.builder().retry(budget(0, 6)).build()) {
            for (int i = 0; i < 20; i++) {
                world.call(client);
            }
            int before = world.sent().size();
            world.pass(Duration.ofMinutes(2));
            for (int i = 0; i < 20; i++) {
                world.call(client);
            }

            assertThat(before).isEqualTo(20 + 6);
            assertThat(world.sent()).hasSize(2 * before);
        }
    }

    @Test
    void aRefusalMovesTheCallOn() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503)))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().retry(budget(0, 0)).build()) {
            world.call(client);
            world.call(client);

            assertThat(world.call(client).answer().endpoint()).contains("p2");
        }
    }

    @Test
    void firstAttemptsOnAnotherTargetAreNotPaidFromTheBudget() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(402)))
                .provider("p2", FaultScript.healthy());
        RetryPolicy nothingLeft = budget(0, 0).withoutCooldowns();
        try (ResilientClient client = world.builder().retry(nothingLeft).build()) {
            for (int i = 0; i < 50; i++) {
                assertThat(world.call(client).answer().endpoint()).contains("p2");
            }

            assertThat(world.events(CallEvent.BudgetRefused.class)).isEmpty();
        }
    }

    private static RetryPolicy budget(double ratio, int reserve) {
        return World.retry().withBackoff(Backoff.immediate()).withBudget(new RetryBudgetPolicy(ratio, reserve));
    }
}
