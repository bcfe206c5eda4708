package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CallOptions;
import dev.holdfast.DeadlineExceededException;
import dev.holdfast.FailedAttemptException;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.Jitter;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World.Ended;
import dev.holdfast.tests.behaviour.World.Sent;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    @Property(tries = 300)
    void noAttemptStartsAfterTheDeadlineAndNoneOutlivesIt(
            @ForAll @IntRange(min = 1, max = 20_000) int deadlineMillis,
            @ForAll("replies") List<Reply> first,
            @ForAll("replies") List<Reply> second) {
        World world = new World().provider("p1", FaultScript.of(first)).provider("p2", FaultScript.of(second));
        Backoff backoff = Backoff.exponential(Duration.ofMillis(200)).withJitter(Jitter.full());
        Duration deadline = Duration.ofMillis(deadlineMillis);
        try (ResilientClient client =
                world.builder().retry(World.retry().withBackoff(backoff)).build()) {
            Ended call = world.call(client, CallOptions.none().withDeadline(deadline));

            assertThat(call.took()).isLessThanOrEqualTo(deadline);
            assertThat(world.sent()).allSatisfy(sent -> {
                assertThat(sent.at()).isLessThan(deadline);
                assertThat(sent.call().timeouts().total()).isLessThanOrEqualTo(deadline.minus(sent.at()));
            });
            assertThat(world.open()).isZero();
        }
    }

    @Provide
    Arbitrary<List<Reply>> replies() {
        Arbitrary<Reply> kind = Arbitraries.of(
                Reply.completion("ok"),
                Reply.status(503),
                Reply.status(500),
                Reply.rateLimited(Duration.ofSeconds(2)),
                Reply.reset(),
                Reply.hang(),
                Reply.completion("half").hangAfter(20));
        Arbitrary<Duration> delay = Arbitraries.integers().between(0, 8_000).map(Duration::ofMillis);
        return Combinators.combine(kind, delay)
                .as(Reply::withDelay)
                .list()
                .ofMinSize(1)
                .ofMaxSize(5);
    }

    @Test
    void aWaitThatDoesNotFitIsNotMadeAtAll() {
        World world = World.always(Reply.status(503));
        RetryPolicy policy = World.retry().withBackoff(Backoff.fixed(Duration.ofSeconds(6)));
        try (ResilientClient client = world.builder().retry(policy).build()) {
            Ended call = world.call(client, CallOptions.none().withDeadline(Duration.ofSeconds(10)));

            assertThat(call.took()).isEqualTo(Duration.ofSeconds(6));
            assertThat(world.sent()).hasSize(2);
            assertThat(call.failure()
                            .attempts()
                            .getLast()
                            .failure()
                            .orElseThrow()
                            .status())
                    .hasValue(503);
            assertThat(call.failure()).hasMessageContaining("503");
        }
    }

    @Test
    void aWaitThatEndsAtTheDeadlineDoesNotFit() {
        World world = World.always(Reply.status(503));
        RetryPolicy policy = World.retry().withBackoff(Backoff.fixed(Duration.ofSeconds(10)));
        try (ResilientClient client = world.builder().retry(policy).build()) {
            Ended call = world.call(client, CallOptions.none().withDeadline(Duration.ofSeconds(10)));

            assertThat(call.took()).isZero();
            assertThat(world.sent()).hasSize(1);
        }
    }

    @Test
    void anAttemptThatTheDeadlineCutsIsATimeoutWithTheFailureBeforeAsItsCause() {
        World world = World.of(
                Reply.status(503).withDelay(Duration.ofSeconds(6)),
                Reply.completion("late").withDelay(Duration.ofMinutes(1)));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client, CallOptions.none().withDeadline(Duration.ofSeconds(10)));

            assertThat(call.failure()).isInstanceOf(DeadlineExceededException.class);
            assertThat(call.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
            assertThat(call.failure().mayHaveBeenBilled()).isTrue();
            assertThat(call.failure().getCause())
                    .isInstanceOfSatisfying(
                            FailedAttemptException.class,
                            cause -> assertThat(cause.failure().status()).hasValue(503));
            assertThat(call.took()).isEqualTo(Duration.ofSeconds(10));
            assertThat(world.open()).isZero();
        }
    }

    @Test
    void anAttemptThatTheDeadlineCutSaysNothingAboutTheTarget() {
        World world = World.always(Reply.completion("late").withDelay(Duration.ofSeconds(5)));
        BreakerPolicy touchy = BreakerPolicy.defaults().withFailureThreshold(1);
        try (ResilientClient client = world.builder().breaker(touchy).build()) {
            for (int i = 0; i < 5; i++) {
                Ended call = world.call(client, CallOptions.none().withDeadline(Duration.ofSeconds(1)));
                assertThat(call.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
            }

            assertThat(world.call(client).answer().text()).contains("late");
            assertThat(world.sent()).hasSize(6);
        }
    }

    @Test
    void theCallsOwnTimeoutBoundsAnAttempt() {
        World world = World.always(Reply.hang());
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(
                    client,
                    CallOptions.none().withTimeout(Duration.ofSeconds(12)).withRetry(false));

            assertThat(call.took()).isEqualTo(Duration.ofSeconds(12));
            assertThat(call.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
        }
    }

    @Test
    void whoAsksForManyTokensIsGivenTheTimeToWriteThem() {
        World world = World.of();
        ModelRequest longAnswer = ModelRequest.chat(World.MODEL)
                .user("Write a book.")
                .maxTokens(3_000)
                .build();
        RetryPolicy endless = World.retry().withoutDeadline();
        try (ResilientClient client =
                world.builder().retry(endless).timeout(Duration.ofSeconds(20)).build()) {
            world.call(client, longAnswer, CallOptions.none());

            assertThat(world.sent())
                    .extracting(sent -> sent.call().timeouts().total())
                    .containsExactly(Duration.ofSeconds(110));
        }
    }

    @Test
    void aBodyThatNeverEndsIsCutByTheTimeout() {
        Reply dripping = Reply.completion("x".repeat(2_000)).inPieces(1).withPauses(Duration.ofSeconds(1));
        World world = World.always(dripping);
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(
                    client,
                    CallOptions.none().withTimeout(Duration.ofSeconds(30)).withRetry(false));

            assertThat(call.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
            assertThat(call.took()).isEqualTo(Duration.ofSeconds(30));
            assertThat(world.sent()).extracting(Sent::openBefore).containsExactly(0);
            assertThat(world.open()).isZero();
        }
    }
}
