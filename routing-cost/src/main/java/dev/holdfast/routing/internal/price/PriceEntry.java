package dev.holdfast.routing.internal.price;

import dev.holdfast.Price;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** One model of a price list: its names, who may stand before them, and its price. */
public record PriceEntry(String name, List<String> aliases, Set<String> providers, Price price) {
    /** Every name it is found by. */
    public Stream<String> names() {
        return Stream.concat(Stream.of(name), aliases.stream());
    }

    /** Whether {@code provider/name} is this model: an entry that names no provider belongs to all. */
    public boolean isFrom(String provider) {
        return providers.isEmpty() || providers.contains(provider);
    }
}
