package dev.holdfast.routing.internal.price;

import dev.holdfast.Price;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;

/** Finds prices by the names that models go by. Immutable. */
public interface PriceIndex {
    /** A model that was found: the name it is listed under, and its price at that time. */
    record Found(String name, Price price) {}

    /** What is known of a model under this name. */
    Optional<Found> find(String model, Instant at);

    /** When the prices were looked up. */
    LocalDate asOf();

    /** How many models there are. */
    int size();

    /** These prices, and the other's in their place; what was an alias here stays one of the other's entry. */
    default PriceIndex with(PriceIndex over) {
        return new Overridden(this, over);
    }

    /** Two lists, of which one wins. */
    record Overridden(PriceIndex base, PriceIndex over) implements PriceIndex {
        @Override
        public Optional<Found> find(String model, Instant at) {
            Optional<Found> found = over.find(model, at);
            return found.isPresent()
                    ? found
                    : base.find(model, at)
                            .map(below -> over.find(below.name(), at).orElse(below));
        }

        @Override
        public LocalDate asOf() {
            return over.asOf().isAfter(base.asOf()) ? over.asOf() : base.asOf();
        }

        /** A model that both list counts twice. */
        @Override
        public int size() {
            return base.size() + over.size();
        }
    }
}
