package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallOptions;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryBudgetPolicy;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.SpendGuard;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A retry that was paid for and never left is paid back, whatever kept it. */
class UnsentRetryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** One retry, and the next after a minute, so that a lost one is missed. */
    private static RetryPolicy oneRetry() {
        return World.retry()
                .withBudget(RetryBudgetPolicy.defaults().withRatio(0).withReserve(1));
    }

    private static World failing() {
        return World.always(Reply.status(503));
    }

    private static void nextCallRetries(World world, ResilientClient client) {
        int sent = world.sent().size();
        world.call(client, CallOptions.none().withDeadline(Duration.ofMinutes(1)));
        assertThat(world.sent()).hasSize(sent + 2);
    }

    private static SpendGuard secondTime(Runnable action) {
        var asked = new AtomicInteger();
        return request -> {
            if (asked.incrementAndGet() == 2) {
                action.run();
            }
            return new SpendGuard.Granted(spend -> {});
        };
    }

    @Test
    void whereTheDeadlinePassesBeforeItLeaves() {
        World world = failing();
        try (ResilientClient client = world.builder()
                .retry(oneRetry())
                .spendGuard(secondTime(() -> world.sleep(SECOND.multipliedBy(9))))
                .build()) {
            world.call(client, CallOptions.none().withDeadline(SECOND.multipliedBy(10)));
            assertThat(world.sent()).hasSize(1);
            nextCallRetries(world, client);
        }
    }

    @Test
    void whereTheCallerCancelsWhileItWaits() {
        for (Duration at : new Duration[] {Duration.ofMillis(500), SECOND.minusNanos(1)}) {
            World world = failing();
            try (ResilientClient client = world.builder().retry(oneRetry()).build()) {
                var ended = new ArrayList<Ended>();
                world.time().run(() -> {
                    Timekeeper.Task caller = world.startCall(client, ended);
                    world.sleep(at);
                    caller.interrupt();
                });
                assertThat(world.sent()).hasSize(1);
                nextCallRetries(world, client);
            }
        }
    }

    @Test
    void whereAPartThrows() {
        World world = failing();
        var broken = new IllegalStateException("a part");
        try (ResilientClient client = world.builder()
                .retry(oneRetry())
                .spendGuard(secondTime(() -> {
                    throw broken;
                }))
                .build()) {
            assertThatThrownBy(() -> world.call(client)).isSameAs(broken);
            assertThat(world.sent()).hasSize(1);
            nextCallRetries(world, client);
        }
    }

    @Test
    void whereSomeoneIsolatesTheEndpointWhileItWaits() {
        World world = World.of().provider("p1", FaultScript.always(Reply.status(503)));
        try (ResilientClient client = world.builder().retry(oneRetry()).build()) {
            var ended = new ArrayList<Ended>();
            world.time().run(() -> {
                world.startCall(client, ended);
                world.sleep(Duration.ofMillis(500));
                client.control().isolate("p1", Duration.ofMinutes(20));
            });
            assertThat(world.sent()).hasSize(1);
            client.control().restore("p1");
            nextCallRetries(world, client);
        }
    }
}
