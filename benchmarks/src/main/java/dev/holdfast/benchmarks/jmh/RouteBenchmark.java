package dev.holdfast.benchmarks.jmh;

import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallOptions;
import dev.holdfast.Cost;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.Spend;
import dev.holdfast.Target;
import dev.holdfast.Usage;
import dev.holdfast.routing.BlendRouter;
import dev.holdfast.routing.Budget;
import dev.holdfast.routing.Budgets;
import dev.holdfast.routing.CostRouter;
import dev.holdfast.routing.Ledger;
import dev.holdfast.routing.LiveRouter;
import dev.holdfast.routing.LiveStats;
import dev.holdfast.routing.PriceBook;
import dev.holdfast.routing.SeedRouter;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.ModelRouter.ModelStatus;
import dev.holdfast.spi.ModelRouter.RouteRequest;
import dev.holdfast.spi.SpendGuard.Granted;
import dev.holdfast.spi.SpendGuard.SpendRequest;
import dev.holdfast.spi.TokenEstimator;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What routing and accounting add to one call: a route among five models for a question of about 1 KiB, the guess at its
 * tokens, the cost of its answer, its line in the ledger, its money in two budgets. {@code ./holdfast jmh RouteBenchmark -prof gc}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RouteBenchmark {
    private static final List<String> MODELS =
            List.of("gpt-4.1", "gpt-4.1-mini", "claude-sonnet-4.5", "gemini-2.5-flash", "deepseek-v3.2");

    private final PriceBook prices = PriceBook.listPrices();
    private final LiveStats stats = LiveStats.create();
    private final Ledger ledger = Ledger.create();
    private final Budgets budgets = Budgets.of(
            Budget.perDay("day", new BigDecimal("1000000000")),
            Budget.perDay("tenants", new BigDecimal("1000000000")).withScope(new Budget.EachTenant()));
    private final TokenEstimator estimator = TokenEstimator.lexical();
    private final CallOptions options = CallOptions.none().withTenant("acme").withTag("team", "search");
    private final ModelRequest request = ModelRequest.chat("gpt-4.1")
            .user("What are the five main export goods of Korea, and how did they change in 2024? ".repeat(13))
            .maxTokens(512)
            .build();
    private final RouteRequest asked = new RouteRequest(
            request,
            options,
            MODELS.stream()
                    .map(model ->
                            new ModelStatus(model, true, OptionalLong.of(128_000), Optional.empty(), Optional.empty()))
                    .toList());
    private final Usage usage = new Usage(300, 100, 0, 200, 50);
    private final Spend spend =
            new Spend(usage, Optional.of(new Cost(new BigDecimal("0.00213"))), Spend.Basis.REPORTED);
    private final AttemptFinished finished = finished();
    private final SpendRequest spending =
            new SpendRequest(options, new Target("gpt-4.1", "openai"), Optional.of(new Cost(new BigDecimal("0.005"))));

    private final ModelRouter seed = SeedRouter.defaults();
    private final ModelRouter cheapest = CostRouter.of(prices);
    private final ModelRouter live = LiveRouter.of(stats, new SplittableRandom(1));
    private final ModelRouter blend =
            BlendRouter.of(prices, stats, new BlendRouter.Weights(1, 1, 1), new SplittableRandom(1));

    @Benchmark
    public Route seed() {
        return seed.route(asked);
    }

    @Benchmark
    public Route cheapest() {
        return cheapest.route(asked);
    }

    @Benchmark
    public Route live() {
        return live.route(asked);
    }

    @Benchmark
    public Route blend() {
        return blend.route(asked);
    }

    @Benchmark
    public TokenEstimate estimate() {
        return estimator.estimate(request);
    }

    @Benchmark
    public Optional<Cost> cost() {
        return prices.estimateCost("openai/gpt-4.1", usage);
    }

    @Benchmark
    public Ledger ledger() {
        ledger.onEvent(finished);
        return ledger;
    }

    @Benchmark
    public Object budgets() {
        var decision = budgets.reserve(spending);
        ((Granted) decision).reservation().settle(Optional.of(spend));
        return decision;
    }

    private AttemptFinished finished() {
        var attempt = new Attempt(
                1,
                AttemptReason.FIRST,
                new Target("gpt-4.1", "openai"),
                Optional.empty(),
                Instant.EPOCH,
                Duration.ZERO,
                Duration.ofMillis(700),
                Optional.empty(),
                Optional.empty(),
                Optional.of(spend));
        return new AttemptFinished(Instant.EPOCH, "c", attempt, Optional.of("acme"), Map.of("team", "search"));
    }
}
