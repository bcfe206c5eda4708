package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CallOptions;
import dev.holdfast.CallRejectedException;
import dev.holdfast.Cost;
import dev.holdfast.Endpoint;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.Usage;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.routing.BlendRouter;
import dev.holdfast.routing.BlendRouter.Weights;
import dev.holdfast.routing.Budget;
import dev.holdfast.routing.BudgetRouter;
import dev.holdfast.routing.Budgets;
import dev.holdfast.routing.Ledger;
import dev.holdfast.routing.LexicalScorer;
import dev.holdfast.routing.LexicalScorer.Example;
import dev.holdfast.routing.LiveRouter;
import dev.holdfast.routing.LiveStats;
import dev.holdfast.routing.PriceBook;
import dev.holdfast.routing.ScoreRouter;
import dev.holdfast.routing.Totals;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.TokenEstimator;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of docs/costs.md and of the routers that learn. */
class CostSnippetsTest {
    @Test
    void theLedger() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            ModelRequest request = Local.request();
            // snippet: costs-ledger
            Ledger ledger = Ledger.create();
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .listener(ledger)
                    .build();
            client.call(request, CallOptions.none().withTenant("acme").withTag("team", "search"));
            Totals search = ledger.byTag("team").of("search");
            Cost billed = search.cost();
            Cost perhaps = search.possible().cost();
            boolean more = search.isLowerBound();
            // end
            assertThat(billed.usd()).isPositive();
            assertThat(perhaps).isEqualTo(Cost.ZERO);
            assertThat(more).isFalse();
            assertThat(ledger.byTenant().of("acme").attempts()).isEqualTo(1);
            client.close();
        }
    }

    @Test
    void budgetsThatRefuse() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            ModelRequest request = Local.request();
            // snippet: costs-budgets
            Budgets budgets = Budgets.of(
                    Budget.perDay("all", new BigDecimal("100")),
                    Budget.perDay("tenants", new BigDecimal("0.000001")).withScope(new Budget.EachTenant()),
                    Budget.perDay("search", new BigDecimal("20")).withScope(new Budget.OneTag("team", "search")));
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .spendGuard(budgets)
                    .build();
            // end
            assertThatThrownBy(() -> client.call(request, CallOptions.none().withTenant("acme")))
                    .isInstanceOf(CallRejectedException.class);
            assertThat(provider.requests()).isEmpty();
            assertThat(client.call(request).text()).isPresent();
            client.close();
        }
    }

    @Test
    void aBudgetThatDowngrades() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            // snippet: costs-downgrade
            PriceBook prices = PriceBook.listPrices();
            Budgets budgets =
                    Budgets.of(Budget.perDay("soft", new BigDecimal("0")).withExceeded(Budget.Exceeded.DOWNGRADE));
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .model(ModelSettings.of("gpt-4.1"))
                    .model(ModelSettings.of("gpt-4.1-mini"))
                    .spendGuard(budgets)
                    .router(BudgetRouter.of(
                            request -> Route.of("best first", "gpt-4.1", "gpt-4.1-mini"), budgets, prices))
                    .build();
            // end
            assertThat(client.call(Local.request()).model()).hasValue("gpt-4.1-mini");
            client.close();
        }
    }

    @Test
    void pricesOfOthers(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("data_slim.json");
        Files.writeString(file, """
                [{"id": "openai", "model_match": {"starts_with": "gpt-"}, "models": [
                  {"id": "gpt-4.1", "match": {"equals": "gpt-4.1"}, "prices": {"input_mtok": 2, "output_mtok": 8}}]}]
                """);
        // snippet: costs-genai
        PriceBook all = PriceBook.loadGenaiPrices(file, LocalDate.of(2026, 1, 31));
        PriceBook prices = all.withOverrides(PriceBook.listPrices());
        // end
        assertThat(prices.estimateCost("openai/gpt-4.1", Usage.of(100, 400)))
                .map(Cost::toString)
                .hasValue("$0.0034");
    }

    @Test
    void tokensAreGuessed() {
        // snippet: costs-tokens
        TokenEstimator estimator = TokenEstimator.lexical();
        ModelRequest request =
                ModelRequest.chat("gpt-4.1").user("Name three rivers.").build();
        long input = estimator.estimate(request).input();
        // end
        assertThat(input).isBetween(10L, 16L);
    }

    @Test
    void routersThatLearn() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            Endpoint endpoint = Local.endpoint(provider);
            ModelRequest request = Local.request();
            // snippet: routing-live
            LiveStats stats = LiveStats.create();
            PriceBook prices = PriceBook.listPrices();
            ModelRouter soonest = LiveRouter.of(stats, new SplittableRandom());
            ModelRouter blend = BlendRouter.of(prices, stats, new Weights(2, 1, 1), new SplittableRandom());
            ResilientClient client = ResilientClient.builder()
                    .endpoint(endpoint)
                    .model(ModelSettings.of("gpt-4.1").withContextWindow(1_047_576))
                    .model(ModelSettings.of("gemini-2.5-flash").withContextWindow(1_048_576))
                    .listener(stats)
                    .router(blend)
                    .build();
            client.call(request);
            // end
            assertThat(stats.latency("gemini-2.5-flash").or(() -> stats.latency("gpt-4.1")))
                    .isPresent();
            assertThat(soonest).isNotNull();
            client.close();
        }
    }

    @Test
    void aScorerOfOnesOwn() {
        List<Example> graded = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            graded.add(new Example(i % 2 == 0 ? "prove it " + i : "list it " + i, i % 2 == 0));
        }
        List<String> prompts = graded.stream().map(Example::prompt).toList();
        // snippet: routing-score
        LexicalScorer scorer = LexicalScorer.train(graded);
        double threshold = scorer.thresholdFor(0.3, prompts);
        ModelRouter router = new ScoreRouter(scorer::score, threshold, "gpt-4.1", "gpt-4.1-mini");
        // end
        assertThat(router).isNotNull();
    }
}
