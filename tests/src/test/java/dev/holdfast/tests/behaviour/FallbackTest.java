package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.Adjustment;
import dev.holdfast.AllowList;
import dev.holdfast.CallEvent;
import dev.holdfast.CallOptions;
import dev.holdfast.CallRejectedException;
import dev.holdfast.Cost;
import dev.holdfast.Credential;
import dev.holdfast.Explanation;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelRequest;
import dev.holdfast.Price;
import dev.holdfast.RouteOrder;
import dev.holdfast.Target;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.EndpointPolicy;
import dev.holdfast.core.HedgePolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which models a call goes to, what of the request they get, and what is said of it beforehand and afterwards. */
class FallbackTest {
    private static final Reply DOWN = Reply.status(503);
    private static final ModelSettings FIRST =
            ModelSettings.of(World.MODEL).withEndpoints("p1").withFallbacks("second", "third");
    private static final ModelSettings SECOND = ModelSettings.of("second").withEndpoints("p2");
    private static final ModelSettings THIRD = ModelSettings.of("third").withEndpoints("p3");

    private static World world(FaultScript first, FaultScript second, FaultScript third) {
        return new World().provider("p1", first).provider("p2", second).provider("p3", third);
    }

    private static ClientBuilder client(World world, ModelSettings... models) {
        ClientBuilder builder = world.builder();
        List.of(models).forEach(builder::model);
        return builder;
    }

    private static ModelRequest longRequest() {
        return ModelRequest.chat(World.MODEL)
                .user("Rivers and mountains. ".repeat(2_000))
                .maxTokens(500)
                .build();
    }

    @Test
    void whatCannotHoldTheRequestIsNotAskedNotEvenFirst() {
        World world = world(FaultScript.healthy(), FaultScript.healthy(), FaultScript.healthy());
        try (ResilientClient client = client(
                        world, FIRST.withContextWindow(1_000), SECOND.withContextWindow(4_000), THIRD)
                .build()) {
            Ended call = world.call(client, longRequest(), CallOptions.none());
            assertThat(call.answer().model()).contains("third");
            assertThat(world.path()).containsExactly("p3");
            assertThat(world.events(CallEvent.TargetRejected.class))
                    .extracting(event -> event.rejection().kind())
                    .containsExactly(FailureKind.CONTEXT_LENGTH, FailureKind.CONTEXT_LENGTH);
        }
    }

    @Test
    void whereNoModelCanHoldTheRequestNothingIsSent() {
        World world = world(FaultScript.healthy(), FaultScript.healthy(), FaultScript.healthy());
        try (ResilientClient client = client(
                        world,
                        FIRST.withContextWindow(1_000),
                        SECOND.withContextWindow(1_000),
                        THIRD.withContextWindow(1_000))
                .build()) {
            assertThat(world.call(client, longRequest(), CallOptions.none()).failure())
                    .isInstanceOf(CallRejectedException.class)
                    .hasMessageContaining("third@p3 context_length")
                    .satisfies(error ->
                            assertThat(((CallRejectedException) error).kind()).isEqualTo(FailureKind.CONTEXT_LENGTH));
            assertThat(world.sent()).isEmpty();
        }
    }

    @Test
    void eachModelGetsTheRequestAsItTakesItAndTheCallersIsUntouched() {
        World world = world(
                FaultScript.always(Reply.status(402)), FaultScript.always(Reply.status(402)), FaultScript.healthy());
        ModelRequest request = ModelRequest.chat(World.MODEL)
                .user("Name three rivers.")
                .maxTokens(64_000)
                .temperature(0.2)
                .build();
        try (ResilientClient client = client(
                        world,
                        FIRST.withDropped("temperature"),
                        SECOND.withMaxOutput(8_192),
                        THIRD.withMaxOutput(16_384).withRenamed("max_tokens", "max_completion_tokens"))
                .build()) {
            Ended call = world.call(client, request, CallOptions.none());
            assertThat(world.sentTo("p1").getFirst().body())
                    .contains("\"max_tokens\":64000")
                    .doesNotContain("temperature");
            assertThat(world.sentTo("p2").getFirst().body())
                    .contains("\"max_tokens\":8192")
                    .contains("\"temperature\":0.2");
            assertThat(world.sentTo("p3").getFirst().body())
                    .contains("\"max_completion_tokens\":16384")
                    .doesNotContain("\"max_tokens\"");
            assertThat(call.answer().adjusted())
                    .containsExactly(
                            new Adjustment("/max_tokens", "clamped to 16384"),
                            new Adjustment("/max_tokens", "renamed to max_completion_tokens"));
            assertThat(request.maxOutputTokens()).hasValue(64_000);
        }
    }

