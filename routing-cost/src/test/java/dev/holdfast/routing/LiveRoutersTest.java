package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelRequest;
import dev.holdfast.Price;
import dev.holdfast.Route;
import dev.holdfast.Target;
import dev.holdfast.routing.BlendRouter.Weights;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.ModelRouter.ModelStatus;
import dev.holdfast.spi.ModelRouter.RouteRequest;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.SpendGuard.SpendRequest;
import dev.holdfast.spi.TokenEstimator;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LiveRoutersTest {
    private static final Duration HALF_LIFE = Duration.ofSeconds(60);
    private static final ModelRequest HELLO =
            ModelRequest.chat("asked").user("hello").build();
    private static final TokenEstimator THOUSAND = request -> new TokenEstimate(1_000, 0);

    private final FixedTime time = new FixedTime(Instant.EPOCH);
    private final LiveStats stats = LiveStats.of(HALF_LIFE, time);

    private static RouteRequest among(String... models) {
        return new RouteRequest(
                HELLO,
                CallOptions.none(),
                Arrays.stream(models).map(model -> status(model, true)).toList());
    }

    private static ModelStatus status(String model, boolean available) {
        return new ModelStatus(model, available, OptionalLong.empty(), Optional.empty(), Optional.empty());
    }

    private void answers(String model, long millis) {
        stats.onEvent(Spends.answered(model, Duration.ofMillis(millis)));
    }

    private void fails(String model, int times) {
        for (int i = 0; i < times; i++) {
            stats.onEvent(Spends.failed(model, FailureKind.OVERLOADED));
        }
    }

    private LiveRouter live() {
        return LiveRouter.of(stats, new Random(1)).withExploration(0);
    }

    @Test
    void anAnswerOfAHalfLifeAgoCountsHalf() {
        answers("m", 100);
        time.advance(HALF_LIFE);
        answers("m", 400);
        assertThat(stats.latency("m")).contains(Duration.ofMillis(300));
        assertThat(stats.latency("never heard of")).isEmpty();
        assertThat(stats.successRate("never heard of")).isEqualTo(1);
    }

    @Test
    void aLatencyIsForgottenAfterTenHalfLives() {
        answers("m", 100);
        time.advance(HALF_LIFE.multipliedBy(9));
        assertThat(stats.latency("m")).contains(Duration.ofMillis(100));
        time.advance(HALF_LIFE);
        assertThat(stats.latency("m")).isEmpty();
    }

    @Test
    void failuresFadeAndTheModelComesBack() {
        fails("m", 3);
        assertThat(stats.successRate("m")).isEqualTo(0.25);
        time.advance(HALF_LIFE);
        assertThat(stats.successRate("m")).isEqualTo(0.4);
        time.advance(HALF_LIFE.multipliedBy(20));
        assertThat(stats.successRate("m")).isGreaterThan(0.999);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "INVALID_REQUEST",
                "CONTENT_POLICY",
                "CONTEXT_LENGTH",
                "CANCELLED",
                "LOCAL",
                "CIRCUIT_OPEN",
                "LIMIT_EXCEEDED",
                "COST_LIMIT"
            })
    void whatIsNotTheModelsFaultIsNotHeldAgainstIt(FailureKind kind) {
        stats.onEvent(Spends.failed("m", kind));
        assertThat(stats.successRate("m")).isEqualTo(1);
    }

    @Property(tries = 300)
    void aMeanLiesBetweenItsSamples(
            @ForAll @Size(min = 1, max = 30) List<@DoubleRange(min = 1, max = 10_000) Double> millis) {
        LiveStats any = LiveStats.of(HALF_LIFE, time);
        for (double each : millis) {
            any.onEvent(Spends.answered("m", Duration.ofNanos((long) (each * 1e6))));
            time.advance(Duration.ofSeconds((long) (each % 100)));
        }
        double mean = any.latency("m").orElseThrow().toNanos() / 1e6;
        assertThat(mean)
                .isBetween(
                        millis.stream().mapToDouble(x -> x).min().orElseThrow() - 1e-3,
                        millis.stream().mapToDouble(x -> x).max().orElseThrow() + 1e-3);
        assertThat(any.successRate("m")).isEqualTo(1);
    }

    @Test
    void theSoonestExpectedAnswerComesFirst() {
        answers("slow", 900);
        answers("quick", 300);
        assertThat(live().route(among("slow", "quick")).models()).containsExactly("quick", "slow");
        fails("quick", 8);
        Route route = live().route(among("slow", "quick"));
        assertThat(route.models()).containsExactly("slow", "quick");
        assertThat(route.reason()).isEqualTo("live: slow 900 ms 100 %, quick 300 ms 20 %");
    }

    @Test
    void whoIsNotKnownIsTriedLikeTheQuickest() {
        answers("known", 300);
        fails("known", 1);
        assertThat(live().route(among("known", "new")).models()).containsExactly("new", "known");
        assertThat(live().route(among("known", "new")).reason()).contains("new latency unknown 100 %");
        assertThat(live().route(among("x", "y")).models()).containsExactly("x", "y");
    }

    @Test
    void whatTheClientKnowsHelpsWhereNothingWasHeard() {
        var quick = new ModelStatus(
                "quick", true, OptionalLong.empty(), Optional.of(Duration.ofMillis(5)), Optional.empty());
        var slow = new ModelStatus(
                "slow", true, OptionalLong.empty(), Optional.of(Duration.ofMillis(50)), Optional.empty());
        assertThat(live().route(new RouteRequest(HELLO, CallOptions.none(), List.of(slow, quick)))
                        .models())
                .containsExactly("quick", "slow");
    }

    @Test
    void whatIsNotAvailableComesLast() {
        answers("quick", 1);
        answers("slow", 900);
        var request =
                new RouteRequest(HELLO, CallOptions.none(), List.of(status("quick", false), status("slow", true)));
        assertThat(live().route(request).models()).containsExactly("slow", "quick");
        assertThat(LiveRouter.of(stats, new Random(1))
                        .withExploration(1)
                        .route(request)
                        .models())
                .as("nor is it explored")
                .containsExactly("slow", "quick");
    }

    @Test
    void nowAndThenAnotherIsAsked() {
        answers("quick", 1);
        answers("slow", 900);
        LiveRouter curious = LiveRouter.of(stats, new Random(42)).withExploration(0.2);
        List<Route> routes = IntStream.range(0, 1_000)
                .mapToObj(i -> curious.route(among("quick", "slow")))
                .toList();
        List<Route> explored = routes.stream()
                .filter(route -> route.models().getFirst().equals("slow"))
                .toList();
        assertThat(explored)
                .hasSizeBetween(150, 250)
                .allMatch(route -> route.reason().endsWith("; explores slow"));
        assertThatThrownBy(() -> curious.withExploration(1.5)).hasMessage("exploration: 1.5 (expected: 0 to 1)");
        assertThatThrownBy(() -> curious.withExploration(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatMayBeExploredIsToldWithoutADraw() {
        answers("quick", 1);
        answers("slow", 900);
        answers("slower", 950);
        LiveRouter curious = LiveRouter.of(stats, new Random(42)).withExploration(0.2);
        LiveRouter asked = LiveRouter.of(stats, new Random(42)).withExploration(0.2);
        for (int i = 0; i < 50; i++) {
            assertThat(asked.likely(among("quick", "slow", "slower")).stream()
                            .map(each -> each.probability() + " " + each.route().models()))
                    .containsExactly(
                            "0.8 [quick, slow, slower]", "0.1 [slow, quick, slower]", "0.1 [slower, quick, slow]");
            assertThat(asked.route(among("quick", "slow", "slower")))
                    .isEqualTo(curious.route(among("quick", "slow", "slower")));
        }
        assertThat(asked.withExploration(1).likely(among("quick", "slow")))
                .singleElement()
                .satisfies(each -> assertThat(each.route().models()).containsExactly("slow", "quick"));
        assertThat(asked.withExploration(0).likely(among("quick", "slow"))).hasSize(1);
    }

    /** The two regimes of a provider that slows down and recovers: the router leaves it, and comes back by itself. */
    @Test
    void aModelThatRecoversIsFoundAgain() {
        LiveRouter router = LiveRouter.of(stats, new Random(3)).withExploration(0.1);
        int[] asked = new int[3];
        for (int phase = 0; phase < 3; phase++) {
            for (int i = 0; i < 600; i++) {
                String first = router.route(among("a", "b")).models().getFirst();
                asked[phase] += first.equals("a") ? 1 : 0;
                answers(first, first.equals("b") ? 500 : phase == 1 ? 3_000 : 200);
                time.advance(Duration.ofSeconds(1));
            }
        }
        assertThat(asked[0]).isGreaterThan(500);
        assertThat(asked[1]).isLessThan(150);
        assertThat(asked[2]).isGreaterThan(250);
    }

    private BlendRouter blend(Weights weights) {
        PriceSource prices = (model, at) -> switch (model) {
            case "free" -> Optional.of(Price.blended(BigDecimal.ZERO));
            case "cheap" -> Optional.of(Price.blended(BigDecimal.ONE));
            case "dear" -> Optional.of(Price.blended(BigDecimal.TEN));
            default -> Optional.empty();
        };
        return new BlendRouter(prices, stats, weights, THOUSAND, 0, new Random(1), time);
    }

    @Test
    void onlyCostIsTheCheapestFirstAndTheUnknownLast() {
        ModelRouter router = blend(new Weights(1, 0, 0));
        assertThat(router.route(among("unpriced", "dear", "cheap", "free")).models())
                .containsExactly("free", "cheap", "dear", "unpriced");
    }

    @Test
    void theWeightsDecide() {
        answers("cheap", 1_000);
        answers("dear", 100);
        assertThat(blend(new Weights(2, 1, 0)).route(among("dear", "cheap")).models())
                .containsExactly("cheap", "dear");
        Route quick = blend(new Weights(1, 2, 0)).route(among("dear", "cheap"));
        assertThat(quick.models()).containsExactly("dear", "cheap");
        assertThat(quick.reason()).isEqualTo("blend: dear 1.200 ($0.01), cheap 2.100 ($0.001)");
        fails("dear", 9);
        assertThat(blend(new Weights(1, 2, 4)).route(among("dear", "cheap")).models())
                .containsExactly("cheap", "dear");
    }

    @Test
    void weightsThatMakeNoSenseAreRefused() {
        for (double[] weights :
                new double[][] {{0, 0, 0}, {-1, 1, 1}, {Double.NaN, 1, 1}, {Double.POSITIVE_INFINITY, 1, 1}}) {
            assertThatThrownBy(() -> new Weights(weights[0], weights[1], weights[2]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("(expected: >= 0, finite, at least one > 0)");
        }
        assertThatThrownBy(() -> LiveStats.of(Duration.ZERO, time)).hasMessage("halfLife: PT0S (expected: > 0)");
    }

    @Test
    void aBudgetLeavesTheChoiceAloneUntilItIsSpent() {
        Map<String, Price> known = Map.of("big", Price.blended(BigDecimal.TEN), "small", Price.blended(BigDecimal.ONE));
        PriceSource prices = (model, at) -> Optional.ofNullable(known.get(model));
        Budgets budgets = Budgets.of(10, time, Budget.perDay("day", new BigDecimal("0.015")));
        var router = new BudgetRouter(
                request -> Route.of("best first", "odd", "big", "small"), budgets, prices, THOUSAND, time);
        var priced = new BudgetRouter(
                request -> Route.of("best first", "big", "small", "odd"), budgets, prices, THOUSAND, time);
        assertThat(priced.route(among("big")).reason()).isEqualTo("best first");
        assertThat(router.route(among("big")).models())
                .as("a price that is unknown would be refused")
                .containsExactly("small", "big", "odd");
        budgets.reserve(new SpendRequest(
                CallOptions.none(), new Target("big", "e"), Optional.of(new Cost(new BigDecimal("0.01")))));
        Route downgraded = priced.route(among("big"));
        assertThat(downgraded.models()).containsExactly("small", "big", "odd");
        assertThat(downgraded.reason()).isEqualTo("budget day: $0.005 left of $0.015, the cheapest first; best first");
    }
}
