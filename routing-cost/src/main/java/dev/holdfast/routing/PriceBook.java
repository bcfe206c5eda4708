package dev.holdfast.routing;

import dev.holdfast.Cost;
import dev.holdfast.Price;
import dev.holdfast.Usage;
import dev.holdfast.routing.internal.price.PriceEntry;
import dev.holdfast.routing.internal.price.PriceFileReader;
import dev.holdfast.routing.internal.price.PriceList;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.Timekeeper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;

/**
 * A dated list of prices. Two are built in: the vendors' {@linkplain #listPrices() list prices}, which differ for input,
 * cached input and output, and {@linkplain #blended() blended} ones, one price for every token, for a rough estimate. A file
 * of one's own replaces either or adds to it.
 *
 * <pre>{@code
 * PriceBook prices = PriceBook.listPrices().withOverrides(PriceBook.load(Path.of("our-prices.json")));
 * prices.estimateCost("gpt-4.1", Usage.of(100, 400)); // $0.0034
 * }</pre>
 *
 * <p><b>The file</b> says when its prices were looked up, and for each model either one price or several, in US dollars per
 * 1,000,000 tokens, as exact decimals. {@code cachedInput} and {@code cacheWrite} cost what {@code input} costs where they
 * are not given. What is wrong in it is refused with file, line and name.
 *
 * <pre>{@code
 * {"asOf": "2026-01-31", "models": [
 *   {"name": "gpt-4.1", "aliases": ["gpt-4.1-2025-04-14"], "providers": ["openai"],
 *    "input": 2.00, "cachedInput": 0.50, "output": 8.00},
 *   {"name": "in-house", "blended": 0}]}
 * }</pre>
 *
 * <p><b>Names.</b> A model is found by its name, by an alias, and by either behind the name of its provider
 * ({@code openai/gpt-4.1}); an entry that names no provider is found behind any. There is no guessing: a dated name that is
 * no alias may have a price of its own. What is not found is unknown, which is not free; a price of zero is free.
 *
 * <p>Immutable. The prices hold for any time: the date says how old they are.
 */
public final class PriceBook implements PriceSource {
    private static final PriceBook LIST_PRICES = builtIn("prices.json");
    private static final PriceBook BLENDED = builtIn("blended-prices.json");

    private final PriceList prices;

    /** The list prices: what is used where the client's builder names no price source. */
    public PriceBook() {
        this(LIST_PRICES.prices);
    }

    private PriceBook(PriceList prices) {
        this.prices = prices;
    }

    /** {@return the vendors' list prices of a few models, split into input, cached input and output} */
    public static PriceBook listPrices() {
        return LIST_PRICES;
    }

    /** {@return one price for every token of a few models} */
    public static PriceBook blended() {
        return BLENDED;
    }

    /**
     * {@return the prices of a file}
     *
     * @param file a file in JSON
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it is no price file, or from the future; the message says where
     */
    public static PriceBook load(Path file) throws IOException {
        return load(file, Timekeeper.system());
    }

    /**
     * {@return the prices of a file}
     *
     * @param file a file in JSON
     * @param timekeeper says what is the future
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it is no price file, or from the future; the message says where
     */
    public static PriceBook load(Path file, Timekeeper timekeeper) throws IOException {
        // Somewhere on Earth it is already tomorrow.
        LocalDate latest = LocalDate.ofInstant(timekeeper.now(), ZoneOffset.UTC).plusDays(1);
        try (InputStream content = new BufferedInputStream(Files.newInputStream(file))) {
            return new PriceBook(PriceFileReader.read(file.toString(), content, latest));
        }
    }

    /**
     * {@return this book with the other's prices in place of its own; names that were aliases here stay aliases}
     *
     * @param over what wins
     */
    public PriceBook withOverrides(PriceBook over) {
        return new PriceBook(prices.with(over.prices));
    }

    /** {@return when the prices were looked up; of two books together, the later date} */
    public LocalDate asOf() {
        return prices.asOf();
    }

    @Override
    public Optional<Price> price(String model, Instant at) {
        return find(model).map(PriceEntry::price);
    }

    /**
     * {@return what these tokens cost, exactly; empty where the price is unknown}
     *
     * @param model the model
     * @param usage the tokens
     */
    public Optional<Cost> estimateCost(String model, Usage usage) {
        return find(model).map(entry -> entry.price().of(usage));
    }

    /** {@return the name under which this book lists a model; empty where it does not} */
    Optional<String> listedName(String model) {
        return find(model).map(PriceEntry::name);
    }

    @Override
    public String toString() {
        long models = prices.byName().values().stream().distinct().count();
        return "PriceBook[" + models + " models, as of " + prices.asOf() + "]";
    }

    private Optional<PriceEntry> find(String model) {
        return prices.find(model);
    }

    private static PriceBook builtIn(String resource) {
        try (InputStream content = Objects.requireNonNull(PriceBook.class.getResourceAsStream(resource), resource)) {
            return new PriceBook(PriceFileReader.read(resource, content, LocalDate.MAX));
        } catch (IOException e) {
            throw new UncheckedIOException(resource, e);
        }
    }
}
