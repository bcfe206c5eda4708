package dev.holdfast.routing.internal.price;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The models of one list and the one way in which their names are understood. */
public record PriceList(LocalDate asOf, Map<String, PriceEntry> byName) {
    /** A list of these entries, whose names differ. */
    public static PriceList of(LocalDate asOf, List<PriceEntry> entries) {
        var byName = new HashMap<String, PriceEntry>();
        entries.forEach(entry -> entry.names().forEach(name -> byName.put(name, entry)));
        return new PriceList(asOf, Map.copyOf(byName));
    }

    /** The entry of that exact name, else of the name behind its provider: {@code openai/gpt-4.1}. */
    public Optional<PriceEntry> find(String model) {
        PriceEntry exact = byName.get(model);
        return exact != null ? Optional.of(exact) : findBehindProvider(model);
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

    /** This list with the other's entries in place of its own; what was an alias here stays one of the new entry. */
    public PriceList with(PriceList over) {
        var merged = new HashMap<String, PriceEntry>();
        byName.forEach((name, entry) -> merged.put(name, over.byName.getOrDefault(entry.name(), entry)));
        merged.putAll(over.byName);
        return new PriceList(over.asOf.isAfter(asOf) ? over.asOf : asOf, Map.copyOf(merged));
    }
}
