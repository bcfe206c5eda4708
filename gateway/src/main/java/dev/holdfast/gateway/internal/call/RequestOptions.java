package dev.holdfast.gateway.internal.call;

import dev.holdfast.AllowList;
import dev.holdfast.CacheMode;
import dev.holdfast.CallOptions;
import dev.holdfast.Headers;
import dev.holdfast.gateway.internal.access.AccessKey;
import dev.holdfast.gateway.internal.api.ProblemException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a client asks for by header fields, beside the document, as far as its key and the configuration allow it.
 *
 * @param longest how long a call may take; a client may ask for less
 */
public record RequestOptions(Duration longest) {
    private static final int LONGEST_KEY = 255;
    private static final long LONGEST_MILLIS = Duration.ofDays(1).toMillis();

    CallOptions of(Headers headers, Optional<AccessKey> key) {
        CallOptions options = CallOptions.none();
        if (key.isPresent()) {
            options = options.withTenant(key.get().name());
        }
        Optional<String> idempotencyKey = headers.first("idempotency-key");
        if (idempotencyKey.isPresent()) {
            options = options.withIdempotencyKey(checkedKey(idempotencyKey.get()));
        }
        Optional<String> timeout = headers.first("x-holdfast-timeout-ms");
        if (timeout.isPresent()) {
            Duration wanted = Duration.ofMillis(millis(timeout.get()));
            options = options.withDeadline(wanted.compareTo(longest) < 0 ? wanted : longest);
        }
        Optional<String> cache = headers.first("x-holdfast-cache");
        if (cache.isPresent()) {
            options = options.withCacheMode(mode(cache.get()));
        }
        Optional<String> noFallback = headers.first("x-holdfast-no-fallback");
        if (noFallback.isPresent() && isTrue("x-holdfast-no-fallback", noFallback.get())) {
            options = options.withFallback(false);
        }
        AllowList ofKey = key.map(AccessKey::allow).orElse(AllowList.ANY);
        AllowList allow = new AllowList(
                narrowed(headers, "x-holdfast-allow-region", ofKey.regions()),
                narrowed(headers, "x-holdfast-allow-vendor", ofKey.vendors()),
                narrowed(headers, "x-holdfast-allow-retention", ofKey.retentions()));
        return allow.equals(AllowList.ANY) ? options : options.withAllow(allow);
    }

    private static String checkedKey(String key) {
        boolean fits =
                !key.isBlank() && key.length() <= LONGEST_KEY && key.chars().allMatch(c -> c >= 0x20 && c <= 0x7E);
        if (!fits) {
            throw wrong("idempotency-key", "not a key (expected: 1 to " + LONGEST_KEY + " characters of ASCII)");
        }
        return key;
    }

    private static long millis(String text) {
        if (text.matches("[0-9]{1,9}")) {
            long millis = Long.parseLong(text);
            if (millis >= 1 && millis <= LONGEST_MILLIS) {
                return millis;
            }
        }
        throw wrong("x-holdfast-timeout-ms", "no time (expected: milliseconds, 1 to " + LONGEST_MILLIS + ")");
    }

    private static CacheMode mode(String text) {
        String name = text.strip().toUpperCase(Locale.ROOT).replace('-', '_');
        for (CacheMode mode : CacheMode.values()) {
            if (mode.name().equals(name)) {
                return mode;
            }
        }
        throw wrong(
                "x-holdfast-cache",
                "no mode (expected: one of deterministic-only, all, read-only, write-only, refresh, off)");
    }

    private static boolean isTrue(String header, String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw wrong(header, "neither true nor false");
        };
    }

    /** What a request names of what its key allows. */
    private static Set<String> narrowed(Headers headers, String name, Set<String> allowed) {
        Set<String> wanted = names(headers, name);
        if (wanted.isEmpty() || allowed.isEmpty()) {
            return wanted.isEmpty() ? allowed : wanted;
        }
        Set<String> both = wanted.stream().filter(allowed::contains).collect(Collectors.toUnmodifiableSet());
        if (both.isEmpty()) {
            throw ProblemException.of(403, "permission_error", "not_allowed", name + ": your key is for none of these")
                    .withParam(name);
        }
        return both;
    }

    private static Set<String> names(Headers headers, String name) {
        return headers.all(name).stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static ProblemException wrong(String header, String problem) {
        return ProblemException.invalid(header + ": " + problem).withParam(header);
    }
}
