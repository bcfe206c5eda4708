package dev.holdfast.routing.internal.price;

import dev.holdfast.Price;
import dev.holdfast.Price.Tier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One model of a price file while it is read. */
final class PriceDraft {
    @Nullable
    String name;

    @Nullable
    BigDecimal blended;

    BigDecimal perRequest = BigDecimal.ZERO;
    final List<String> aliases = new ArrayList<>();
    final Set<String> providers = new LinkedHashSet<>();
    final RatesDraft rates = new RatesDraft();
    final List<Tier> longContext = new ArrayList<>();

    String label() {
        return name == null ? "a model" : name;
    }

    /** What is wrong with it as a whole, or null. */
    @Nullable
    String problem() {
        if (name == null) {
            return "name: missing (expected: a string)";
        }
        boolean alone = rates.isEmpty() && longContext.isEmpty();
        boolean fine = blended == null ? rates.problem() == null : alone;
        return fine ? null : "price: " + given() + " (expected: blended alone, or at least input and output)";
    }

    private Set<String> given() {
        Set<String> given = rates.names();
        if (blended != null) {
            given.add("blended");
        }
        if (!longContext.isEmpty()) {
            given.add("longContext");
        }
        return given;
    }

    PriceEntry toEntry() {
        Price price = blended != null
                ? new Price(Price.blended(blended).rates(), List.of(), perRequest)
                : new Price(rates.toRates(), longContext, perRequest);
        return new PriceEntry(label(), List.copyOf(aliases), Set.copyOf(providers), price);
    }
}
