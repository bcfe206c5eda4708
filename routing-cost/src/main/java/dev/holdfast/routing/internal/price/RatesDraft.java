package dev.holdfast.routing.internal.price;

import dev.holdfast.Price.Rates;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What tokens cost, while it is read. What has no price of its own costs what its whole costs. */
final class RatesDraft {
    static final Set<String> NAMES = Set.of("input", "cachedInput", "cacheWrite", "output", "reasoning");

    private final Map<String, BigDecimal> given = new HashMap<>();

    void put(String name, BigDecimal price) {
        given.put(name, price);
    }

    boolean isEmpty() {
        return given.isEmpty();
    }

    Set<String> names() {
        return new TreeSet<>(given.keySet());
    }

    /** What is missing, or null. */
    @Nullable
    String problem() {
        return given.containsKey("input") && given.containsKey("output")
                ? null
                : "price: " + names() + " (expected: at least input and output)";
    }

    Rates toRates() {
        BigDecimal input = given.getOrDefault("input", BigDecimal.ZERO);
        BigDecimal output = given.getOrDefault("output", BigDecimal.ZERO);
        return new Rates(
                input,
                given.getOrDefault("cachedInput", input),
                given.getOrDefault("cacheWrite", input),
                output,
                given.getOrDefault("reasoning", output));
    }
}
