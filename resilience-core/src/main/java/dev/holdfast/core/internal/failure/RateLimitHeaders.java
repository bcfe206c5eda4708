package dev.holdfast.core.internal.failure;

import dev.holdfast.Headers;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.RateLimitSnapshot.Dimension;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
    private static final String PART = "(limit|remaining|reset)";

    /** {@code x-ratelimit-limit-requests}, {@code ratelimit-reset}, {@code x-ratelimitbysize-remaining-minute}. */
    private static final Pattern PART_FIRST = Pattern.compile(
            "(?:x-)?(?:ratelimit|rate-limit|(tokenlimit)|ratelimit(bysize))-" + PART + "(?:-(.{1,64}))?");

    /** {@code anthropic-ratelimit-input-tokens-reset}. */
    private static final Pattern PART_LAST = Pattern.compile("anthropic-ratelimit-(.{1,64})-" + PART);

    /** {@code anthropic-ratelimit-unified-5h-status}. */
    private static final Pattern STATUS = Pattern.compile("anthropic-ratelimit-(unified.{0,64})-status");

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
        } else if (name.startsWith("anthropic-ratelimit-")) {
            readOfAnthropic(name, value);
        } else {
            Matcher first = PART_FIRST.matcher(name);
            if (first.matches()) {
                set(dimension(first), first.group(3), value);
            }
        }
    }

    private void readOfAnthropic(String name, String value) {
        Matcher last = PART_LAST.matcher(name);
        if (last.matches()) {
            set(last.group(1), last.group(2), value);
            return;
        }
        Matcher status = STATUS.matcher(name);
        if (status.matches() && DelayText.strip(value).equalsIgnoreCase("rejected")) {
            set(status.group(1), "remaining", "0");
        }
    }

    private static String dimension(Matcher name) {
        String rest = name.group(4) == null ? "" : name.group(4);
        if (name.group(1) != null) {
            return rest.isEmpty() ? "tokens" : "tokens-" + rest;
        }
        if (name.group(2) != null) {
            return rest.isEmpty() ? "size" : "size-" + rest;
        }
        return rest.equals("after") ? "" : rest;
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
