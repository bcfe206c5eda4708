package dev.holdfast.core.internal.failure;

import dev.holdfast.Headers;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.RateLimitSnapshot.Dimension;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what the headers of any answer say of the provider's limits: the forms of OpenAI, Azure, Anthropic, Mistral,
 * Groq, xAI, Together, OpenRouter and of the IETF's drafts. Junk is unknown, and so is what a negative number speaks of.
 */
public final class RateLimitHeaders {
    private static final String LIMIT = "limit";
    private static final Set<String> PARTS = Set.of("limit", "remaining", "reset");
    private static final String OF_ANTHROPIC = "anthropic-ratelimit-";
    private static final String UNIFIED = "unified";
    private static final int LONGEST_DIMENSION = 64;

    /**
     * {@code x-ratelimit-limit-requests}, {@code ratelimit-reset}, {@code x-ratelimitbysize-remaining-minute}: the beginnings of
     * names that say the part first, and what they count.
     */
    private static final List<Map.Entry<String, String>> PART_FIRST = List.of(
            Map.entry("ratelimit-", ""),
            Map.entry("rate-limit-", ""),
            Map.entry("tokenlimit-", "tokens"),
            Map.entry("ratelimitbysize-", "size"));

    /** {@code "api";r=999;t=295} and {@code limit=100, remaining=5, reset=30} of the drafts' combined fields. */
    private static final Pattern DRAFT_PARAMETER = Pattern.compile("(q|r|t|limit|remaining|reset)=\"?([0-9]{1,18})\"?");

    private static final int MOST_DIMENSIONS = 64;

    private final Map<String, Dimension> dimensions = new LinkedHashMap<>();
    private final Set<String> unknown = new HashSet<>();
    private final Instant serverNow;

    private RateLimitHeaders(Instant serverNow) {
        this.serverNow = serverNow;
    }

    /**
     * What the headers say; empty if they say nothing of limits.
     *
     * @param headers the header fields of an answer
     * @param receivedAt when it arrived; instants in the headers are counted from its {@code Date} where it has one
     */
    public static Optional<RateLimitSnapshot> parse(Headers headers, Instant receivedAt) {
        if (!mayTell(headers)) {
            return Optional.empty();
        }
        var reader = new RateLimitHeaders(SuggestedDelay.serverNow(headers, receivedAt));
        headers.fields().forEach(field -> reader.read(field.getKey().toLowerCase(Locale.ROOT), field.getValue()));
        reader.dimensions.keySet().removeAll(reader.unknown);
        return reader.dimensions.isEmpty()
                ? Optional.empty()
                : Optional.of(new RateLimitSnapshot(receivedAt, reader.dimensions));
    }

    /** Most answers have no such field, and are spared a look at their {@code Date}. */
    private static boolean mayTell(Headers headers) {
        for (var field : headers.fields()) {
            if (mayTell(field.getKey())) {
                return true;
            }
        }
        return false;
    }

    private static boolean mayTell(String name) {
        for (int i = 0; i <= name.length() - LIMIT.length(); i++) {
            if (name.regionMatches(true, i, LIMIT, 0, LIMIT.length())) {
                return true;
            }
        }
        return false;
    }

    private void read(String name, String value) {
        if (!name.contains(LIMIT)) {
            return;
        }
        if (name.equals("ratelimit") || name.equals("ratelimit-policy")) {
            readDraft(value);
        } else if (name.startsWith(OF_ANTHROPIC)) {
            readOfAnthropic(name.substring(OF_ANTHROPIC.length()), value);
        } else {
            readPartFirst(name.startsWith("x-") ? name.substring(2) : name, value);
        }
    }

    /** {@code input-tokens-reset}, {@code unified-5h-status}. */
    private void readOfAnthropic(String name, String value) {
        int dash = name.lastIndexOf('-');
        if (dash < 1) {
            return;
        }
        String part = name.substring(dash + 1);
        String dimension = name.substring(0, dash);
        if (PARTS.contains(part) && dimension.length() <= LONGEST_DIMENSION) {
            set(dimension, part, value);
        } else if (part.equals("status")
                && dimension.startsWith(UNIFIED)
                && dimension.length() <= UNIFIED.length() + LONGEST_DIMENSION
                && DelayText.strip(value).equalsIgnoreCase("rejected")) {
            set(dimension, "remaining", "0");
        }
    }

