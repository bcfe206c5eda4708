package dev.holdfast.routing.internal.price;

import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The models of one list of our own form and the one way in which their names are understood. */
public record PriceList(LocalDate asOf, Map<String, PriceEntry> byName, int size) implements PriceIndex {
    /** A list of these entries, whose names differ. */
    public static PriceList of(LocalDate asOf, List<PriceEntry> entries) {
        var byName = new HashMap<String, PriceEntry>();
        entries.forEach(entry -> entry.names().forEach(name -> byName.put(name, entry)));
        return new PriceList(asOf, Map.copyOf(byName), entries.size());
    }

    /** The entry of that exact name, else of the name behind its provider: {@code openai/gpt-4.1}. */
    @Override
    public Optional<Found> find(String model, Instant at) {
        PriceEntry exact = byName.get(model);
        Optional<PriceEntry> entry = exact != null ? Optional.of(exact) : findBehindProvider(model);
        return entry.map(each -> new Found(each.name(), each.price()));
    }

    private Optional<PriceEntry> findBehindProvider(String model) {
        int slash = model.lastIndexOf('/');
        if (slash < 0) {
            return Optional.empty();
        }
        String prefix = model.substring(0, slash);
        String provider = prefix.substring(prefix.lastIndexOf('/') + 1);
        return Optional.ofNullable(byName.get(model.substring(slash + 1))).filter(entry -> entry.isFrom(provider));
    }
}
