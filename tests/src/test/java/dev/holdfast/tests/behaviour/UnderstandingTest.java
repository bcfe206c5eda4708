package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.CallOptions;
import dev.holdfast.Credential;
import dev.holdfast.FailureKind;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.ModelRequest;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.Route;
import dev.holdfast.Target;
import dev.holdfast.core.Backoff;
import dev.holdfast.core.KindPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.CredentialSource.IssuedCredential;
import dev.holdfast.spi.ModelRouter.ModelStatus;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.tests.behaviour.World.Ended;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a whole client makes of what it understood. */
class UnderstandingTest {
    @Test
    void anErrorTellsWhenTheFirstTargetIsFreeFromThenOn() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.rateLimited(Duration.ofMinutes(2))))
                .provider("p2", FaultScript.always(Reply.rateLimited(Duration.ofSeconds(20))));
        RetryPolicy policy = World.retry().withMaxAttempts(2).withDeadline(Duration.ofSeconds(50));
        try (ResilientClient client = world.builder().retry(policy).build()) {
            Ended call = world.call(client);

            assertThat(call.failure().kind()).isEqualTo(FailureKind.RATE_LIMITED);
            Duration lastAskedAt = world.sentTo("p2").getLast().at();
            assertThat(call.failure().retryAfter())
                    .contains(lastAskedAt.plusSeconds(20).minus(call.at()));

            world.pass(Duration.ofSeconds(15));
            Ended later = world.call(client, CallOptions.none().withDeadline(Duration.ofSeconds(1)));
            assertThat(later.failure().kind()).isEqualTo(FailureKind.COOLING_DOWN);
            assertThat(later.failure().retryAfter())
                    .contains(lastAskedAt.plusSeconds(20).minus(later.at()));
        }
    }

    @Test
    void aWrongRequestIsWorthNoReturn() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.rateLimited(Duration.ofSeconds(40))))
                .provider("p2", FaultScript.always(Reply.status(400)));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client);

            assertThat(call.failure().kind()).isEqualTo(FailureKind.INVALID_REQUEST);
            assertThat(call.failure().retryAfter()).isEmpty();
            assertThat(world.path()).containsExactly("p1", "p2");
        }
    }

    @Test
    void whatProvidersSayOfLimitsOnGoodAnswersIsKnownToRoutersAndUsers() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.of(
                                Reply.completion("a").withRateLimit(7, Duration.ofSeconds(30)),
                                Reply.completion("b").withRateLimit(0, Duration.ofSeconds(29))));
        var seen = new ArrayList<ModelStatus>();
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of(World.MODEL))
                .router(request -> {
                    seen.addAll(request.models());
                    return new Route(List.of(World.MODEL), "the only one");
                })
                .build()) {
            assertThat(client.rateLimits()).isEmpty();
            world.call(client).answer();
            world.call(client).answer();

            assertThat(seen.getFirst().rateLimits()).isEmpty();
            RateLimitSnapshot first = seen.getLast().rateLimits().get("p1");
            assertThat(first.waitTime()).contains(Duration.ZERO);
            assertThat(first.dimensions().values())
                    .anySatisfy(each -> assertThat(each.remaining()).hasValue(7));
            assertThat(client.rateLimits().get(new Target(World.MODEL, "p1")).waitTime())
                    .contains(Duration.ofSeconds(29));
            assertThat(world.times()).as("nothing was throttled").containsOnly(Duration.ZERO);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Invalid prompt: 'My name is Ada Lovelace, account PRIVATE-4711'",
                "Content My name is Ada Lovelace, account PRIVATE-4711 is too long",
                "at /messages/0/content: PRIVATE-4711",
                "{\\\"content\\\": \\\"My name is Ada Lovelace, account PRIVATE-4711\\\"}"
            })
    void aPromptThatTheProviderRepeatsIsTakenOutOfItsWords(String words) {
        World world = World.of(Reply.error(400, "invalid_request_error", "invalid_value", words));
        ModelRequest request = ModelRequest.chat(World.MODEL)
                .user("My name is Ada Lovelace, account PRIVATE-4711")
                .build();
        var shown = new StringWriter();
        try (var log = new LogCapture();
                ResilientClient client = world.builder().build()) {
            Ended call = world.call(client, request, CallOptions.none());
            call.failure().printStackTrace(new PrintWriter(shown));
            shown.append(call.failure().failure().toString());
            world.events().forEach(event -> shown.append(event.toString()));
            shown.append(log.text());
            assertThat(call.failure()).hasMessageContaining("***");
        }
        assertThat(shown.toString()).doesNotContain("PRIVATE-4711", "Lovelace");
    }

    @ParameterizedTest
    @ValueSource(ints = {502, 504, 520, 524, 408})
    void aGatewayThatDoesNotKnowMayHaveBilled(int status) {
        World world = World.always(Reply.status(status));
        try (ResilientClient client = world.builder().retry(RetryPolicy.none()).build()) {
            assertThat(world.call(client).failure().mayHaveBeenBilled()).isTrue();
        }
    }

    @Test
    void aDamagedSuccessMayHaveBeenBilledAndIsNotRepeatedWhereThatWouldDoHarm() {
        ModelRequest stored = ModelRequest.of(
                World.request().form(), World.MODEL, World.request().document().with("store", JsonValue.of(true)));
        for (Reply damaged :
                List.of(success(""), success("{\"id\":"), success("<html>"), success("{\"choices\":[]}"))) {
            World world = World.of(damaged);
            try (ResilientClient client = world.builder().build()) {
                Ended call = world.call(client, stored, CallOptions.none());
                assertThat(call.failure().mayHaveBeenBilled()).isTrue();
                assertThat(world.sent()).hasSize(1);
                assertThat(world.call(client).answer().attempts()).hasSize(1);
            }
        }
    }

    private static Reply success(String body) {
        return Reply.of(200, Headers.empty(), Bytes.utf8(body));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 429, 500, 503, 529})
    void aProviderThatKnowsDidNotBill(int status) {
        World world = World.always(Reply.status(status));
        try (ResilientClient client = world.builder().retry(RetryPolicy.none()).build()) {
            assertThat(world.call(client).failure().mayHaveBeenBilled()).isFalse();
        }
    }

    @Test
    void callsThatNeedAKeyAtOnceAskForItOnce() {
        World world = World.of();
        var asked = new AtomicInteger();
        try (ResilientClient client = world.builder()
                .credentials("p1", request -> {
                    world.sleep(Duration.ofSeconds(3));
                    return new IssuedCredential(
                            Credential.of("sk-issued-" + asked.incrementAndGet()),
                            Optional.of(world.time().now().plusSeconds(60)));
                })
                .build()) {
            List<Ended> calls = together(world, client, 20);
            assertThat(calls).allSatisfy(call -> assertThat(call.took()).isEqualTo(Duration.ofSeconds(3)));
            assertThat(asked).hasValue(1);

            world.pass(Duration.ofSeconds(61));
            together(world, client, 20).forEach(Ended::answer);
            assertThat(asked).as("expired").hasValue(2);
        }
    }

    @Test
    void aRefusedKeyIsRefreshedOnceForAllThatWereRefused() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.answering(request -> request.headers()
                                        .first("Authorization")
                                        .filter("Bearer sk-issued-1"::equals)
                                        .isPresent()
                                ? Reply.status(401).withDelay(Duration.ofSeconds(1))
                                : Reply.completion("good")));
        var refreshes = new ArrayList<Boolean>();
        try (ResilientClient client = world.builder()
                .retry(World.retry().withBackoff(Backoff.immediate()))
                .credentials("p1", request -> {
                    refreshes.add(request.refresh());
                    world.sleep(Duration.ofSeconds(1));
                    return new IssuedCredential(Credential.of("sk-issued-" + refreshes.size()), Optional.empty());
                })
                .build()) {
            together(world, client, 10).forEach(Ended::answer);
        }
        assertThat(refreshes).containsExactly(false, true);
    }

    @Test
    void whoWaitsForAKeyWaitsNoLongerThanItsDeadlineAndWhoIsInterruptedLeavesTheAskingToOthers() {
        World world = World.of();
        var asked = new AtomicInteger();
        List<Ended> calls = new ArrayList<>();
        try (ResilientClient client = world.builder()
                .credentials("p1", request -> {
                    asked.incrementAndGet();
                    world.time().sleep(Duration.ofSeconds(10));
                    return new IssuedCredential(Credential.of("sk-issued"), Optional.empty());
                })
                .build()) {
            world.time().run(() -> {
                Timekeeper.Task first = world.startCall(client, calls);
                world.sleep(Duration.ofSeconds(1));
                Ended hasty = world.callHere(
                        client, World.request(), CallOptions.none().withDeadline(Duration.ofSeconds(2)));
                assertThat(hasty.failure().kind()).isEqualTo(FailureKind.TIMEOUT);
                assertThat(hasty.took()).isEqualTo(Duration.ofSeconds(2));
                Timekeeper.Task second = world.startCall(client, calls);
                world.sleep(Duration.ofSeconds(1));
                first.interrupt();
                World.join(first);
                World.join(second);
            });
        }
        assertThat(calls.getFirst().failure().kind()).isEqualTo(FailureKind.CANCELLED);
        assertThat(calls.getLast().answer().text()).isPresent();
        assertThat(asked).hasValue(2);
        assertThat(world.sent()).hasSize(1);
    }

    @Test
    void aSourceThatThrowsIsAskedOnceForAllWhoWaitAndAgainByTheNext() {
        World world = World.of();
        var asked = new AtomicInteger();
        try (ResilientClient client = world.builder()
                .credentials("p1", request -> {
                    world.sleep(Duration.ofSeconds(1));
                    if (asked.incrementAndGet() == 1) {
                        throw new IllegalStateException("sesame");
                    }
                    return new IssuedCredential(Credential.of("sk-issued"), Optional.empty());
                })
                .retry(RetryPolicy.none().withoutCooldowns())
                .build()) {
            assertThat(together(world, client, 5))
                    .allSatisfy(call -> assertThat(call.failure().kind()).isEqualTo(FailureKind.AUTH));
            assertThat(asked).hasValue(1);
            world.call(client).answer();
        }
    }

    private static List<Ended> together(World world, ResilientClient client, int callers) {
        var calls = new ArrayList<Ended>();
        world.time().run(() -> {
            for (int i = 0; i < callers; i++) {
                world.startCall(client, calls);
            }
        });
        return calls;
    }

    @Test
    void aKindHasItsOwnAttemptsAndBackoff() {
        World world = World.always(Reply.status(503));
        RetryPolicy policy = World.retry()
                .withKind(
                        FailureKind.OVERLOADED,
                        KindPolicy.attempts(3).withBackoff(Backoff.linear(Duration.ofSeconds(5))));
        try (ResilientClient client = world.builder().retry(policy).build()) {
            world.call(client);
        }
        assertThat(world.times()).containsExactly(Duration.ZERO, Duration.ofSeconds(5), Duration.ofSeconds(15));
    }

    @Test
    void attemptsKeepTheirIntervalOnWhateverTarget() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503)))
                .provider("p2", FaultScript.always(Reply.status(503)));
        RetryPolicy policy = World.retry().withBackoff(Backoff.immediate()).withMinInterval(Duration.ofMillis(100));
        try (ResilientClient client = world.builder().retry(policy).build()) {
            world.call(client);
        }
        assertThat(world.times()).hasSize(8);
        for (int i = 1; i < 8; i++) {
            assertThat(world.times().get(i).minus(world.times().get(i - 1))).isEqualTo(Duration.ofMillis(100));
        }
    }
}
