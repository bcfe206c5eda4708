package dev.holdfast.tests.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.cache.CaffeineIdempotencyStore;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.TieredResponseCache;
import dev.holdfast.routing.BlendRouter;
import dev.holdfast.routing.Budget;
import dev.holdfast.routing.BudgetRouter;
import dev.holdfast.routing.Budgets;
import dev.holdfast.routing.CostRouter;
import dev.holdfast.routing.LiveRouter;
import dev.holdfast.routing.LiveStats;
import dev.holdfast.routing.PriceBook;
import dev.holdfast.routing.RagRouter;
import dev.holdfast.routing.ScoreRouter;
import dev.holdfast.routing.SeedRouter;
import dev.holdfast.spi.IdempotencyStore;
import dev.holdfast.spi.ModelRouter;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.ResponseCache;
import dev.holdfast.testkit.IdempotencyStoreContract;
import dev.holdfast.testkit.ManualTimekeeper;
import dev.holdfast.testkit.ModelRouterContract;
import dev.holdfast.testkit.PriceSourceContract;
import dev.holdfast.testkit.ResponseCacheContract;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The plugins keep the contracts of what they implement. */
class PluginContractsTest {
    private static final List<String> MODELS =
            List.of("gpt-4.1", "claude-sonnet-4-5", "gemini-2.5-flash", "deepseek-v3.2");

    @Test
    void thePriceBookIsFoundOnTheClassPath() {
        assertThat(ServiceLoader.load(PriceSource.class)).hasAtLeastOneElementOfType(PriceBook.class);
    }

    @Test
    void aFullStoreRefusesNewKeysAndKeepsTheOldOnes() {
        var clock = new ManualTimekeeper();
        var store = new CaffeineIdempotencyStore(2, clock);
        var first = new IdempotencyStore.Key("t", "1");
        store.reserve(first, "A", Duration.ofSeconds(10));
        store.reserve(new IdempotencyStore.Key("t", "2"), "A", Duration.ofSeconds(20));
        var third = new IdempotencyStore.Key("t", "3");
        assertThatThrownBy(() -> store.reserve(third, "A", Duration.ofSeconds(10)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("keys remembered: 2 (expected: < 2)");
        assertThat(store.reserve(first, "A", Duration.ofSeconds(10))).isEqualTo(new IdempotencyStore.InFlight());
        clock.advance(Duration.ofSeconds(10));
        assertThat(store.reserve(third, "A", Duration.ofSeconds(10))).isInstanceOf(IdempotencyStore.Reserved.class);
    }

    @Nested
    class ListPrices extends PriceSourceContract {
        @Override
        protected PriceSource source() {
            return new PriceBook();
        }

        @Override
        protected String knownModel() {
            return "gpt-4.1";
        }
    }

    @Nested
    class BlendedPrices extends PriceSourceContract {
        @Override
        protected PriceSource source() {
            return PriceBook.blended();
        }

        @Override
        protected String knownModel() {
            return "claude-sonnet-4-5";
        }
    }

    @Nested
    class SeedRouterForSpeed extends ModelRouterContract {
        @Override
        protected ModelRouter router() {
            return SeedRouter.defaults();
        }

        @Override
        protected List<String> models() {
            return MODELS;
        }
    }

    @Nested
    class SeedRouterForQuality extends ModelRouterContract {
        @Override
        protected ModelRouter router() {
            return SeedRouter.defaults().withPreferSpeed(false);
        }

        @Override
        protected List<String> models() {
            return MODELS;
        }
    }

    @Nested
    class Rag extends ModelRouterContract {
        @Override
        protected ModelRouter router() {
            return RagRouter.defaults();
        }

        @Override
        protected List<String> models() {
            return MODELS;
        }
    }

    @Nested
    class ByCost extends ModelRouterContract {
        @Override
        protected ModelRouter router() {
            return CostRouter.of(PriceBook.listPrices());
        }

        @Override
        protected List<String> models() {
            return List.of("unknown", "gpt-4.1", "gpt-4.1-mini");
        }
    }

    @Nested
    class ByLatency extends ModelRouterContract {
        @Override
        protected ModelRouter router() {
            return LiveRouter.of(LiveStats.create(), new Random(7)).withExploration(0.5);
        }

        @Override
        protected List<String> models() {
            return MODELS;
        }
    }

    @Nested
    class ByBlend extends ModelRouterContract {
        @Override
        protected ModelRouter router() {
            var weights = new BlendRouter.Weights(1, 2, 3);
            return BlendRouter.of(PriceBook.listPrices(), LiveStats.create(), weights, new Random(7))
                    .withExploration(0.5);
        }

        @Override
        protected List<String> models() {
            return List.of("unknown", "gpt-4.1", "gpt-4.1-mini");
        }
    }

    @Nested
    class ByScore extends ModelRouterContract {
        @Override
        protected ModelRouter router() {
            return new ScoreRouter(text -> text.length() > 100 ? 1 : 0, 0.5, "gpt-4.1", "deepseek-v3.2");
        }

        @Override
        protected List<String> models() {
            return MODELS;
        }
    }

    @Nested
    class ByBudget extends ModelRouterContract {
        @Override
        protected ModelRouter router() {
            Budgets spent = Budgets.of(Budget.perDay("day", BigDecimal.ZERO));
            return BudgetRouter.of(CostRouter.of(PriceBook.listPrices()), spent, PriceBook.listPrices());
        }

        @Override
        protected List<String> models() {
            return List.of("unknown", "gpt-4.1", "gpt-4.1-mini");
        }
    }

    @Nested
    class AnswersInMemory extends ResponseCacheContract {
        private final ManualTimekeeper clock = new ManualTimekeeper();

        @Override
        protected ResponseCache emptyCache() {
            return new CaffeineResponseCache(10 << 20, clock);
        }

        @Override
        protected Instant now() {
            return clock.now();
        }

        @Override
        protected void advance(Duration duration) {
            clock.advance(duration);
        }
    }

    @Nested
    class AnswersOnTwoLevels extends ResponseCacheContract {
        private final ManualTimekeeper clock = new ManualTimekeeper();

        @Override
        protected ResponseCache emptyCache() {
            return TieredResponseCache.of(
                    new CaffeineResponseCache(10 << 20, clock), new CaffeineResponseCache(10 << 20, clock), clock);
        }

        @Override
        protected Instant now() {
            return clock.now();
        }

        @Override
        protected void advance(Duration duration) {
            clock.advance(duration);
        }
    }

    @Nested
    class KeysInMemory extends IdempotencyStoreContract {
        private final ManualTimekeeper clock = new ManualTimekeeper();

        @Override
        protected IdempotencyStore emptyStore() {
            return new CaffeineIdempotencyStore(1_000, clock);
        }

        @Override
        protected void advance(Duration duration) {
            clock.advance(duration);
        }
    }

    @Nested
    class KeysOfSeveralProcesses extends IdempotencyStoreContract {
        private final ManualTimekeeper clock = new ManualTimekeeper();

        @Override
        protected IdempotencyStore emptyStore() {
            return new LeasedKeys(clock, Duration.ofSeconds(10));
        }

        @Override
        protected void advance(Duration duration) {
            clock.advance(duration);
        }
    }
}
