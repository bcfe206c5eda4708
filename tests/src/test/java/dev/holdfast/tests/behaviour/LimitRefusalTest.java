package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.CallRejectedException;
import dev.holdfast.FailureKind;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A limit that lets nobody wait refuses the call; any other is waited for. */
class LimitRefusalTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final LimitPolicy ONE = LimitPolicy.defaults().withRpm(1);
    private static final LimitPolicy ONE_AT_ONCE = ONE.withMaxWait(Duration.ZERO);

    @Test
    void aLimitThatLetsNobodyWaitRefusesTheCallAtOnceAndSaysWhenItIsFree() {
        World world = World.of();
        try (ResilientClient client =
                world.builder().limits(World.MODEL, ONE_AT_ONCE).build()) {
            world.call(client);
            world.pass(Duration.ofSeconds(20));

            Ended refused = world.call(client);

            assertThat(refused.took()).isZero();
            assertThat(refused.failure()).isInstanceOf(CallRejectedException.class);
            assertThat(refused.failure().kind()).isEqualTo(FailureKind.LIMIT_EXCEEDED);
            assertThat(refused.failure().retryAfter()).contains(Duration.ofSeconds(40));
            assertThat(refused.failure()).hasMessageContaining("limit_exceeded").hasMessageContaining("40000 ms");
            assertThat(world.sent()).hasSize(1);
            assertThat(world.events(CallEvent.AttemptQueued.class)).isEmpty();
            world.pass(Duration.ofSeconds(40));
            assertThat(world.call(client).answer().attempts()).hasSize(1);
        }
    }

    @Test
    void everyOtherLimitIsWaitedForBeyondItsMaximalWait() {
        World world = World.of();
        try (ResilientClient client = world.builder()
                .limits(World.MODEL, ONE.withMaxWait(Duration.ofMillis(1)))
                .build()) {
            world.call(client);
            assertThat(world.call(client).took()).isBetween(MINUTE, MINUTE.plusSeconds(6));
        }
    }

    @Test
    void aDeadlineShorterThanTheWaitRefusesOneCallAtOnce() {
        World world = World.of();
        try (ResilientClient client = world.builder().limits(World.MODEL, ONE).build()) {
            world.call(client);
            Ended refused = world.call(client, CallOptions.none().withDeadline(Duration.ofSeconds(10)));
            assertThat(refused.took()).isZero();
            assertThat(refused.failure().kind()).isEqualTo(FailureKind.LIMIT_EXCEEDED);
            assertThat(refused.failure().retryAfter()).contains(MINUTE);
        }
    }

    @Test
    void aPlaceInFlightThatIsTakenRefusesToo() {
        World world = World.always(Reply.completion("Rhine").withDelay(Duration.ofSeconds(10)));
        LimitPolicy place = LimitPolicy.defaults().withConcurrency(1).withMaxWait(Duration.ZERO);
        List<Ended> ended = new ArrayList<>();
        try (ResilientClient client = world.builder().limits(World.MODEL, place).build()) {
            world.time().run(() -> {
                world.startCall(client, ended);
                world.sleep(Duration.ofSeconds(1));
                Ended refused = world.callHere(client);
                assertThat(refused.took()).isZero();
                assertThat(refused.failure().kind()).isEqualTo(FailureKind.LIMIT_EXCEEDED);
                assertThat(refused.failure().retryAfter())
                        .as("nobody knows when")
                        .isEmpty();
            });
        }
    }

    @Test
    void aFamilysLimitRefusesEachOfItsModels() {
        World world = World.of();
        ModelSettings sibling = ModelSettings.of("sibling").withFamily("family");
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of(World.MODEL).withFamily("family").withLimits(ONE_AT_ONCE))
                .model(sibling)
                .build()) {
            world.call(client);
            Ended refused = world.call(
                    client, dev.holdfast.ModelRequest.chat("sibling").user("hi").build(), CallOptions.none());
            assertThat(refused.took()).isZero();
            assertThat(refused.failure().kind()).isEqualTo(FailureKind.LIMIT_EXCEEDED);
        }
    }

    @Test
    void whereAnotherTargetHasRoomTheCallGoesThere() {
        World world = World.of().provider("p2", FaultScript.healthy());
        try (ResilientClient client =
                world.builder().limits(World.MODEL, ONE_AT_ONCE).build()) {
            world.call(client);
            assertThat(world.call(client).answer().endpoint()).contains("p2");
            assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.LIMIT_EXCEEDED);
        }
    }
}
