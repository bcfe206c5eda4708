package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttemptReason;
import dev.holdfast.AttemptsExhaustedException;
import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelResponse;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.Jitter;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World.Ended;
import dev.holdfast.tests.behaviour.World.Sent;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryTest {
    @Test
    void aGoodAnswerTakesOneAttemptAndNoTime() {
        World world = World.of();
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client);

            assertThat(call.answer().text()).contains("Name three rivers.");
            assertThat(call.answer().attempts()).singleElement().satisfies(attempt -> {
                assertThat(attempt.number()).isEqualTo(1);
                assertThat(attempt.reason()).isEqualTo(AttemptReason.FIRST);
                assertThat(attempt.succeeded()).isTrue();
            });
            assertThat(call.took()).isZero();
            assertThat(world.sent()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void attemptsAreBoundedAndTheLastIsFollowedByNoSleep(int maxAttempts) {
        World world = World.always(Reply.status(503));
        RetryPolicy policy = World.retry().withMaxAttempts(maxAttempts);
        try (ResilientClient client = world.builder().retry(policy).build()) {
            Ended call = world.call(client);

            assertThat(call.failure()).isInstanceOf(AttemptsExhaustedException.class);
            assertThat(call.failure().kind()).isEqualTo(FailureKind.OVERLOADED);
            assertThat(call.failure().attempts()).hasSize(maxAttempts);
            assertThat(world.sent()).hasSize(maxAttempts);
            assertThat(call.took()).isEqualTo(Duration.ofSeconds(maxAttempts - 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 425, 500, 502, 503, 504, 520, 522, 524, 529})
    void aFailureThatMayPassIsTriedAgain(int status) {
        World world = World.of(Reply.status(status), Reply.status(status));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client);

            assertThat(call.answer().attempts()).hasSize(3);
            assertThat(call.answer().attempts())
                    .extracting(attempt -> attempt.reason())
                    .containsExactly(AttemptReason.FIRST, AttemptReason.RETRY, AttemptReason.RETRY);
            assertThat(world.times()).containsExactly(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(2));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 402, 403, 404, 413, 422})
    void aFailureThatWillNotPassEndsTheCallAtOnce(int status) {
        World world = World.of(Reply.status(status));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client);

            assertThat(call.failure().status()).hasValue(status);
            assertThat(call.took()).isZero();
            assertThat(world.sent()).hasSize(1);
        }
    }

    @Test
    void aTimeoutIsTriedOnlyOnceMore() {
        World world = World.always(Reply.hang());
        RetryPolicy patient = World.retry().withMaxAttempts(5).withDeadline(Duration.ofHours(1));
        try (ResilientClient client = world.builder().retry(patient).build()) {
            Ended call = world.call(client);

            assertThat(call.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
            assertThat(call.failure().mayHaveBeenBilled()).isTrue();
            assertThat(world.sent()).hasSize(2);
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void aTimeoutIsNotTriedAgainWhileAnotherTargetIsLeft() {
        World world =
                new World().provider("p1", FaultScript.always(Reply.hang())).provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client);

            assertThat(call.answer().endpoint()).contains("p2");
            assertThat(world.path()).containsExactly("p1", "p2");
        }
    }

    @Test
    void theServersOwnVerdictIsObeyed() {
        World refused = World.of(Reply.status(503).withHeader("x-should-retry", "false"));
        World invited = World.of(Reply.status(400).withHeader("x-should-retry", "true"));
        try (ResilientClient one = refused.builder().build();
                ResilientClient other = invited.builder().build()) {
            assertThat(refused.call(one).failure().kind()).isEqualTo(FailureKind.OVERLOADED);
            assertThat(refused.sent()).hasSize(1);

            assertThat(invited.call(other).answer().attempts()).hasSize(2);
        }
    }

    @Test
    void aCallMayRefuseToBeRepeated() {
        World world = World.of(Reply.status(503));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client, CallOptions.none().withRetry(false));

            assertThat(call.failure().kind()).isEqualTo(FailureKind.OVERLOADED);
            assertThat(world.sent()).hasSize(1);
        }
    }

    @Test
    void allTargetsTogetherAreBounded() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503)))
                .provider("p2", FaultScript.always(Reply.status(503)))
                .provider("p3", FaultScript.always(Reply.status(503)));
        try (ResilientClient client = world.builder().build()) {
            assertThat(world.call(client).failure().attempts()).hasSize(8);
            assertThat(world.sent()).hasSize(8);
            assertThat(world.sentTo("p1")).hasSizeLessThanOrEqualTo(4);
        }
    }

    @Test
    void aBoundForTheCallCountsEveryTarget() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503)))
                .provider("p2", FaultScript.always(Reply.status(503)));
        RetryPolicy policy = World.retry().withMaxAttemptsPerCall(3);
        try (ResilientClient client = world.builder().retry(policy).build()) {
            assertThat(world.call(client).failure().attempts()).hasSize(3);
            assertThat(world.sent()).hasSize(3);
        }
    }

    @Test
    void everyAttemptSendsTheSameBytes() {
        World world = World.of(Reply.status(503), Reply.reset(), Reply.status(500));
        try (ResilientClient client = world.builder().build()) {
            world.call(client).answer();

            assertThat(world.sent()).hasSize(4);
            assertThat(world.sent())
                    .extracting(Sent::body)
                    .containsOnly(world.sent().getFirst().body());
            assertThat(world.sent())
                    .extracting(one -> one.call().uri())
                    .containsOnly(world.sent().getFirst().call().uri());
        }
    }

    @Test
    void aReplyThatIsOfNoUseIsClosedBeforeTheNextAttempt() {
        Reply cut = Reply.completion("half").cutAfter(10);
        Reply slow = Reply.status(503).withPauses(Duration.ofMillis(5)).inPieces(8);
        World world = World.of(cut, slow, Reply.status(500));
        try (ResilientClient client = world.builder().build()) {
            world.call(client).answer();

            assertThat(world.sent()).hasSize(4);
            assertThat(world.sent()).extracting(Sent::openBefore).containsOnly(0);
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void delaysGrowToTheCapAndStayWithinTheirJitter() {
        World world = World.always(Reply.status(503));
        Backoff backoff = Backoff.exponential(Duration.ofSeconds(1))
                .withMax(Duration.ofSeconds(3))
                .withJitter(Jitter.proportional(0.5));
        RetryPolicy policy =
                World.retry().withBackoff(backoff).withMaxAttempts(8).withoutDeadline();
        try (ResilientClient client = world.builder().retry(policy).build()) {
            world.call(client);
            List<Duration> times = world.times();

            assertThat(times).hasSize(8);
            IntStream.range(1, times.size()).forEach(retry -> {
                long plain = Math.min(3_000, 1_000L << (retry - 1));
                long waited = times.get(retry).minus(times.get(retry - 1)).toMillis();
                assertThat(waited).isBetween(plain / 2, Math.min(3_000, plain * 3 / 2));
            });
        }
    }

    @Test
    void theSameSeedGivesTheSameTimes() {
        assertThat(timesBySeed(7)).isEqualTo(timesBySeed(7)).isNotEqualTo(timesBySeed(8));
    }

    private static List<Duration> timesBySeed(long seed) {
        World world = World.always(Reply.status(503));
        try (ResilientClient client = world.builder()
                .retry(RetryPolicy.standard())
                .random(new Random(seed))
                .build()) {
            world.call(client);
            return world.times();
        }
    }

    @Test
    void everyWaitIsAnnouncedAndKept() {
        World world = World.of(Reply.status(503), Reply.rateLimited(Duration.ofSeconds(2)));
        try (ResilientClient client = world.builder().build()) {
            var attempts = world.call(client).answer().attempts();
            var scheduled = world.events(CallEvent.RetryScheduled.class);

            assertThat(scheduled).hasSize(2);
            assertThat(scheduled.getFirst().suggested()).isFalse();
            assertThat(scheduled.getLast().suggested()).isTrue();
            assertThat(scheduled.getFirst().delay())
                    .isEqualTo(attempts.get(1).waited())
                    .isEqualTo(Duration.ofSeconds(1));
            assertThat(scheduled.getLast().delay()).isEqualTo(attempts.get(2).waited());
        }
    }

    @Test
    void attemptsOfACallShareItsIdAndTellWhichTheyAre() {
        World world = new World()
                .provider("p1", FaultScript.of(Reply.status(503)))
                .provider("p2", FaultScript.of(Reply.status(503)));
        try (ResilientClient client = world.builder().build()) {
            ModelResponse answer = world.call(client).answer();

            assertThat(world.sent())
                    .allSatisfy(sent -> assertThat(sent.header("X-Request-ID")).isEqualTo(answer.callId()));
            assertThat(world.sent())
                    .extracting(sent -> sent.header("X-Attempt"))
                    .containsExactly("", "2", "3");
        }
    }
}
