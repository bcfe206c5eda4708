package dev.holdfast.routing.internal.price;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.holdfast.Price;
import dev.holdfast.Price.Rates;
import dev.holdfast.Price.Tier;
import dev.holdfast.routing.internal.price.GenaiList.Dated;
import dev.holdfast.routing.internal.price.GenaiList.Model;
import dev.holdfast.routing.internal.price.GenaiList.Vendor;
import dev.holdfast.routing.internal.price.Match.Place;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Reads the data file of genai-prices (github.com/pydantic/genai-prices): prices per 1,000,000 tokens, with the names of
 * vendors and models as patterns. The file grows new members all the time: those that are not needed are passed over. A price
 * that holds under a condition which is not understood leaves its model unknown.
 */
public final class GenaiReader {
    private static final Map<String, String> RATES = Map.of(
            "input_mtok", "input",
            "cache_read_mtok", "cachedInput",
            "cache_write_mtok", "cacheWrite",
            "output_mtok", "output");

    private final JsonCursor in;

    private GenaiReader(JsonCursor in) {
        this.in = in;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it is no such file
     */
    public static PriceIndex read(String file, InputStream content, LocalDate asOf) throws IOException {
        try (JsonCursor in = new JsonCursor(file, content)) {
            return new GenaiReader(in).readFile(asOf);
        }
    }

    private PriceIndex readFile(LocalDate asOf) throws IOException {
        try {
            in.toFirst();
            var vendors = new ArrayList<Vendor>();
            in.array("file", "an array of providers", () -> vendors.add(vendor()));
            in.expectEnd();
            return new GenaiList(asOf, List.copyOf(vendors));
        } catch (JsonProcessingException e) {
            throw in.noJson(e);
        }
    }

    private static final class VendorDraft {
        String id = "";
        Match called = Match.NEVER;
        Match claims = Match.NEVER;
        List<String> others = List.of();
        final List<Model> models = new ArrayList<>();
    }

    private Vendor vendor() throws IOException {
        var draft = new VendorDraft();
        int line = in.line();
        in.about("a provider");
        in.object("provider", "an object for each provider", field -> {
            switch (field) {
                case "id" -> {
                    draft.id = in.text("provider: id");
                    in.about(draft.id);
                }
                case "provider_match" -> draft.called = match(draft.id);
                case "model_match" -> draft.claims = match(draft.id);
                case "fallback_model_providers" -> draft.others = texts(draft.id + ": " + field);
                case "models" ->
                    in.array(draft.id + ": models", "an array", () -> {
                        draft.models.add(model(draft.id));
                        in.about(draft.id);
                    });
                default -> in.skip();
            }
        });
        if (draft.id.isEmpty()) {
            throw in.refusedAt(line, "provider", "id: missing (expected: a string)");
        }
        return new Vendor(draft.id, draft.called, draft.claims, draft.others, List.copyOf(draft.models));
    }

    private List<String> texts(String label) throws IOException {
        return in.isNull() ? List.of() : in.texts(label);
    }

    private static final class ModelDraft {
        String id = "";
        Match match = Match.NEVER;
        final List<Dated> prices = new ArrayList<>();
    }

    private Model model(String vendor) throws IOException {
        var draft = new ModelDraft();
        int line = in.line();
        in.about(vendor);
        in.object(vendor + ": models", "an object for each model", field -> {
            String label = vendor + "/" + draft.id;
            switch (field) {
                case "id" -> {
                    draft.id = in.text(vendor + ": id");
                    in.about(vendor + "/" + draft.id);
                }
                case "match" -> draft.match = match(label);
                case "prices" -> prices(draft.prices, label);
                default -> in.skip();
            }
        });
        if (draft.id.isEmpty()) {
            throw in.refusedAt(line, vendor, "id: missing (expected: a string)");
        }
        return new Model(draft.id, draft.match, List.copyOf(draft.prices));
    }

    private Match match(String label) throws IOException {
        var all = new ArrayList<Match>();
        if (in.isNull()) {
            return Match.NEVER;
        }
        in.object(label + ": match", "an object", field -> all.add(clause(field, label + ": " + field)));
        return all.size() == 1 ? all.getFirst() : all.isEmpty() ? Match.NEVER : new Match.All(List.copyOf(all));
    }

    private Match clause(String field, String label) throws IOException {
        return switch (field) {
            case "equals" -> Match.Word.of(Place.EQUALS, in.text(label));
            case "starts_with" -> Match.Word.of(Place.STARTS_WITH, in.text(label));
            case "ends_with" -> Match.Word.of(Place.ENDS_WITH, in.text(label));
            case "contains" -> Match.Word.of(Place.CONTAINS, in.text(label));
            case "regex" -> new Match.Regex(pattern(in.text(label), label));
            case "or" -> new Match.Any(clauses(label));
            case "and" -> new Match.All(clauses(label));
            default -> {
                in.skip();
                yield Match.NEVER;
            }
        };
    }

    private List<Match> clauses(String label) throws IOException {
        var clauses = new ArrayList<Match>();
        in.array(label, "an array", () -> clauses.add(match(label)));
        return List.copyOf(clauses);
    }

    private Pattern pattern(String text, String label) {
        try {
            return Pattern.compile(text, Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException e) {
            throw in.refused(label, "\"" + text + "\" (expected: a pattern)");
        }
    }

    private void prices(List<Dated> into, String label) throws IOException {
        if (in.isObject()) {
            into.add(new Dated(at -> true, price(label)));
            return;
        }
        in.array(label + ": prices", "prices", () -> into.add(dated(label)));
    }

    private static final class DatedDraft {
        Predicate<Instant> when = at -> true;
        Optional<Price> price = Optional.empty();
        boolean strange;
        Optional<LocalTime> start = Optional.empty();
        Optional<LocalTime> end = Optional.empty();

        /** A condition that is not understood may hold at any time. */
        Dated toDated() {
            if (strange || start.isPresent() != end.isPresent()) {
                return new Dated(at -> true, Optional.empty());
            }
            return new Dated(start.isPresent() ? when.and(GenaiList.daily(start.get(), end.get())) : when, price);
        }
    }

    private Dated dated(String label) throws IOException {
        var draft = new DatedDraft();
        in.object(label + ": prices", "an object", field -> {
            switch (field) {
                case "constraint" -> constraint(draft, label);
                case "prices" -> draft.price = price(label);
                default -> in.skip();
            }
        });
        return draft.toDated();
    }

    private void constraint(DatedDraft draft, String label) throws IOException {
        if (in.isNull()) {
            return;
        }
        in.object(label + ": constraint", "an object", field -> {
            String each = label + ": " + field;
            switch (field) {
                case "start_date" -> draft.when = draft.when.and(GenaiList.from(date(each)));
                case "start_time" -> draft.start = Optional.of(time(each));
                case "end_time" -> draft.end = Optional.of(time(each));
                default -> {
                    draft.strange = true;
                    in.skip();
                }
            }
        });
    }

    private LocalDate date(String label) throws IOException {
        return parsed(label, "a date such as 2026-01-31", LocalDate::parse);
    }

    private LocalTime time(String label) throws IOException {
        return parsed(
                label,
                "a time such as 16:30:00Z",
                text -> OffsetTime.parse(text)
                        .withOffsetSameInstant(ZoneOffset.UTC)
                        .toLocalTime());
    }

    private <T> T parsed(String label, String expected, Function<String, T> parser) throws IOException {
        String text = in.text(label);
        try {
            return parser.apply(text);
        } catch (DateTimeException e) {
            throw in.refused(label, "\"" + text + "\" (expected: " + expected + ")");
        }
    }

    /** The rates of a model, by the bound from which they hold; 0 for those that hold first. */
    private Optional<Price> price(String label) throws IOException {
        var byBound = new TreeMap<Long, Map<String, BigDecimal>>();
        var perThousand = new ArrayList<BigDecimal>();
        in.object(label + ": prices", "an object", field -> {
            String each = label + ": " + field;
            if (field.equals("requests_kcount")) {
                perThousand.add(in.computedPrice(each));
            } else if (RATES.containsKey(field)) {
                rate(byBound, RATES.get(field), each);
            } else {
                in.skip();
            }
        });
        if (byBound.isEmpty() && perThousand.isEmpty()) {
            return Optional.empty();
        }
        BigDecimal perRequest =
                perThousand.isEmpty() ? BigDecimal.ZERO : perThousand.getFirst().movePointLeft(3);
        return Optional.of(toPrice(byBound, perRequest));
    }

    private void rate(NavigableMap<Long, Map<String, BigDecimal>> byBound, String name, String label)
            throws IOException {
        if (!in.isObject()) {
            put(byBound, 0, name, in.computedPrice(label));
            return;
        }
        in.object(label, "a price or tiers", field -> {
            switch (field) {
                case "base" -> put(byBound, 0, name, in.computedPrice(label));
                case "tiers" -> in.array(label, "tiers", () -> tier(byBound, name, label));
                default -> in.skip();
            }
        });
    }

    private void tier(NavigableMap<Long, Map<String, BigDecimal>> byBound, String name, String label)
            throws IOException {
        var bound = new ArrayList<Long>();
        var price = new ArrayList<BigDecimal>();
        in.object(label, "an object", field -> {
            switch (field) {
                case "start" -> bound.add(in.tokens(label + ": start"));
                case "price" -> price.add(in.computedPrice(label));
                default -> in.skip();
            }
        });
        if (bound.isEmpty() || bound.getFirst() == 0 || price.isEmpty()) {
            throw in.refused(label, "a tier (expected: start > 0 and price)");
        }
        put(byBound, bound.getFirst(), name, price.getFirst());
    }

    private static void put(
            NavigableMap<Long, Map<String, BigDecimal>> byBound, long bound, String name, BigDecimal price) {
        byBound.computeIfAbsent(bound, absent -> new HashMap<>()).put(name, price);
    }

    /** Each rate holds until a later bound gives it another. */
    private static Price toPrice(NavigableMap<Long, Map<String, BigDecimal>> byBound, BigDecimal perRequest) {
        var soFar = new HashMap<String, BigDecimal>(byBound.getOrDefault(0L, Map.of()));
        var first = rates(soFar);
        var tiers = new ArrayList<Tier>();
        byBound.tailMap(0L, false).forEach((bound, rates) -> {
            soFar.putAll(rates);
            tiers.add(new Tier(bound, rates(soFar)));
        });
        return new Price(first, tiers, perRequest);
    }

    private static Rates rates(Map<String, BigDecimal> given) {
        var draft = new RatesDraft();
        given.forEach(draft::put);
        return draft.toRates();
    }
}
