package dev.holdfast.routing.internal.price;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.holdfast.Price.Tier;
import java.io.IOException;
import java.io.InputStream;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a price file of our own form. What it does not know it refuses. */
public final class PriceFileReader {
    private static final String MEMBERS = "name, aliases, providers, blended, input, cachedInput, cacheWrite, output,"
            + " reasoning, perRequest, longContext";

    private final LocalDate today;
    private final JsonCursor in;
    private final Map<String, Integer> lineOfName = new HashMap<>();
    private final List<PriceEntry> entries = new ArrayList<>();
    private @Nullable LocalDate asOf;

    private PriceFileReader(LocalDate today, JsonCursor in) {
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
        try (JsonCursor in = new JsonCursor(file, content)) {
            return read(in, today);
        }
    }

    private static PriceList read(JsonCursor in, LocalDate today) throws IOException {
        try {
            return new PriceFileReader(today, in).readFile();
        } catch (JsonProcessingException e) {
            throw in.noJson(e);
        }
    }

    private PriceList readFile() throws IOException {
        in.toFirst();
        in.object("file", "an object", field -> {
            switch (field) {
                case "asOf" -> asOf = readDate();
                case "models" -> in.array("models", "an array", this::readModel);
                default -> throw in.refused(field, "unknown (expected: asOf, models)");
            }
        });
        in.expectEnd();
        if (asOf == null) {
            throw in.refused("asOf", "missing (expected: a date)");
        }
        return PriceList.of(asOf, entries);
    }

    private LocalDate readDate() throws IOException {
        String text = in.text("asOf");
        LocalDate date = parseDate(text);
        if (date.isAfter(today)) {
            throw in.refused("asOf", text + " (expected: no later than " + today + ")");
        }
        return date;
    }

    private LocalDate parseDate(String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw in.refused("asOf", "\"" + text + "\" (expected: a date such as 2026-01-31)");
        }
    }

    private void readModel() throws IOException {
        var draft = new PriceDraft();
        int line = in.line();
        in.about(draft.label());
        in.object("models", "an object for each model", field -> {
            readMember(draft, field);
            in.about(draft.label());
        });
        in.about("");
        String problem = draft.problem();
        if (problem != null) {
            throw in.refusedAt(line, draft.label(), problem);
        }
        entries.add(draft.toEntry());
    }

    private void readMember(PriceDraft draft, String field) throws IOException {
        String label = draft.label() + ": " + field;
        switch (field) {
            case "name" -> draft.name = readName(label);
            case "aliases" -> in.array(label, "an array of names", () -> draft.aliases.add(readName(label)));
            case "providers" -> draft.providers.addAll(in.texts(label));
            case "blended" -> draft.blended = in.price(label);
            case "perRequest" -> draft.perRequest = in.price(label);
            case "longContext" -> in.array(label, "an array of rates", () -> readTier(draft, label));
            default -> readRate(draft.rates, field, label, MEMBERS);
        }
    }

    private void readTier(PriceDraft draft, String label) throws IOException {
        var rates = new RatesDraft();
        var above = new long[] {-1};
        int line = in.line();
        in.object(label, "an object with above, input and output", field -> {
            if (field.equals("above")) {
                above[0] = in.tokens(label + ": above");
            } else {
                readRate(
                        rates, field, label + ": " + field, "above, input, cachedInput, cacheWrite, output, reasoning");
            }
        });
        String problem = rates.problem();
        if (problem != null) {
            throw in.refusedAt(line, label, problem);
        }
        long last =
                draft.longContext.isEmpty() ? -1 : draft.longContext.getLast().above();
        if (above[0] < 0) {
            throw in.refusedAt(line, label, "above: missing (expected: a whole number of tokens, >= 0)");
        }
        if (above[0] <= last) {
            throw in.refusedAt(line, label, "above: " + above[0] + " (expected: > " + last + ")");
        }
        draft.longContext.add(new Tier(above[0], rates.toRates()));
    }

    private void readRate(RatesDraft rates, String field, String label, String known) throws IOException {
        if (!RatesDraft.NAMES.contains(field)) {
            throw in.refused(label, "unknown (expected: " + known + ")");
        }
        rates.put(field, in.price(label));
    }

    private String readName(String label) throws IOException {
        String name = in.text(label);
        Integer earlier = lineOfName.putIfAbsent(name, in.line());
        if (earlier != null) {
            throw in.refused(name, "named twice (expected: once; it stands in line " + earlier + " too)");
        }
        return name;
    }
}
