package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.Cost;
import dev.holdfast.Usage;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GenaiPricesTest {
    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
    private static final LocalDate AS_OF = LocalDate.of(2026, 5, 1);
    private static final String SMALL = """
            [{"id": "acme", "name": "Acme", "unheard_of": {"a": [1]},
              "provider_match": {"or": [{"contains": "acme"}, {"equals": "ac"}]},
              "model_match": {"regex": "^a[0-9]"},
              "models": [
                {"id": "a1", "match": {"starts_with": "a1"}, "prices": {"input_mtok": 1, "output_mtok": 2, "input_audio_mtok": 9}},
                {"id": "a2", "match": {"and": [{"contains": "2"}, {"ends_with": "-Big"}]},
                 "prices": {"input_mtok": {"base": 3, "tiers": [{"start": 200000, "price": 6}]}, "cache_read_mtok": 0.3, "output_mtok": 15}},
                {"id": "a3", "match": {"equals": "A3"}, "prices": [
                  {"prices": {"input_mtok": 8, "output_mtok": 8}},
                  {"constraint": {"start_date": "2026-06-01"}, "prices": {"input_mtok": 4, "output_mtok": 4}},
                  {"constraint": {"start_time": "22:00:00Z", "end_time": "02:00:00Z"}, "prices": {"input_mtok": 2, "output_mtok": 2}}]},
                {"id": "a4", "match": {"equals": "a4"}, "prices": [
                  {"prices": {"input_mtok": 8, "output_mtok": 8}},
                  {"constraint": {"moon": "full"}, "prices": {"input_mtok": 4}}]},
                {"id": "a5", "match": {"equals": "a5"}, "prices": {}},
                {"id": "a6", "match": {"equals": "a6"}, "prices": {"requests_kcount": 5}},
                {"id": "a7", "match": {"sounds_like": "a7"}, "prices": {"input_mtok": 1, "output_mtok": 1}}]},
             {"id": "seller", "fallback_model_providers": ["acme"], "models": [
                {"id": "own", "match": {"equals": "own"}, "prices": {"input_mtok": 0, "output_mtok": 0}}]}]""";

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "a1,                  1.0",
        "A1-2026,             1.0",
        "acme/a1,             1.0",
        "acme-cloud/a1,       1.0",
        "ac/a1,               1.0",
        "router/acme/a1,      1.0",
        "seller/a1,           1.0",
        "seller/own,          0",
        "a2-big,              3.0",
        "a6,                  0.005",
    })
    void aNameIsFoundAtItsVendor(String model, BigDecimal perMillion) throws IOException {
        assertThat(load(SMALL).estimateCost(model, Usage.of(model.equals("a6") ? 7 : 200_000, 0)))
                .contains(new Cost(model.equals("a6") ? perMillion : perMillion.divide(BigDecimal.valueOf(5))));
    }

    /** A vendor that is named and does not sell it, a name that no vendor claims, a price that is not there or not understood. */
    @ParameterizedTest
    @ValueSource(
            strings = {"own", "seller/a9", "acme/own", "b1", "nobody/own", "a2", "a4", "a5", "a7", "", "/", "acme/"})
    void whatIsNotCertainIsUnknown(String model) throws IOException {
        assertThat(load(SMALL).price(model, NOW)).isEmpty();
    }

    @Test
    void whatComputingInBinaryLeftBehindIsCutOff() throws IOException {
        PriceBook book = load("""
                [{"id": "acme", "model_match": {"equals": "m"}, "models": [{"id": "m", "match": {"equals": "m"},
                  "prices": {"input_mtok": 0.18000000000000002, "output_mtok": 1}}]}]""");
        assertThat(book.price("m", NOW).orElseThrow().rates().input()).isEqualByComparingTo("0.18");
    }

    @Test
    void aLongRequestCostsMoreFromItsFirstToken() throws IOException {
        assertThat(load(SMALL).estimateCost("a2-big", new Usage(100_000, 100_001, 0, 0, 0)))
                .contains(new Cost(new BigDecimal("0.6300003")));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-05-31T12:00:00Z, 8",
        "2026-06-01T00:00:00Z, 2",
        "2026-06-01T02:00:00Z, 4",
        "2026-06-01T21:59:59Z, 4",
        "2026-06-01T22:00:00Z, 2",
        "2025-01-01T23:00:00Z, 2",
    })
    void aPriceHoldsFromItsDayAndAtItsHours(Instant at, BigDecimal input) throws IOException {
        assertThat(load(SMALL).price("a3", at).orElseThrow().rates().input()).isEqualByComparingTo(input);
    }

    @Test
    void whatIsWrongIsRefusedWithFileLineAndName() {
        assertRefused(":2: acme/m: input_mtok: -1 (expected: 0 to 1000000", """
                [{"id": "acme", "models": [{"id": "m", "match": {"equals": "m"},
                  "prices": {"input_mtok": -1}}]}]""");
        assertRefused(":1: acme/m: output_mtok: no number", """
                [{"id": "acme", "models": [{"id": "m", "prices": {"output_mtok": "cheap"}}]}]""");
        assertRefused(":1: acme/m: input_mtok: a tier (expected: start > 0 and price)", """
                [{"id": "acme", "models": [{"id": "m", "prices": {"input_mtok": {"base": 1, "tiers": [{"price": 1}]}}}]}]""");
        assertRefused(":1: acme: id: missing", """
                [{"id": "acme", "models": [{"match": {"equals": "m"}}]}]""");
        assertRefused(":1: acme/m: regex: \"(\" (expected: a pattern)", """
                [{"id": "acme", "models": [{"id": "m", "match": {"regex": "("}}]}]""");
        assertRefused(":1: acme/m: start_date: \"soon\" (expected: a date", """
                [{"id": "acme", "models": [{"id": "m", "prices": [{"constraint": {"start_date": "soon"}}]}]}]""");
        assertRefused(":1: file: something else (expected: an array of providers)", "{}");
        assertRefused(":1: a provider: id: no JSON: ", "[{\"id\": ");
        assertRefused(":2: acme/m: prices: input_mtok: no JSON: ", """
                [{"id": "acme", "models": [{"id": "m",
                  "prices": {"input_mtok": NaN}}]}]""");
        assertRefused(":1: acme/m: input_mtok: 1e99999999999 (expected: ", """
                [{"id": "acme", "models": [{"id": "m", "prices": {"input_mtok": 1e99999999999}}]}]""");
        assertRefused(":2: acme: name: no JSON: ", """
                [{"id": "acme", "models": [{"id": "m"}],
                  "name": Infinity}]""");
    }

    @Test
    void aDownloadOfTheFutureIsRefused() {
        assertThatThrownBy(() -> PriceBook.loadGenaiPrices(
                        directory.resolve("none.json"), LocalDate.of(2026, 6, 3), new FixedTime(NOW)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none.json: asOf: 2026-06-03 (expected: no later than 2026-06-02)");
    }

    @Test
    void ownPricesGoOverThem() throws IOException {
        Path own = directory.resolve("own.json");
        Files.writeString(own, """
                {"asOf": "2026-01-31", "models": [{"name": "a1", "blended": 7}]}""");
        PriceBook book = load(SMALL).withOverrides(PriceBook.load(own, new FixedTime(NOW)));
        assertThat(book.price("acme/a1-2026", NOW).orElseThrow().rates().input())
                .isEqualByComparingTo("7");
        assertThat(book.asOf()).isEqualTo(AS_OF);
    }

    /** Against the file itself, where it is at hand. */
    @Test
    void theWholeFileIsRead() throws IOException {
        Path file = Path.of(
                System.getProperty("holdfast.shared", "../../shared"), "data/prices/genai-prices_data_slim.json");
        assumeThat(file)
                .as("genai-prices at ../shared/data/prices from the project's root")
                .isRegularFile();
        PriceBook book = PriceBook.loadGenaiPrices(file, AS_OF, new FixedTime(NOW));
        assertThat(book).hasToString("PriceBook[1285 entries, as of 2026-05-01]");
        for (String model : new String[] {"gpt-4.1", "gpt-4.1-mini", "gemini-2.5-flash", "claude-sonnet-4.5"}) {
            assertThat(book.price(model, NOW).orElseThrow().rates())
                    .as(model)
                    .usingRecursiveComparison()
                    .withComparatorForType(BigDecimal::compareTo, BigDecimal.class)
                    .isEqualTo(PriceBook.listPrices()
                            .price(model, NOW)
                            .orElseThrow()
                            .rates());
        }
        assertThat(book.price("openrouter/openai/gpt-4.1", NOW)).isPresent();
        assertThat(book.price("azure/gpt-4.1", NOW)).isPresent();
        assertThat(book.price("no-such-model", NOW)).isEmpty();
        assertThat(book.price("groq/gpt-4.1", NOW)).isEmpty();
        assertThat(book.price("deepseek-chat", Instant.parse("2026-06-01T12:00:00Z"))
                        .orElseThrow()
                        .rates()
                        .input())
                .isEqualByComparingTo("0.27");
        assertThat(book.price("deepseek-chat", Instant.parse("2026-06-01T20:00:00Z"))
                        .orElseThrow()
                        .rates()
                        .input())
                .isEqualByComparingTo("0.135");
    }

    private void assertRefused(String problem, String json) {
        assertThatThrownBy(() -> load(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(directory.resolve("genai.json") + problem);
    }

    private PriceBook load(String json) throws IOException {
        Path file = directory.resolve("genai.json");
        Files.writeString(file, json);
        return PriceBook.loadGenaiPrices(file, AS_OF, new FixedTime(NOW));
    }
}