    @Test
    void aRequestThatNeedsNoChangeReportsNone() {
        World world = world(FaultScript.healthy(), FaultScript.healthy(), FaultScript.healthy());
        try (ResilientClient client =
                client(world, FIRST.withMaxOutput(100_000), SECOND, THIRD).build()) {
            assertThat(world.call(client).answer().adjusted()).isEmpty();
        }
    }

    @Test
    void aBoundOnCostReckonsWithTheModelsOwnCap() {
        World world = world(FaultScript.healthy(), FaultScript.healthy(), FaultScript.healthy());
        ModelRequest request =
                ModelRequest.chat(World.MODEL).user("hi").maxTokens(100_000).build();
        CallOptions cheap = CallOptions.none().withMaxCostUsd(new BigDecimal("0.5"));
        try (ResilientClient client = client(world, FIRST, SECOND.withMaxOutput(1_000), THIRD)
                .prices((model, at) -> Optional.of(Price.blended(BigDecimal.TEN)))
                .build()) {
            assertThat(world.call(client, request, cheap).answer().model()).contains("second");
        }
    }

    @Test
    void aCallReturnsToTheFirstModelWhenItsFallbacksHaveFailed() {
        World world = world(
                FaultScript.of(Reply.rateLimited(Duration.ofSeconds(8))),
                FaultScript.always(DOWN),
                FaultScript.always(DOWN));
        try (ResilientClient client = client(world, FIRST, SECOND, THIRD)
                .retry(World.retry().withMaxAttempts(2))
                .build()) {
            Ended call = world.call(client);
            assertThat(call.answer().model()).contains(World.MODEL);
            assertThat(world.sentTo("p1")).hasSize(2);
            assertThat(world.sentTo("p1").getLast().at()).isGreaterThanOrEqualTo(Duration.ofSeconds(8));
            assertThat(call.answer().attempts().getLast().target().model()).isEqualTo(World.MODEL);
        }
    }

    @Test
    void afterATimeoutTheFasterModelComesFirstAndWithItsOwnTimeout() {
        World world = world(FaultScript.always(Reply.hang()), FaultScript.healthy(), FaultScript.healthy());
        try (ResilientClient client = client(
                        world,
                        FIRST.withTimeout(Duration.ofSeconds(60)),
                        SECOND.withTimeout(Duration.ofSeconds(60)),
                        THIRD.withTimeout(Duration.ofSeconds(15)))
                .build()) {
            Ended call = world.call(client);
            assertThat(call.answer().model()).contains("third");
            assertThat(call.answer().fallbackCount()).isEqualTo(1);
            assertThat(call.took()).isEqualTo(Duration.ofSeconds(60));
            assertThat(world.path()).containsExactly("p1", "p3");
        }
    }

    @Test
    void fastFirstGoesByTimeoutsAndOnceAllWereMeasuredByWhatWasMeasured() {
        World world = world(
                FaultScript.always(Reply.completion("ok").withDelay(Duration.ofMillis(100))),
                FaultScript.always(Reply.completion("ok").withDelay(Duration.ofMillis(900))),
                FaultScript.always(Reply.completion("ok").withDelay(Duration.ofMillis(500))));
        CallOptions fast = CallOptions.none().withRouteOrder(RouteOrder.FAST_FIRST);
        try (ResilientClient client = client(
                        world,
                        FIRST.withTimeout(Duration.ofSeconds(30)),
                        SECOND.withTimeout(Duration.ofSeconds(10)),
                        THIRD.withTimeout(Duration.ofSeconds(20)))
                .build()) {
            assertThat(world.call(client, fast).answer().model()).contains("second");
            world.call(client, CallOptions.none());
            world.call(client, CallOptions.none().withRoute(List.of("third")));
            assertThat(world.call(client, fast).answer().model()).contains(World.MODEL);
        }
    }

