package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AllowList;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.CallRejectedException;
import dev.holdfast.Credential;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelRequest;
import dev.holdfast.Price;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailoverTest {
    private static final Reply OVERLOADED = Reply.status(503);

    @Test
    void theNextEndpointServesTheSameModel() {
        World world = world(Reply.status(402), Reply.completion("ok"));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client);

            assertThat(call.answer().model()).contains(World.MODEL);
            assertThat(call.answer().endpoint()).contains("p2");
            assertThat(call.answer().attempts().getLast().reason()).isEqualTo(AttemptReason.FAILOVER);
            assertThat(call.took()).isZero();
            assertThat(world.path()).containsExactly("p1", "p2");
            assertThat(world.events(CallEvent.Moved.class)).singleElement().satisfies(moved -> {
                assertThat(moved.from().endpoint()).isEqualTo("p1");
                assertThat(moved.to().endpoint()).isEqualTo("p2");
                assertThat(moved.reason()).isEqualTo(AttemptReason.FAILOVER);
            });
        }
    }

    @Test
    void endpointsComeBeforeModelsAndEachTargetIsVisitedOnce() {
        World world = world(Reply.status(402), Reply.status(402), Reply.status(402), Reply.status(402));
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of(World.MODEL).withEndpoints("p1", "p2").withFallbacks("second"))
                .model(ModelSettings.of("second").withEndpoints("p3", "p4").withFallbacks(World.MODEL))
                .build()) {
            Ended call = world.call(client);

            assertThat(world.path()).containsExactly("p1", "p2", "p3", "p4");
            assertThat(call.failure().kind()).isEqualTo(FailureKind.QUOTA_EXHAUSTED);
            assertThat(call.failure().attempts())
                    .extracting(attempt -> attempt.reason())
                    .containsExactly(
                            AttemptReason.FIRST,
                            AttemptReason.FAILOVER,
                            AttemptReason.FALLBACK,
                            AttemptReason.FAILOVER);
        }
    }

    @Test
    void aQuotaThatIsUsedUpIsNotTriedElsewhereWithTheSameKey() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(402)))
                .provider("p2", FaultScript.healthy());
        Credential shared = Credential.of("sk-shared");
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client, CallOptions.none().withCredential(shared));

            assertThat(call.failure().kind()).isEqualTo(FailureKind.QUOTA_EXHAUSTED);
            assertThat(world.path()).containsExactly("p1");
        }
    }

    @Test
    void theErrorNamesEveryTargetThatWasTried() {
        World world = world(OVERLOADED, Reply.status(402));
        try (ResilientClient client = world.builder().build()) {
            assertThat(world.call(client).failure())
                    .hasMessageContaining("gpt-4.1@p1")
                    .hasMessageContaining("gpt-4.1@p2")
                    .hasMessageContaining("503")
                    .hasMessageContaining("402");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 422})
    void aWrongRequestIsWrongEverywhere(int status) {
        World world = world(Reply.status(status), Reply.completion("ok"));
        try (ResilientClient client = models(world).build()) {
            assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.INVALID_REQUEST);
            assertThat(world.path()).containsExactly("p1");
        }
    }

    @Test
    void anUnknownModelIsAskedForNowhereElse() {
        World world = world(Reply.status(404), Reply.completion("ok"), Reply.completion("ok"));
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of(World.MODEL).withEndpoints("p1", "p2").withFallbacks("second"))
                .model(ModelSettings.of("second").withEndpoints("p3"))
                .build()) {
            Ended call = world.call(client);

            assertThat(call.answer().model()).contains("second");
            assertThat(world.path()).containsExactly("p1", "p3");
            assertThat(call.answer().attempts().getLast().reason()).isEqualTo(AttemptReason.FALLBACK);
        }
    }

    @Test
    void refusedContentGoesToAnotherModelOnlyIfThePolicySaysSo() {
        Reply refusal = Reply.error(400, "invalid_request_error", "content_filter", "The prompt was filtered.");
        World plain = world(refusal, Reply.completion("ok"));
        World lenient = world(refusal, Reply.completion("ok"));
        try (ResilientClient one = models(plain).build();
                ResilientClient other = models(lenient)
                        .retry(World.retry().withFallbackOn(FailureKind.CONTENT_POLICY))
                        .build()) {
            assertThat(plain.call(one).failure().kind()).isEqualTo(FailureKind.CONTENT_POLICY);
            assertThat(plain.path()).containsExactly("p1");
            assertThat(lenient.call(other).answer().model()).contains("second");
        }
    }

    @Test
    void aRequestThatIsTooLongGoesOnlyToALargerWindow() {
        Reply tooLong = Reply.error(400, "invalid_request_error", "context_length_exceeded", "Too many tokens.");
        World world = world(tooLong, Reply.completion("small"), Reply.completion("large"));
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of(World.MODEL)
                        .withEndpoints("p1")
                        .withContextWindow(10_000)
                        .withFallbacks("small", "large"))
                .model(ModelSettings.of("small").withEndpoints("p2").withContextWindow(10_000))
                .model(ModelSettings.of("large").withEndpoints("p3").withContextWindow(100_000))
                .build()) {
            assertThat(world.call(client).answer().model()).contains("large");
            assertThat(world.path()).containsExactly("p1", "p3");
        }
    }

    @Test
    void aRefusedKeyIsTriedAgainAfterAMinuteOnly() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(401)))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().build()) {
            callEverySecond(world, client, 50);
            assertThat(world.sentTo("p1")).hasSize(1);
            assertThat(world.sentTo("p2")).hasSize(50);

            callEverySecond(world, client, 50);
            assertThat(world.sentTo("p1")).hasSize(2);
        }
    }

    /** Nothing of it is the provider's words: they are the transport's. */
    @Test
    void theLineOfACallThatCouldNotBeMadeSaysWhy() {
        World world = World.always(Reply.reset());
        try (LogCapture log = new LogCapture();
                ResilientClient client = world.builder().build()) {
            String why = world.call(client).failure().failure().message();

            assertThat(why).isNotEmpty();
            assertThat(log.text().lines())
                    .filteredOn(line -> line.contains("outcome=connection"))
                    .singleElement()
                    .satisfies(line -> assertThat(line).endsWith(": " + why));
        }
    }

    @Test
    void aMisconfiguredTargetIsWarnedOfOnceUntilItServesAgain() {
        World world = new World()
                .provider("p1", FaultScript.of(Reply.status(401), Reply.status(401)))
                .provider("p2", FaultScript.healthy());
        try (LogCapture log = new LogCapture();
                ResilientClient client = world.builder().build()) {
            callEverySecond(world, client, 150);

            assertThat(world.sentTo("p1")).hasSizeGreaterThan(3);
            assertThat(log.text().lines())
                    .filteredOn(line -> line.contains("is misconfigured"))
                    .singleElement()
                    .satisfies(line ->
                            assertThat(line).contains("target=gpt-4.1@p1").contains("every 60 s"));
            assertThat(log.text().lines())
                    .filteredOn(line -> line.contains("serves again"))
                    .hasSize(1);
        }
    }

    @Test
    void aCallMayRefuseAnotherModel() {
        World world = world(Reply.status(402), Reply.completion("ok"));
        try (ResilientClient client = models(world).build()) {
            world.call(client, CallOptions.none().withFallback(false)).failure();

            assertThat(world.path()).containsExactly("p1");
        }
    }

    @Test
    void aCallsOwnRouteComesFirst() {
        World world = world(Reply.completion("one"), Reply.completion("two"));
        try (ResilientClient client = models(world).route(World.MODEL).build()) {
            Ended call = world.call(client, CallOptions.none().withRoute(List.of("second", World.MODEL)));

            assertThat(call.answer().model()).contains("second");
            assertThat(world.sent().getFirst().body()).contains("\"second\"");
        }
    }

    @Test
    void everyModelIsAskedForByTheNameItsEndpointsKnow() {
        World world = world(Reply.completion("ok"));
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of(World.MODEL).withUpstreamName("deployment-7"))
                .build()) {
            Ended call = world.call(client);

            assertThat(world.sent().getFirst().body()).contains("deployment-7").doesNotContain(World.MODEL);
            assertThat(call.answer().model()).contains(World.MODEL);
        }
    }

    @Test
    void aRateLimitRestsTheTargetUntilTheTimeItNamed() {
        World world = new World()
                .provider("p1", FaultScript.of(Reply.rateLimited(Duration.ofSeconds(20))))
                .provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().build()) {
            callEverySecond(world, client, 30);

            assertThat(world.sentTo("p1").getFirst().at()).isZero();
            assertThat(world.sentTo("p1").get(1).at()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(27));
            assertThat(world.events(CallEvent.CooldownStarted.class))
                    .singleElement()
                    .satisfies(started -> {
                        assertThat(started.kind()).isEqualTo(FailureKind.RATE_LIMITED);
                        assertThat(started.length()).isGreaterThanOrEqualTo(Duration.ofSeconds(20));
                    });
        }
    }

    @Test
    void aRateLimitWithoutATimeRestsTheTargetForAMinute() {
        World world =
                new World().provider("p1", FaultScript.of(Reply.status(429))).provider("p2", FaultScript.healthy());
        try (ResilientClient client = world.builder().build()) {
            CallOptions once = CallOptions.none().withRetry(false);
            world.time().run(() -> {
                for (int i = 0; i < 70; i++) {
                    world.callHere(client, World.request(), once);
                    world.sleep(Duration.ofSeconds(1));
                }
            });

            assertThat(world.sentTo("p1").get(1).at()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(69));
        }
    }

    @Test
    void theOnlyTargetIsWaitedForWhileItRests() {
        World world = World.of(Reply.rateLimited(Duration.ofSeconds(20)));
        try (ResilientClient client = world.builder().build()) {
            world.call(client, CallOptions.none().withRetry(false)).failure();
            Ended call = world.call(client);

            assertThat(call.answer().attempts()).hasSize(1);
            assertThat(world.times().get(1)).isGreaterThanOrEqualTo(Duration.ofSeconds(20));
        }
    }

    @Test
    void aCallThatCannotWaitForARestingTargetIsRejectedAndToldWhen() {
        World world = World.of(Reply.rateLimited(Duration.ofSeconds(20)));
        try (ResilientClient client = world.builder().build()) {
            world.call(client, CallOptions.none().withRetry(false)).failure();
            Ended call = world.call(client, CallOptions.none().withDeadline(Duration.ofSeconds(5)));

            assertThat(call.failure()).isInstanceOf(CallRejectedException.class);
            assertThat(call.failure().kind()).isEqualTo(FailureKind.COOLING_DOWN);
            assertThat(call.failure().retryAfter().orElseThrow())
                    .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(27));
            assertThat(call.took()).isZero();
            assertThat(world.sent()).hasSize(1);
        }
    }

    @Test
    void aLongRestIsNotWaitedOutWhereAnotherEndpointIsFreeEarlier() {
        World world = new World()
                .provider("p1", FaultScript.of(Reply.rateLimited(Duration.ofSeconds(40))))
                .provider(
                        "p2",
                        FaultScript.of(Reply.rateLimited(Duration.ofSeconds(3))),
                        endpoint -> endpoint.region("eu"));
        try (ResilientClient client = world.builder().build()) {
            AllowList eu = new AllowList(Set.of("eu"), Set.of(), Set.of());
            world.call(client, CallOptions.none().withAllow(eu).withRetry(false))
                    .failure();
            Ended call = world.call(client);

            assertThat(world.path()).containsExactly("p2", "p1", "p2");
            assertThat(call.answer().endpoint()).contains("p2");
            assertThat(call.took()).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(6));
        }
    }

    @Test
    void anEndpointThatIsNotAllowedIsNeverAsked() {
        World world = new World()
                .provider("p1", FaultScript.always(OVERLOADED), endpoint -> endpoint.region("us"))
                .provider("p2", FaultScript.always(OVERLOADED), endpoint -> endpoint.region("eu"))
                .provider("p3", FaultScript.always(OVERLOADED));
        try (ResilientClient client = world.builder().build()) {
            AllowList eu = new AllowList(Set.of("eu"), Set.of(), Set.of());
            world.call(client, CallOptions.none().withAllow(eu)).failure();

            assertThat(world.path()).isNotEmpty().containsOnly("p2");
        }
    }

    @Test
    void whereNothingIsAllowedNothingIsSent() {
        World world = new World()
                .provider(
                        "p1",
                        FaultScript.healthy(),
                        endpoint -> endpoint.region("us").vendor("v"));
        try (ResilientClient client = world.builder().build()) {
            AllowList other = new AllowList(Set.of("us"), Set.of("w"), Set.of());
            Ended call = world.call(client, CallOptions.none().withAllow(other));

            assertThat(call.failure()).isInstanceOf(CallRejectedException.class);
            assertThat(call.failure().kind()).isEqualTo(FailureKind.POLICY_REFUSED);
            assertThat(world.sent()).isEmpty();
        }
    }

    @Test
    void aCallEndsBeforeTheAttemptThatWouldCostTooMuch() {
        World world = World.of();
        ModelRequest request = ModelRequest.chat(World.MODEL)
                .user("Name three rivers.")
                .maxTokens(1_000)
                .build();
        Price price = Price.blended(new BigDecimal("1000"));
        try (ResilientClient client =
                world.builder().prices((model, at) -> Optional.of(price)).build()) {
            Ended cheap = world.call(client, request, CallOptions.none().withMaxCostUsd(new BigDecimal("0.50")));
            Ended dear = world.call(client, request, CallOptions.none().withMaxCostUsd(new BigDecimal("50")));

            assertThat(cheap.failure()).isInstanceOf(CallRejectedException.class);
            assertThat(cheap.failure().kind()).isEqualTo(FailureKind.COST_LIMIT);
            assertThat(dear.answer().cost().orElseThrow().usd()).isEqualByComparingTo("0.006");
            assertThat(world.sent()).hasSize(1);
        }
    }

    private static World world(Reply... replies) {
        World world = new World();
        for (int i = 0; i < replies.length; i++) {
            world.provider("p" + (i + 1), FaultScript.always(replies[i]));
        }
        return world;
    }

    private static ClientBuilder models(World world) {
        return world.builder()
                .model(ModelSettings.of(World.MODEL).withEndpoints("p1").withFallbacks("second"))
                .model(ModelSettings.of("second").withEndpoints("p2"));
    }

    private static void callEverySecond(World world, ResilientClient client, int times) {
        world.time().run(() -> {
            for (int i = 0; i < times; i++) {
                world.callHere(client);
                world.sleep(Duration.ofSeconds(1));
            }
        });
    }
}
