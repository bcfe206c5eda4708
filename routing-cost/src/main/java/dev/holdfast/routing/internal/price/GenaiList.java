package dev.holdfast.routing.internal.price;

import dev.holdfast.Price;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The prices of many vendors, as the data file of genai-prices lists them: each vendor says which models are its own, each
 * model which names it goes by.
 *
 * <p>A name is looked up at the vendor that stands before it ({@code openrouter/openai/gpt-4.1}); a name without one at the
 * first vendor that claims it. A vendor that does not list the model leaves it unknown: another's price is no price.
 */
final class GenaiList implements PriceIndex {
    /** So many names are remembered; their patterns are many, and the same few are asked for all the time. */
    private static final int MOST_NAMES = 10_000;

    private final LocalDate asOf;
    private final List<Vendor> vendors;
    private final ConcurrentHashMap<String, Optional<Model>> found = new ConcurrentHashMap<>();

    GenaiList(LocalDate asOf, List<Vendor> vendors) {
        this.asOf = asOf;
        this.vendors = List.copyOf(vendors);
    }

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
        return resolved(model).flatMap(each -> each.at(at).map(price -> new Found(each.id(), price)));
    }

    private Optional<Model> resolved(String name) {
        Optional<Model> known = found.get(name);
        if (known != null) {
            return known;
        }
        if (found.size() >= MOST_NAMES) {
            found.clear();
        }
        Optional<Model> resolved = resolve(name);
        found.put(name, resolved);
        return resolved;
    }

    private Optional<Model> resolve(String name) {
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
            String prefix = name.substring(0, slash);
            Optional<Vendor> vendor = vendor(prefix.substring(prefix.lastIndexOf('/') + 1));
            if (vendor.isPresent()) {
                return soldBy(vendor.get(), name.substring(slash + 1));
            }
        }
        return vendors.stream()
                .filter(vendor -> vendor.claims().test(name))
                .flatMap(vendor -> listedBy(vendor, name).stream())
                .findFirst();
    }

    private Optional<Vendor> vendor(String name) {
        return vendors.stream().filter(vendor -> vendor.isCalled(name)).findFirst();
    }

    private Optional<Model> soldBy(Vendor vendor, String name) {
        return listedBy(vendor, name)
                .or(() -> vendor.others().stream()
                        .flatMap(other -> vendor(other).stream())
                        .flatMap(other -> listedBy(other, name).stream())
                        .findFirst());
    }

    private static Optional<Model> listedBy(Vendor vendor, String name) {
        return vendor.models().stream().filter(each -> each.match().test(name)).findFirst();
    }

    @Override
    public LocalDate asOf() {
        return asOf;
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
