package dev.holdfast.routing.internal.price;

import dev.holdfast.Price;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One model of a price file while it is read. */
final class PriceDraft {
    @Nullable
    String name;

    final List<String> aliases = new ArrayList<>();
    final Set<String> providers = new LinkedHashSet<>();
    final Map<String, BigDecimal> prices = new HashMap<>();

    String label() {
        return name == null ? "a model" : name;
    }

    /** What is wrong with it as a whole, or null. */
    @Nullable
    String problem() {
        boolean blended = prices.containsKey("blended");
        boolean split = prices.containsKey("input") && prices.containsKey("output");
        if (name == null) {
            return "name: missing (expected: a string)";
        }
        return (blended && prices.size() == 1) || (split && !blended)
                ? null
                : "price: " + prices.keySet().stream().sorted().toList()
                        + " (expected: blended alone, or at least input and output)";
    }

    PriceEntry toEntry() {
        return new PriceEntry(label(), List.copyOf(aliases), Set.copyOf(providers), price());
    }

    /** What has no price of its own costs what uncached input costs. */
    private Price price() {
        BigDecimal blended = prices.get("blended");
        if (blended != null) {
            return Price.blended(blended);
        }
        BigDecimal input = prices.getOrDefault("input", BigDecimal.ZERO);
        return Price.of(new Price.Rates(
                input,
                prices.getOrDefault("cachedInput", input),
                prices.getOrDefault("cacheWrite", input),
                prices.getOrDefault("output", BigDecimal.ZERO),
                prices.getOrDefault("output", BigDecimal.ZERO)));
    }
}