    @Test
    void aUsedUpQuotaIsSharedByAllThatUseItsKey() {
        World world = world(FaultScript.always(Reply.status(402)), FaultScript.healthy(), FaultScript.healthy());
        Credential shared = Credential.of("sk-test-shared-0123456789abcdef");
        try (ResilientClient client = client(world, FIRST, SECOND, THIRD).build()) {
            assertThat(world.call(client, CallOptions.none().withCredential(shared))
                            .failure()
                            .kind())
                    .isEqualTo(FailureKind.QUOTA_EXHAUSTED);
            assertThat(world.path()).containsExactly("p1");
            assertThat(world.call(client).answer().model()).contains("second");
        }
    }

    @Test
    void openAndCoolingModelsAreSkippedWithoutARoundTrip() {
        World world = world(
                FaultScript.of(DOWN), FaultScript.of(Reply.rateLimited(Duration.ofSeconds(50))), FaultScript.healthy());
        try (ResilientClient client = client(world, FIRST, SECOND, THIRD)
                .retry(RetryPolicy.none())
                .breaker(BreakerPolicy.defaults().withFailureThreshold(1))
                .build()) {
            world.call(client);
            int sent = world.sent().size();
            Ended call = world.call(client);
            assertThat(call.answer().model()).contains("third");
            assertThat(world.sent()).hasSize(sent + 1);
            assertThat(call.took()).isZero();
        }
    }

    @Test
    void theErrorTellsEveryTargetEveryReasonAndWhenTheFirstIsFree() {
        World world = world(
                FaultScript.always(Reply.rateLimited(Duration.ofSeconds(90))),
                FaultScript.always(DOWN),
                FaultScript.healthy());
        try (ResilientClient client = client(world, FIRST, SECOND, THIRD.withContextWindow(1))
                .retry(RetryPolicy.none())
                .build()) {
            assertThat(world.call(client).failure())
                    .hasMessageContaining("gpt-4.1@p1")
                    .hasMessageContaining("rate_limited 429")
                    .hasMessageContaining("second@p2")
                    .hasMessageContaining("overloaded 503")
                    .hasMessageContaining("third@p3 context_length")
                    .hasMessageContaining("the first is free in 90000 ms");
        }
    }

