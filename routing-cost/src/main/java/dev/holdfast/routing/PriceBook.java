package dev.holdfast.routing;

import dev.holdfast.Cost;
import dev.holdfast.Price;
import dev.holdfast.Usage;
import dev.holdfast.routing.internal.price.GenaiReader;
import dev.holdfast.routing.internal.price.PriceFileReader;
import dev.holdfast.routing.internal.price.PriceIndex;
import dev.holdfast.routing.internal.price.PriceIndex.Found;
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
 * are not given, {@code reasoning} what {@code output} costs. {@code longContext} gives other rates for requests of more
 * input tokens than a bound, {@code perRequest} a fee in US dollars. What is wrong in it is refused with file, line and name.
 *
 * <pre>{@code
 * {"asOf": "2026-01-31", "models": [
 *   {"name": "gpt-4.1", "aliases": ["gpt-4.1-2025-04-14"], "providers": ["openai"],
 *    "input": 2.00, "cachedInput": 0.50, "output": 8.00},
 *   {"name": "long-one", "input": 3, "output": 15,
 *    "longContext": [{"above": 200000, "input": 6, "output": 22.5}]},
 *   {"name": "in-house", "blended": 0}]}
 * }</pre>
 *
 * <p>The data file of genai-prices is read too ({@link #loadGenaiPrices}).
 *
 * <p><b>Names.</b> A model is found by its name, by an alias, and by either behind the name of its provider
 * ({@code openai/gpt-4.1}); an entry that names no provider is found behind any. There is no guessing: a dated name that is
 * no alias may have a price of its own. What is not found is unknown, which is not free; a price of zero is free.
 *
 * <p>Immutable. The date says how old the prices are.
 */
public final class PriceBook implements PriceSource {
    private static final PriceBook LIST_PRICES = builtIn("prices.json");
    private static final PriceBook BLENDED = builtIn("blended-prices.json");

    private final PriceIndex prices;
    private final Timekeeper timekeeper;

    /** The list prices: what is used where the client's builder names no price source. */
    public PriceBook() {
        this(LIST_PRICES.prices, Timekeeper.system());
    }

    private PriceBook(PriceIndex prices, Timekeeper timekeeper) {
        this.prices = prices;
        this.timekeeper = timekeeper;
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
     * @param timekeeper says what is the future, and what is now in {@link #estimateCost(String, Usage)}
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it is no price file, or from the future; the message says where
     */
    public static PriceBook load(Path file, Timekeeper timekeeper) throws IOException {
        try (InputStream content = new BufferedInputStream(Files.newInputStream(file))) {
            return new PriceBook(PriceFileReader.read(file.toString(), content, latest(timekeeper)), timekeeper);
        }
    }

    /**
     * {@return the prices of a data file of genai-prices, github.com/pydantic/genai-prices}
     *
     * @param file the file, {@code data_slim.json} or {@code data.json}
     * @param asOf when it was downloaded, since it does not say
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it is no such file, or from the future; the message says where
     */
    public static PriceBook loadGenaiPrices(Path file, LocalDate asOf) throws IOException {
        return loadGenaiPrices(file, asOf, Timekeeper.system());
    }

    /**
     * {@return the prices of a data file of genai-prices}. A model is looked up at the vendor before its name
     * ({@code openrouter/openai/gpt-4.1}), else at the first vendor that claims the name as its own, by the file's patterns.
     * Prices that hold from a day on, or at times of the day, are heeded. Its prices of audio are not: Holdfast counts no audio
     * tokens apart.
     *
     * @param file the file, {@code data_slim.json} or {@code data.json}
     * @param asOf when it was downloaded, since it does not say
     * @param timekeeper says what is the future, and what is now in {@link #estimateCost(String, Usage)}
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it is no such file, or from the future; the message says where
     */
    public static PriceBook loadGenaiPrices(Path file, LocalDate asOf, Timekeeper timekeeper) throws IOException {
        LocalDate latest = latest(timekeeper);
        if (asOf.isAfter(latest)) {
            throw new IllegalArgumentException(file + ": asOf: " + asOf + " (expected: no later than " + latest + ")");
        }
        try (InputStream content = new BufferedInputStream(Files.newInputStream(file))) {
            return new PriceBook(GenaiReader.read(file.toString(), content, asOf), timekeeper);
        }
    }

    /** Somewhere on Earth it is already tomorrow. */
    private static LocalDate latest(Timekeeper timekeeper) {
        return LocalDate.ofInstant(timekeeper.now(), ZoneOffset.UTC).plusDays(1);
    }

    /**
     * {@return this book with the other's prices in place of its own; names that were aliases here stay aliases}
     *
     * @param over what wins
     */
    public PriceBook withOverrides(PriceBook over) {
        return new PriceBook(prices.with(over.prices), over.timekeeper);
    }

    /** {@return when the prices were looked up; of two books together, the later date} */
    public LocalDate asOf() {
        return prices.asOf();
    }

    @Override
    public Optional<Price> price(String model, Instant at) {
        return prices.find(model, at).map(Found::price);
    }

    /**
     * {@return what these tokens cost now, exactly; empty where the price is unknown}
     *
     * @param model the model
     * @param usage the tokens
     */
    public Optional<Cost> estimateCost(String model, Usage usage) {
        return price(model, timekeeper.now()).map(price -> price.of(usage));
    }

    /** {@return the name under which this book lists a model; empty where it does not} */
    Optional<String> listedName(String model) {
        return prices.find(model, Instant.EPOCH).map(Found::name);
    }

    @Override
    public String toString() {
        return "PriceBook[" + prices.size() + " entries, as of " + prices.asOf() + "]";
    }

    private static PriceBook builtIn(String resource) {
        try (InputStream content = Objects.requireNonNull(PriceBook.class.getResourceAsStream(resource), resource)) {
            return new PriceBook(PriceFileReader.read(resource, content, LocalDate.MAX), Timekeeper.system());
        } catch (IOException e) {
            throw new UncheckedIOException(resource, e);
        }
    }
}
