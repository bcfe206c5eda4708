package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Cost;
import dev.holdfast.Price;
import dev.holdfast.Usage;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PriceBookTest {
    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "gpt-4.1,           2.00, 0.50,  2.00, 8.00,  8.00",
        "gpt-4.1-mini,      0.40, 0.10,  0.40, 1.60,  2.00",
        "claude-sonnet-4.5, 3.00, 0.30,  3.75, 15.00, 15.00",
        "gemini-2.5-flash,  0.30, 0.03,  0.30, 2.50,  2.50",
        "deepseek-v3.2,     0.28, 0.028, 0.28, 0.42,  0.42",
    })
    void bothBuiltInListsKnowTheFiveModels(
            String model,
            BigDecimal input,
            BigDecimal cached,
            BigDecimal cacheWrite,
            BigDecimal output,
            BigDecimal blended) {
        assertThat(PriceBook.listPrices().price(model, NOW).map(Price::rates))
                .contains(new Price.Rates(input, cached, cacheWrite, output, output));
        assertThat(new PriceBook().price(model, NOW))
                .isEqualTo(PriceBook.listPrices().price(model, NOW));
        assertThat(PriceBook.blended().price(model, NOW)).contains(Price.blended(blended));
    }

    @Test
    void aBlendedEstimateIsThatOfTheArticle() {
        assertThat(PriceBook.blended().estimateCost("deepseek-v3.2", Usage.of(100, 400)))
                .contains(new Cost(new BigDecimal("0.00021")));
    }

    @Test
    void aSplitEstimateCountsEachKindOfToken() {
        assertThat(PriceBook.listPrices().estimateCost("deepseek-v3.2", Usage.of(100, 400)))
                .contains(new Cost(new BigDecimal("0.000196")));
        assertThat(PriceBook.listPrices().estimateCost("claude-sonnet-4.5", new Usage(1, 10, 100, 1000, 999)))
                .contains(new Cost(new BigDecimal("0.015381")));
    }

    @ParameterizedTest
    @CsvSource({
        "claude-sonnet-4-5, claude-sonnet-4.5",
        "claude-sonnet-4-5-20250929, claude-sonnet-4.5",
        "anthropic/claude-sonnet-4-5, claude-sonnet-4.5",
        "openai/gpt-4.1, gpt-4.1",
        "openrouter/openai/gpt-4.1, gpt-4.1",
        "openai/gpt-4.1-2025-04-14, gpt-4.1",
        "models/gemini-2.5-flash, gemini-2.5-flash",
    })
    void aliasesAndProvidersAreUnderstood(String spelling, String model) {
        assertThat(PriceBook.listPrices().price(spelling, NOW))
                .isPresent()
                .isEqualTo(PriceBook.listPrices().price(model, NOW));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "gpt-4",
                "gpt-4.1-2024-01-01",
                "gpt-4.1/openai",
                "fireworks/deepseek-v3.2",
                "openai/claude-sonnet-4.5",
                "deepseek-v3",
                "openai/",
                "/gpt-4.1",
                "GPT-4.1"
            })
    void whatIsNotCertainIsUnknown(String model) {
        assertThat(PriceBook.listPrices().price(model, NOW)).isEmpty();
        assertThat(PriceBook.listPrices().estimateCost(model, Usage.NONE)).isEmpty();
    }

    @Test
    void theArticlesOwnSpellingsAreKnownToTheBlendedList() {
        assertThat(PriceBook.blended().price("deepseek-v3", NOW))
                .isPresent()
                .isEqualTo(PriceBook.blended().price("deepseek-v3.2", NOW));
    }

    @Test
    void aPriceOfZeroIsFreeAndNotUnknown() throws IOException {
        PriceBook book = load("""
                {"asOf": "2026-01-31", "models": [{"name": "in-house", "blended": 0}]}""");
        assertThat(book.estimateCost("in-house", Usage.of(1_000, 1_000))).contains(Cost.ZERO);
        assertThat(book.estimateCost("other", Usage.of(1_000, 1_000))).isEmpty();
        assertThat(book.asOf()).isEqualTo(LocalDate.of(2026, 1, 31));
    }

    @Test
    void cachedInputWithoutAPriceCostsWhatInputCosts() throws IOException {
        PriceBook book = load("""
                {"asOf": "2026-01-31", "models": [{"name": "m", "input": 2.5, "output": 10}]}""");
        assertThat(book.estimateCost("m", new Usage(600, 400, 0, 0, 0))).contains(new Cost(new BigDecimal("0.0025")));
        assertThat(book.estimateCost("m", new Usage(0, 0, 1000, 0, 0))).contains(new Cost(new BigDecimal("0.0025")));
    }

    @Test
    void reasoningLongContextsAndFeesHavePricesOfTheirOwn() throws IOException {
        PriceBook book = load("""
                {"asOf": "2026-01-31", "models": [
                  {"name": "m", "input": 1, "output": 2, "reasoning": 3, "perRequest": 0.005,
                   "longContext": [{"above": 1000, "input": 10, "cachedInput": 5, "output": 20},
                                   {"above": 2000, "input": 100, "output": 200}]}]}""");
        assertThat(book.estimateCost("m", new Usage(1000, 0, 0, 100, 40)))
                .contains(new Cost(new BigDecimal("0.00624")));
        assertThat(book.estimateCost("m", new Usage(500, 501, 0, 100, 40)))
                .as("all tokens of a long request cost more, and cached ones count to its length")
                .contains(new Cost(new BigDecimal("0.014505")));
        assertThat(book.estimateCost("m", Usage.of(2001, 0))).contains(new Cost(new BigDecimal("0.2051")));
        assertThat(book.estimateCost("m", Usage.NONE)).contains(new Cost(new BigDecimal("0.005")));
    }

    @Test
    void theListPricesKnowWhatALongContextCosts() {
        assertThat(PriceBook.listPrices().estimateCost("claude-sonnet-4.5", new Usage(200_000, 0, 0, 0, 0)))
                .contains(new Cost(new BigDecimal("0.6")));
        assertThat(PriceBook.listPrices().estimateCost("claude-sonnet-4.5", new Usage(1, 200_000, 0, 1_000, 0)))
                .contains(new Cost(new BigDecimal("0.142506")));
    }

    @Test
    void anEntryWithoutProvidersIsFoundBehindAny() throws IOException {
        PriceBook book = load("""
                {"asOf": "2026-01-31", "models": [{"name": "big", "blended": 5}]}""");
        assertThat(book.price("anyone/big", NOW)).contains(Price.blended(BigDecimal.valueOf(5)));
    }

    @Test
    void aNameWithASlashIsFoundAsItStands() throws IOException {
        PriceBook book = load("""
                {"asOf": "2026-01-31", "models": [{"name": "azure/gpt-4.1", "blended": 5}]}""");
        assertThat(book.price("azure/gpt-4.1", NOW)).isPresent();
        assertThat(book.price("gpt-4.1", NOW)).isEmpty();
    }

    @Property(tries = 200)
    void pricesAreExact(
            @ForAll @BigRange(min = "0", max = "1000000") @Scale(12) BigDecimal price,
            @ForAll @LongRange(min = 0, max = 1_000_000_000_000L) long tokens)
            throws IOException {
        Path file = Files.createTempFile("prices", ".json");
        Files.writeString(
                file,
                "{\"asOf\":\"2026-01-31\",\"models\":[{\"name\":\"m\",\"blended\":" + price.toPlainString() + "}]}");
        Cost cost = PriceBook.load(file, new FixedTime(NOW))
                .estimateCost("m", Usage.of(tokens, 0))
                .orElseThrow();
        Files.delete(file);
        assertThat(cost.usd())
                .isEqualByComparingTo(price.multiply(BigDecimal.valueOf(tokens)).movePointLeft(6));
    }

    @Test
    void overridesWinUnderEveryNameOfTheModel() throws IOException {
        PriceBook over = load("""
                {"asOf": "2026-02-28", "models": [
                  {"name": "gpt-4.1", "blended": 1},
                  {"name": "fast", "aliases": ["gemini-2.5-flash"], "blended": 2}]}""");
        PriceBook book = PriceBook.listPrices().withOverrides(over);
        for (String name : new String[] {"gpt-4.1", "gpt-4.1-2025-04-14", "openai/gpt-4.1", "any/gpt-4.1"}) {
            assertThat(book.price(name, NOW)).as(name).contains(Price.blended(BigDecimal.ONE));
        }
        assertThat(book.price("gemini-2.5-flash", NOW)).contains(Price.blended(BigDecimal.TWO));
        assertThat(book.price("fast", NOW)).contains(Price.blended(BigDecimal.TWO));
        assertThat(book.price("deepseek-v3.2", NOW))
                .isEqualTo(PriceBook.listPrices().price("deepseek-v3.2", NOW));
        assertThat(book).hasToString("PriceBook[7 entries, as of 2026-11-29]");
    }

    @Test
    void aDateOfTodayIsAcceptedEverywhereOnEarth() throws IOException {
        assertThat(load("""
                        {"asOf": "2026-06-02", "models": []}""").asOf()).isEqualTo(LocalDate.of(2026, 6, 2));
    }

    @Test
    void whatIsWrongIsRefusedWithFileLineAndName() {
        assertRefused(":3: gpt-5: inputs: unknown (expected: name, aliases", """
                {"asOf": "2026-01-31", "models": [
                  {"name": "gpt-5",
                   "inputs": 1}]}""");
        assertRefused(":2: m: input: -1 (expected: 0 to 1000000, at most 12 decimals)", """
                {"asOf": "2026-01-31", "models": [
                  {"name": "m", "input": -1, "output": 1}]}""");
        assertRefused(":1: m: output: no number", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "input": 1, "output": "cheap"}]}""");
        assertRefused(":1: m: output: no number", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "input": 1, "output": null}]}""");
        assertRefused(":3: b: named twice (expected: once; it stands in line 2 too)", """
                {"asOf": "2026-01-31", "models": [
                  {"name": "a", "aliases": ["b"], "blended": 1},
                  {"name": "c", "aliases": ["b"], "blended": 1}]}""");
        assertRefused(":1: a: named twice", """
                {"asOf": "2026-01-31", "models": [{"name": "a", "aliases": ["a"], "blended": 1}]}""");
        assertRefused(":1: asOf: 2026-06-03 (expected: no later than 2026-06-02)", """
                {"asOf": "2026-06-03", "models": []}""");
        assertRefused(":1: asOf: \"soon\" (expected: a date", """
                {"asOf": "soon", "models": []}""");
        assertRefused(":1: asOf: missing", """
                {"models": []}""");
        assertRefused(":1: currency: unknown (expected: asOf, models)", """
                {"currency": "USD", "models": []}""");
        assertRefused(":1: m: price: [input] (expected: blended alone, or at least input and output)", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "input": 1}]}""");
        assertRefused(":1: m: price: [blended, input]", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "blended": 1, "input": 1}]}""");
        assertRefused(":1: a model: name: missing", """
                {"asOf": "2026-01-31", "models": [{"blended": 1}]}""");
        assertRefused(":1: a model: name: blank", """
                {"asOf": "2026-01-31", "models": [{"name": " ", "blended": 1}]}""");
        assertRefused(":1: m: blended: 1e999999999 (expected: 0 to", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "blended": 1e999999999}]}""");
        assertRefused(":1: m: blended: 1e-999999999 (expected: 0 to", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "blended": 1e-999999999}]}""");
        assertRefused(":1: m: aliases: something else (expected: an array of names)", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "aliases": "n", "blended": 1}]}""");
        assertRefused(":2: m: longContext: above: missing (expected: a whole number of tokens, >= 0)", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "input": 1, "output": 1,
                  "longContext": [{"input": 1, "output": 1}]}]}""");
        assertRefused(":3: m: longContext: above: 10 (expected: > 10)", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "input": 1, "output": 1,
                  "longContext": [{"above": 10, "input": 1, "output": 1},
                                  {"above": 10, "input": 1, "output": 1}]}]}""");
        assertRefused(":1: m: longContext: above: 1.5 (expected: a whole number", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "longContext": [{"above": 1.5}]}]}""");
        assertRefused(":1: m: longContext: above: 99999999999999999999 (expected: a whole number", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "longContext": [{"above": 99999999999999999999}]}]}""");
        assertRefused(":1: m: longContext: price: [input] (expected: at least input and output)", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "longContext": [{"above": 1, "input": 1}]}]}""");
        assertRefused(":1: m: longContext: blended: unknown (expected: above, input", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "longContext": [{"above": 1, "blended": 1}]}]}""");
        assertRefused(":1: m: price: [blended, longContext] (expected: blended alone", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "blended": 1,\
                 "longContext": [{"above": 1, "input": 1, "output": 1}]}]}""");
        assertRefused(":1: m: perRequest: -1 (expected: 0 to", """
                {"asOf": "2026-01-31", "models": [{"name": "m", "blended": 1, "perRequest": -1}]}""");
        assertRefused(":1: file: something else (expected: an object)", "[]");
        assertRefused(":1: file: something else (expected: an object)", "");
        assertRefused(":1: file: goes on after its end", "{\"asOf\": \"2026-01-31\", \"models\": []} {}");
        assertRefused(":1: ", "{\"asOf\": \"2026-01-31\", \"asOf\": \"2026-01-31\", \"models\": []}");
        assertRefused(":2: ", "{\"asOf\": \"2026-01-31\",\n \"models\": [}");
        assertRefused(":1: ", "{\"asOf\": \"2026-01-31\", \"models\": [{\"name\": \"m\", \"blended\": NaN}]}");
        assertRefused(":1: ", "{\"asOf\": \"2026-01-31\", \"models\": [");
    }

    @Test
    void whatIsNoJsonIsRefusedWithTheNameItStandsAt() {
        assertRefused(":2: m: blended: ", """
                {"asOf": "2026-01-31", "models": [
                  {"name": "m", "blended": NaN}]}""");
        assertRefused(":2: m: input: ", """
                {"asOf": "2026-01-31", "models": [
                  {"name": "m", "input": -Infinity, "output": 1}]}""");
        assertRefused(":2: m: input: ", """
                {"asOf": "2026-01-31", "models": [
                  {"name": "m", "input": 1, "input": 2, "output": 1}]}""");
        assertRefused(":2: m: output: ", """
                {"asOf": "2026-01-31", "models": [
                  {"name": "m", "input": 1, "output": 01}]}""");
        assertRefused(":2: m: output: ", """
                {"asOf": "2026-01-31", "models": [
                  {"name": "m", "input": 1, "output": 1e99999999999}]}""");
        assertRefused(
                ":2: m: output: ",
                "{\"asOf\": \"2026-01-31\", \"models\": [\n {\"name\": \"m\", \"output\": " + "9".repeat(2_000)
                        + "}]}");
        assertRefused(":2: m: longContext: ", """
                {"asOf": "2026-01-31", "models": [
                  {"name": "m", "input": 1, "output": 1, "longContext": [{"above": NaN}]}]}""");
        assertRefused(":2: m: input: ", "{\"asOf\": \"2026-01-31\", \"models\": [\n {\"name\": \"m\", \"input\": 1");
        assertRefused(":1: asOf: ", "{\"asOf\": \"2026-01-31\", \"asOf\": \"2026-01-31\", \"models\": []}");
    }

    @Test
    void whatIsNoTextIsRefusedWithFileAndLine() throws IOException {
        Path file = directory.resolve("prices.json");
        for (byte[] bytes : new byte[][] {
            {'{', '"', (byte) 0xff, '"', ':'},
            {'{', '"', 'a', 's', 'O', 'f', '"', ':', '"', (byte) 0xc3, '"'},
            {0, 0, 0, 1, 0, 0, 0, 2},
            {(byte) 0xff, (byte) 0xfe, 0, (byte) 0xd8, 'a', 0}
        }) {
            Files.write(file, bytes);
            assertThatThrownBy(() -> PriceBook.load(file, new FixedTime(NOW)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(file + ":1: ");
        }
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFile() throws IOException {
        assertThat(load("\ufeff{\"asOf\": \"2026-01-31\", \"models\": [{\"name\": \"m\", \"blended\": 0e9}]}")
                        .estimateCost("m", Usage.of(Long.MAX_VALUE, 1)))
                .contains(Cost.ZERO);
    }

    @Test
    void aFileThatIsNotThereIsAnIoError() {
        assertThatThrownBy(() -> PriceBook.load(directory.resolve("none.json")))
                .isInstanceOf(NoSuchFileException.class);
    }

    private void assertRefused(String problem, String json) {
        assertThatThrownBy(() -> load(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(directory.resolve("prices.json") + problem);
    }

    private PriceBook load(String json) throws IOException {
        Path file = directory.resolve("prices.json");
        Files.writeString(file, json);
        return PriceBook.load(file, new FixedTime(NOW));
    }
}