    private void readPartFirst(String name, String value) {
        for (var beginning : PART_FIRST) {
            if (name.startsWith(beginning.getKey())) {
                readPartFirst(
                        beginning.getValue(), name.substring(beginning.getKey().length()), value);
                return;
            }
        }
    }

    private void readPartFirst(String counted, String partAndRest, String value) {
        int dash = partAndRest.indexOf('-');
        String part = dash < 0 ? partAndRest : partAndRest.substring(0, dash);
        String rest = dash < 0 ? "" : partAndRest.substring(dash + 1);
        boolean wellFormed = dash < 0 || (!rest.isEmpty() && rest.length() <= LONGEST_DIMENSION);
        if (PARTS.contains(part) && wellFormed) {
            set(dimension(counted, rest), part, value);
        }
    }

    private static String dimension(String counted, String rest) {
        if (counted.isEmpty()) {
            return rest.equals("after") ? "" : rest;
        }
        return rest.isEmpty() ? counted : counted + '-' + rest;
    }

    private void set(String dimension, String part, String value) {
        switch (part) {
            case "limit" ->
                merge(dimension, new Dimension(count(dimension, value), OptionalLong.empty(), Optional.empty()));
            case "remaining" ->
                merge(dimension, new Dimension(OptionalLong.empty(), count(dimension, value), Optional.empty()));
            default ->
                merge(
                        dimension,
                        new Dimension(OptionalLong.empty(), OptionalLong.empty(), ResetText.parse(value, serverNow)));
        }
    }

    /** What was said first stays: a proxy adds its own fields after those of the provider. */
    private void merge(String name, Dimension said) {
        boolean silent = said.limit().isEmpty()
                && said.remaining().isEmpty()
                && said.resetIn().isEmpty();
        if (silent || (dimensions.size() >= MOST_DIMENSIONS && !dimensions.containsKey(name))) {
            return;
        }
        dimensions.merge(
                name,
                said,
                (old, more) -> new Dimension(
                        old.limit().isPresent() ? old.limit() : more.limit(),
                        old.remaining().isPresent() ? old.remaining() : more.remaining(),
                        old.resetIn().or(more::resetIn)));
    }

    /** The first number of {@code 1000, 1000;w=1}; fractions of a token are dropped. */
    private OptionalLong count(String dimension, String value) {
        String text = DelayText.strip(value);
        if (text.startsWith("-")) {
            unknown.add(dimension);
            return OptionalLong.empty();
        }
        int end = 0;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        boolean wellFormed = end > 0 && end <= 18 && (end == text.length() || ".,;".indexOf(text.charAt(end)) >= 0);
        return wellFormed ? OptionalLong.of(Long.parseLong(text.substring(0, end))) : OptionalLong.empty();
    }

    private void readDraft(String value) {
        if (value.length() > 4096) {
            return;
        }
        if (value.indexOf('"') < 0) {
            readDraftItem("", value);
            return;
        }
        for (String item : value.split(",", MOST_DIMENSIONS)) {
            int quote = item.indexOf('"');
            int end = item.indexOf('"', quote + 1);
            if (quote >= 0 && end > quote) {
                readDraftItem(item.substring(quote + 1, end), item.substring(end + 1));
            }
        }
    }

    private void readDraftItem(String dimension, String parameters) {
        for (String parameter : parameters.split("[;,]", MOST_DIMENSIONS)) {
            Matcher matcher = DRAFT_PARAMETER.matcher(DelayText.strip(parameter));
            if (matcher.matches()) {
                String part =
                        switch (matcher.group(1)) {
                            case "q", "limit" -> "limit";
                            case "r", "remaining" -> "remaining";
                            default -> "reset";
                        };
                set(dimension, part, matcher.group(2));
            }
        }
    }

    /**
     * How long until everything that is used up is there again; empty if nothing is, or none says when.
     *
     * @param headers the header fields of a refusal
     * @param receivedAt when it arrived
     */
    static Optional<Duration> untilReset(Headers headers, Instant receivedAt) {
        return parse(headers, receivedAt)
                .flatMap(snapshot -> snapshot.dimensions().entrySet().stream()
                        .filter(entry -> isUsedUp(entry.getKey(), entry.getValue()))
                        .flatMap(entry -> entry.getValue().resetIn().stream())
                        .max(Duration::compareTo));
    }

    /** A refusal that names a reset and neither what of nor how much is left speaks of what it refused for. */
    private static boolean isUsedUp(String name, Dimension dimension) {
        return dimension.remaining().isPresent() ? dimension.remaining().getAsLong() == 0 : name.isEmpty();
    }
}
