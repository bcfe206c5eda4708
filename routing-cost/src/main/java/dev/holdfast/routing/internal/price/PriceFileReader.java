package dev.holdfast.routing.internal.price;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a price file token by token, so that everything it refuses is named with its file and line. */
public final class PriceFileReader {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000);
    private static final int MOST_DECIMALS = 12;

    private final String file;
    private final LocalDate today;
    private final JsonParser in;
    private final Map<String, Integer> lineOfName = new HashMap<>();
    private final List<PriceEntry> entries = new ArrayList<>();
    private @Nullable LocalDate asOf;

    private PriceFileReader(String file, LocalDate today, JsonParser in) {
        this.file = file;
        this.today = today;
        this.in = in;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it is no price file
     */
    public static PriceList read(String file, InputStream content, LocalDate today) throws IOException {
        try (JsonParser in = JSON.createParser(content)) {
            return new PriceFileReader(file, today, in).readFile();
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new IllegalArgumentException(file + ":" + line + ": " + e.getOriginalMessage(), e);
        }
    }

    private PriceList readFile() throws IOException {
        in.nextToken();
        expect(JsonToken.START_OBJECT, "file", "an object");
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String field = in.currentName();
            in.nextToken();
            switch (field) {
                case "asOf" -> asOf = readDate();
                case "models" -> readModels();
                default -> throw refused(field, "unknown (expected: asOf, models)");
            }
        }
        if (in.nextToken() != null) {
            throw refused("file", "goes on after its end (expected: one object)");
        }
        if (asOf == null) {
            throw refused("asOf", "missing (expected: a date)");
        }
        return PriceList.of(asOf, entries);
    }

    private LocalDate readDate() throws IOException {
        String text = readText("asOf");
        LocalDate date = parseDate(text);
        if (date.isAfter(today)) {
            throw refused("asOf", text + " (expected: no later than " + today + ")");
        }
        return date;
    }

    private LocalDate parseDate(String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw refused("asOf", "\"" + text + "\" (expected: a date such as 2026-01-31)");
        }
    }

    private void readModels() throws IOException {
        expect(JsonToken.START_ARRAY, "models", "an array");
        while (in.nextToken() != JsonToken.END_ARRAY) {
            expect(JsonToken.START_OBJECT, "models", "an object for each model");
            readModel();
        }
    }

    private void readModel() throws IOException {
        var draft = new PriceDraft();
        int line = line();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String field = in.currentName();
            in.nextToken();
            readMember(draft, field);
        }
        String problem = draft.problem();
        if (problem != null) {
            throw refusedAt(line, draft.label(), problem);
        }
        entries.add(draft.toEntry());
    }

    private void readMember(PriceDraft draft, String field) throws IOException {
        switch (field) {
            case "name" -> draft.name = readName(draft.label());
            case "aliases" -> draft.aliases.addAll(readNames(draft.label() + ": aliases", true));
            case "providers" -> draft.providers.addAll(readNames(draft.label() + ": providers", false));
            case "blended", "input", "cachedInput", "cacheWrite", "output" ->
                draft.prices.put(field, readPrice(draft.label() + ": " + field));
            default ->
                throw refused(
                        draft.label() + ": " + field,
                        "unknown (expected: name, aliases, providers, blended, input, cachedInput, cacheWrite,"
                                + " output)");
        }
    }

    private String readName(String label) throws IOException {
        String name = readText(label + ": name");
        Integer earlier = lineOfName.putIfAbsent(name, line());
        if (earlier != null) {
            throw refused(name, "named twice (expected: once; it stands in line " + earlier + " too)");
        }
        return name;
    }

    private List<String> readNames(String label, boolean unique) throws IOException {
        expect(JsonToken.START_ARRAY, label, "an array of names");
        var names = new ArrayList<String>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            names.add(unique ? readName(label) : readText(label));
        }
        return names;
    }

    private String readText(String label) throws IOException {
        expect(JsonToken.VALUE_STRING, label, "a string");
        if (in.getText().isBlank()) {
            throw refused(label, "blank (expected: a name)");
        }
        return in.getText();
    }

    private BigDecimal readPrice(String label) throws IOException {
        JsonToken token = in.currentToken();
        if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
            throw refused(label, "no number (expected: US dollars per 1,000,000 tokens)");
        }
        BigDecimal price = in.getDecimalValue();
        if (price.signum() < 0 || price.compareTo(MOST) > 0 || price.scale() > MOST_DECIMALS) {
            throw refused(label, in.getText() + " (expected: 0 to 1000000, at most 12 decimals)");
        }
        return price;
    }

    private void expect(JsonToken token, String label, String expected) {
        if (in.currentToken() != token) {
            throw refused(label, "something else (expected: " + expected + ")");
        }
    }

    private int line() {
        return in.currentTokenLocation().getLineNr();
    }

    private IllegalArgumentException refused(String label, String problem) {
        return refusedAt(line(), label, problem);
    }

    private IllegalArgumentException refusedAt(int line, String label, String problem) {
        return new IllegalArgumentException(file + ":" + line + ": " + label + ": " + problem);
    }
}
