package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.BreakerState;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.CallFinished;
import dev.holdfast.CallOptions;
import dev.holdfast.Endpoint;
import dev.holdfast.FailureKind;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens when several things go wrong at once, or a part that was plugged in misbehaves. */
class RoughTimesTest {
    @Test
    void theStatusAndHintOfAnErrorCountAlthoughItsBodyIsCut() {
        World world = World.of(Reply.rateLimited(Duration.ofSeconds(30)).cutAfter(10));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client);
            assertThat(call.answer()
                            .attempts()
                            .getFirst()
                            .failure()
                            .orElseThrow()
                            .kind())
                    .isEqualTo(FailureKind.RATE_LIMITED);
            assertThat(world.sent().get(1).at()).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
        }
    }

    @Test
    void anInterceptorThatTakesItsTimeDoesNotCarryTheCallPastItsDeadline() {
        World world = World.always(Reply.completion("late").withDelay(Duration.ofSeconds(4)));
        Interceptor slow = new Interceptor() {
            @Override
            public TransportReply aroundAttempt(AttemptCall attempt, AttemptChain chain)
                    throws TransportException, InterruptedException {
                world.time().sleep(Duration.ofSeconds(4));
                return chain.proceed(attempt);
            }
        };
        try (ResilientClient client = world.builder().interceptor(slow).build()) {
            Ended call = world.call(client.with(CallOptions.none().withDeadline(Duration.ofSeconds(5))));
            assertThat(call.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
            assertThat(call.took()).isEqualTo(Duration.ofSeconds(5));
        }
    }

    @Test
    void aPriceSourceThatThrowsCostsNoAnswer() {
        World world = World.of();
        try (ResilientClient client = world.builder()
                .prices((model, at) -> {
                    throw new IllegalStateException("no prices today");
                })
                .build()) {
            assertThat(world.call(client).answer().cost()).isEmpty();
        }
    }

    @Test
    void aBreakerHearsOfTheFirstFailureThatConcernsItHoweverTheCallBegan() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.answering(request ->
                                request.number() % 2 == 1 ? Reply.rateLimited(Duration.ZERO) : Reply.status(503)));
        List<BreakerState> states = new ArrayList<>();
        try (ResilientClient client = world.builder()
                .breaker(BreakerPolicy.defaults().withFailureThreshold(2))
                .retry(World.retry().withMaxAttempts(2))
                .listener(event -> {
                    if (event instanceof CallEvent.BreakerChanged changed) {
                        states.add(changed.to());
                    }
                })
                .build()) {
            world.call(client);
            world.call(client);
        }
        assertThat(states).containsExactly(BreakerState.OPEN);
    }

    @Test
    void aRouterThatThrowsEndsTheCallAndTheListenersHearOfIt() {
        World world = World.of();
        List<CallFinished> finished = new ArrayList<>();
        try (ResilientClient client = world.builder()
                .router(request -> {
                    throw new IllegalStateException("no route today");
                })
                .listener(event -> {
                    if (event instanceof CallFinished end) {
                        finished.add(end);
                    }
                })
                .build()) {
            world.time()
                    .run(() -> assertThat(
                                    org.assertj.core.api.Assertions.catchThrowable(() -> client.call(World.request())))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessage("no route today"));
        }
        assertThat(finished)
                .singleElement()
                .satisfies(end -> assertThat(end.failure().orElseThrow().kind()).isEqualTo(FailureKind.LOCAL));
        assertThat(world.sent()).isEmpty();
    }

    @Test
    void aCredentialSourceThatThrowsCountsAsARefusedKey() {
        World world = new World().provider("p1", FaultScript.healthy()).provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder()
                .credentials("p1", request -> {
                    throw new IllegalStateException("sk-very-secret");
                })
                .build()) {
            Ended call = world.call(client);
            assertThat(call.answer().endpoint()).contains("p2");
            assertThat(call.answer().attempts().getFirst().toString())
                    .contains("auth")
                    .doesNotContain("sk-very-secret");
        }
        assertThat(world.sentTo("p1")).isEmpty();
    }

    @Test
    void whatCannotStandInAHeaderIsRefusedByItsSetting() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallOptions.none().withIdempotencyKey("key\r\nX-Evil: 1"))
                .withMessageStartingWith("idempotencyKey: cannot stand in an HTTP header");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Endpoint.builder("e", URI.create("https://example.test"))
                        .header("X-Team", "caf\u00e9"))
                .withMessageStartingWith("header X-Team of endpoint e: cannot stand in an HTTP header");
    }
}
