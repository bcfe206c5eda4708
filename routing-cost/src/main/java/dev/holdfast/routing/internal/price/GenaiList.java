package dev.holdfast.routing.internal.price;

import dev.holdfast.Price;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The prices of many vendors, as the data file of genai-prices lists them: each vendor says which models are its own, each
 * model which names it goes by.
 *
 * <p>A name is looked up at the vendor that stands before it ({@code openrouter/openai/gpt-4.1}); a name without one at the
 * first vendor that claims it. A vendor that does not list the model leaves it unknown: another's price is no price.
 */
record GenaiList(LocalDate asOf, List<Vendor> vendors) implements PriceIndex {
    /**
     * One vendor.
     *
     * @param id its id
     * @param called other names for it
     * @param claims the models that are its own where no vendor is named
     * @param others whose models it sells too
     * @param models its models, the first that matches wins
     */
    record Vendor(String id, Match called, Match claims, List<String> others, List<Model> models) {
        boolean isCalled(String name) {
            return id.equalsIgnoreCase(name) || called.test(name);
        }
    }

    /**
     * One model.
     *
     * @param id its id
     * @param match the names it goes by
     * @param prices its prices; the last that applies wins
     */
    record Model(String id, Match match, List<Dated> prices) {
        Optional<Price> at(Instant at) {
            for (Dated dated : prices.reversed()) {
                if (dated.when().test(at)) {
                    return dated.price();
                }
            }
            return prices.isEmpty() ? Optional.empty() : prices.getFirst().price();
        }
    }

    /**
     * A price that holds at times.
     *
     * @param when when it holds
     * @param price the price; empty where the file does not know it
     */
    record Dated(Predicate<Instant> when, Optional<Price> price) {}

    static Predicate<Instant> from(LocalDate first) {
        return at -> !LocalDate.ofInstant(at, ZoneOffset.UTC).isBefore(first);
    }

    /** A part of each day in UTC, perhaps across midnight; the end is not in it. */
    static Predicate<Instant> daily(LocalTime start, LocalTime end) {
        return at -> {
            LocalTime time = LocalTime.ofInstant(at, ZoneOffset.UTC);
            boolean begun = !time.isBefore(start);
            return start.isBefore(end) ? begun && time.isBefore(end) : begun || time.isBefore(end);
        };
    }

    @Override
    public Optional<Found> find(String model, Instant at) {
        for (int slash = model.indexOf('/'); slash >= 0; slash = model.indexOf('/', slash + 1)) {
            String prefix = model.substring(0, slash);
            Optional<Vendor> vendor = vendor(prefix.substring(prefix.lastIndexOf('/') + 1));
            if (vendor.isPresent()) {
                return soldBy(vendor.get(), model.substring(slash + 1), at);
            }
        }
        return vendors.stream()
                .filter(vendor -> vendor.claims().test(model))
                .flatMap(vendor -> listedBy(vendor, model, at).stream())
                .findFirst();
    }

    private Optional<Vendor> vendor(String name) {
        return vendors.stream().filter(vendor -> vendor.isCalled(name)).findFirst();
    }

    private Optional<Found> soldBy(Vendor vendor, String model, Instant at) {
        return listedBy(vendor, model, at)
                .or(() -> vendor.others().stream()
                        .flatMap(other -> vendor(other).stream())
                        .flatMap(other -> listedBy(other, model, at).stream())
                        .findFirst());
    }

    private static Optional<Found> listedBy(Vendor vendor, String model, Instant at) {
        return vendor.models().stream()
                .filter(each -> each.match().test(model))
                .findFirst()
                .flatMap(each -> each.at(at).map(price -> new Found(each.id(), price)));
    }

    @Override
    public int size() {
        return vendors.stream().mapToInt(vendor -> vendor.models().size()).sum();
    }

    @Override
    public String toString() {
        return "GenaiList[" + vendors.size() + " vendors, as of " + asOf + "]";
    }
}