    @Test
    void anUnknownFallbackIsRefusedByName() {
        World world = new World().provider("p1", FaultScript.healthy());
        ClientBuilder builder =
                world.builder().model(ModelSettings.of(World.MODEL).withFallbacks("gpt-4.1-mnii"));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fallbacks of model gpt-4.1: \"gpt-4.1-mnii\" is not known");
    }

    @Test
    void explainSaysWhatACallWouldDoAndDoesNothing() {
        World world = world(
                FaultScript.of(DOWN), FaultScript.of(Reply.rateLimited(Duration.ofSeconds(50))), FaultScript.healthy());
        var asked = new AtomicInteger();
        try (ResilientClient client = client(
                        world,
                        FIRST,
                        SECOND,
                        THIRD.withMaxOutput(1_000).withContextWindow(32_768).withTimeout(Duration.ofSeconds(20)),
                        ModelSettings.of("keyed").withEndpoints("p1"))
                .retry(RetryPolicy.none())
                .breaker(BreakerPolicy.defaults().withFailureThreshold(1))
                .prices((model, at) -> Optional.of(Price.blended(BigDecimal.TEN)))
                .credentials("p3", request -> {
                    asked.incrementAndGet();
                    return new dev.holdfast.spi.CredentialSource.IssuedCredential(
                            Credential.of(World.keyOf("p3")), Optional.empty());
                })
                .build()) {
            world.call(client);
            int sent = world.sent().size();
            int keys = asked.get();
            int events = world.events().size();
            ModelRequest request = ModelRequest.chat(World.MODEL)
                    .user("Name three rivers.")
                    .maxTokens(2_000)
                    .build();

            Explanation explained = client.explain(request);

            assertThat(explained.order()).containsExactly(new Target("third", "p3"));
            assertThat(explained.candidates()).hasSize(3);
            assertThat(explained.candidates().getFirst().reason())
                    .contains("breaker is open")
                    .contains("30000 ms");
            assertThat(explained.candidates().get(1).reason()).contains("cools down");
            Explanation.Candidate third = explained.candidates().getLast();
            assertThat(third.timeout()).isGreaterThanOrEqualTo(Duration.ofSeconds(20));
            assertThat(third.adjusted()).containsExactly(new Adjustment("/max_tokens", "clamped to 1000"));
            assertThat(third.mostCost())
                    .map(Cost::usd)
                    .hasValueSatisfying(usd -> assertThat(usd).isPositive());
            assertThat(third.neededTokens()).isGreaterThan(1_000).isLessThan(1_100);
            assertThat(explained.toString())
                    .contains("skip gpt-4.1@p1", "try  third@p3: healthy", "of 32768 tokens", "clamped to 1000")
                    .doesNotContain("rivers")
                    .doesNotContain(World.keyOf("p1"));
            assertThat(world.sent()).hasSize(sent);
            assertThat(asked).hasValue(keys);
            assertThat(world.events()).hasSize(events);
        }
    }

    @Test
    void explainNamesWhatTheCallMayNotUse() {
        World world = new World()
                .provider("p1", FaultScript.healthy(), endpoint -> endpoint.region("us"))
                .provider("p2", FaultScript.healthy(), endpoint -> endpoint.region("eu"));
        CallOptions europe = CallOptions.none()
                .withAllow(new dev.holdfast.AllowList(java.util.Set.of("eu"), java.util.Set.of(), java.util.Set.of()));
        try (ResilientClient client = world.builder().build()) {
            Explanation explained = client.explain(World.request(), europe);
            assertThat(explained.order()).containsExactly(new Target(World.MODEL, "p2"));
            assertThat(explained.candidates().getLast().reason()).contains("does not allow its region");
            assertThat(explained.candidates().getLast().skipped().orElseThrow().kind())
                    .isEqualTo(FailureKind.POLICY_REFUSED);
        }
    }

    @Test
    void explainSaysSoWhereTheCallMayGoNowhere() {
        World world = new World()
                .provider("p1", FaultScript.healthy(), endpoint -> endpoint.region("us"))
                .provider("p2", FaultScript.healthy());
        CallOptions nowhere = CallOptions.none().withAllow(new AllowList(Set.of("eu"), Set.of(), Set.of()));
        try (ResilientClient client =
                world.builder().hedge(HedgePolicy.after(Duration.ZERO)).build()) {
            Explanation explained = client.explain(World.request(), nowhere);

            assertThat(explained.first()).isEmpty();
            assertThat(explained.hedge()).isEmpty();
            assertThat(explained.order()).isEmpty();
            assertThat(explained.candidates())
                    .extracting(
                            candidate -> candidate.target().endpoint(),
                            candidate -> candidate.skipped().orElseThrow().kind())
                    .containsExactly(tuple("p1", FailureKind.POLICY_REFUSED), tuple("p2", FailureKind.POLICY_REFUSED));
            assertThat(world.call(client, nowhere).failure().kind()).isEqualTo(FailureKind.POLICY_REFUSED);
        }
    }

    @Test
    void explainChangesNoCallThatFollows() {
        assertThat(balancedPath(false)).isEqualTo(balancedPath(true));
    }

    private static List<String> balancedPath(boolean explaining) {
        World world = world(FaultScript.of(DOWN, DOWN, DOWN), FaultScript.healthy(), FaultScript.healthy());
        try (ResilientClient client = world.builder()
                .retry(RetryPolicy.none())
                .endpointPolicy(EndpointPolicy.loadBalanced())
                .build()) {
            for (int i = 0; i < 60; i++) {
                if (explaining) {
                    client.explain(World.request());
                }
                world.call(client);
                world.pass(Duration.ofSeconds(5));
            }
        }
        return world.path();
    }

    @Test
    void whatIsExplainedIsWhatIsDone() {
        World world = world(FaultScript.always(DOWN), FaultScript.always(DOWN), FaultScript.always(DOWN));
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of(World.MODEL).withFallbacks("second"))
                .model(ModelSettings.of("second").withEndpoints("p3", "p1"))
                .retry(RetryPolicy.none())
                .build()) {
            for (int i = 0; i < 8; i++) {
                List<Target> explained = client.explain(World.request()).order();
                Ended call = world.call(client);
                assertThat(call.failure().attempts())
                        .extracting(attempt -> attempt.target())
                        .containsExactlyElementsOf(explained);
                world.pass(Duration.ofSeconds(11));
            }
        }
    }
}
