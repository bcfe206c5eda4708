package dev.holdfast.core;

import dev.holdfast.FailureKind;
import dev.holdfast.core.internal.text.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads and writes the text form of a {@link RetryPolicy}. */
final class RetryPolicyText {
    private static final int LONGEST = 4_096;
    private static final Pattern FORM = Pattern.compile("([a-z0-9-]{1,32})\\((.*)\\)", Pattern.DOTALL);
    private static final Pattern COUNT = Pattern.compile("([0-9]{1,9}) (attempts?|per call)");
    private static final Pattern BUDGET = Pattern.compile("budget ([0-9.e-]{1,24}) ?\\+ ?([0-9]{1,7})");
    private static final Pattern KIND =
            Pattern.compile("([a-z_]{1,32}) (never|(?:([0-9]{1,9}) attempts?)?(?: ?backoff (.+))?)");
    private static final Pattern BACKOFF = Pattern.compile("[a-z]+\\(.*\\)");
    private static final String FALLBACK_ON = "fallback on ";

    private RetryPolicyText() {}

    static String of(RetryPolicy policy) {
        var parts = new ArrayList<String>();
        parts.add(policy.maxAttempts() + " attempts");
        parts.add(policy.maxAttemptsPerCall() + " per call");
        parts.add(policy.backoff().toString());
        parts.add(policy.deadline()
                .map(length -> "deadline " + Durations.format(length))
                .orElse("no deadline"));
        parts.add("max suggested delay " + Durations.format(policy.maxSuggestedDelay()));
        parts.add("fallback if wait over " + Durations.format(policy.fallbackIfWaitOver()));
        if (policy.minInterval().isPositive()) {
            parts.add("min interval " + Durations.format(policy.minInterval()));
        }
        parts.add(policy.budget()
                .map(budget -> "budget " + budget.ratio() + " + " + budget.reserve())
                .orElse("no budget"));
        if (!policy.fallbackOn().isEmpty()) {
            parts.add(FALLBACK_ON
                    + policy.fallbackOn().stream()
                            .sorted()
                            .map(FailureKind::wireName)
                            .collect(Collectors.joining(" + ")));
        }
        if (!policy.cooldowns()) {
            parts.add("no cooldowns");
        }
        if (policy.waitWhenOpen()) {
            parts.add("wait when open");
        }
        if (policy.onlyIfIdempotent()) {
            parts.add("only if idempotent");
        }
        policy.kinds().forEach((kind, otherwise) -> parts.add((kind.wireName() + " " + otherwise).strip()));
        return "retry(" + String.join(", ", parts) + ")";
    }

    static RetryPolicy parse(String text) {
        Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (text.length() > LONGEST || !form.matches()) {
            throw refused(text, "a form such as retry(4 attempts, exponential(1s, x2, max 60s), deadline 2m)");
        }
        RetryPolicy parsed = base(form.group(1));
        for (String part : parts(form.group(2))) {
            parsed = with(parsed, part.strip().replaceAll("\\s+", " "));
        }
        return parsed;
    }

    private static RetryPolicy base(String name) {
        if (name.equals("retry")) {
            return RetryPolicy.standard();
        }
        RetryPolicy preset = RetryPolicy.presets().get(name);
        if (preset == null) {
            var names = new TreeMap<>(RetryPolicy.presets()).keySet();
            throw refused(name, "retry or a preset: " + String.join(", ", names));
        }
        return preset;
    }

    /** What commas part, but for those within brackets. */
    private static List<String> parts(String text) {
        var parts = new ArrayList<String>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '(' -> depth++;
                case ')' -> depth--;
                case ',' -> {
                    if (depth == 0) {
                        parts.add(text.substring(start, i));
                        start = i + 1;
                    }
                }
                default -> {
                    // Belongs to the part.
                }
            }
        }
        String last = text.substring(start);
        if (!parts.isEmpty() || !last.isBlank()) {
            parts.add(last);
        }
        return parts;
    }

    private static RetryPolicy with(RetryPolicy policy, String part) {
        Matcher count = COUNT.matcher(part);
        if (count.matches()) {
            int number = Integer.parseInt(count.group(1));
            return count.group(2).equals("per call")
                    ? policy.withMaxAttemptsPerCall(number)
                    : policy.withMaxAttempts(number);
        }
        return switch (part) {
            case "no deadline" -> policy.withoutDeadline();
            case "no budget" -> policy.withoutBudget();
            case "no cooldowns" -> policy.withoutCooldowns();
            case "wait when open" -> policy.withWaitWhenOpen(true);
            case "only if idempotent" -> policy.withOnlyIfIdempotent(true);
            default -> withDuration(policy, part).orElseGet(() -> withValue(policy, part));
        };
    }

    private static Optional<RetryPolicy> withDuration(RetryPolicy policy, String part) {
        int border = part.lastIndexOf(' ');
        if (border < 0) {
            return Optional.empty();
        }
        String name = part.substring(0, border);
        String value = part.substring(border + 1);
        return switch (name) {
            case "deadline" -> Optional.of(policy.withDeadline(Durations.parse(name, value)));
            case "max suggested delay" -> Optional.of(policy.withMaxSuggestedDelay(Durations.parse(name, value)));
            case "fallback if wait over" -> Optional.of(policy.withFallbackIfWaitOver(Durations.parse(name, value)));
            case "min interval" -> Optional.of(policy.withMinInterval(Durations.parse(name, value)));
            default -> Optional.empty();
        };
    }

    private static RetryPolicy withValue(RetryPolicy policy, String part) {
        Matcher budget = BUDGET.matcher(part);
        if (budget.matches()) {
            return policy.withBudget(new RetryBudgetPolicy(ratio(budget.group(1)), Integer.parseInt(budget.group(2))));
        }
        if (part.startsWith(FALLBACK_ON)) {
            RetryPolicy all = policy;
            for (String name : part.substring(FALLBACK_ON.length()).split("\\+", -1)) {
                all = all.withFallbackOn(kind(name.strip(), part));
            }
            return all;
        }
        if (BACKOFF.matcher(part).matches()) {
            return policy.withBackoff(Backoff.parse(part));
        }
        Matcher kind = KIND.matcher(part);
        if (kind.matches() && !kind.group(2).isEmpty()) {
            return policy.withKind(kind(kind.group(1), part), otherwise(kind));
        }
        throw refused(
                part,
                "4 attempts, 8 per call, a backoff, deadline 2m, no deadline, max suggested delay 60s,"
                        + " fallback if wait over 5s, min interval 100ms, budget 0.2 + 100, no budget,"
                        + " fallback on content_policy, no cooldowns, wait when open, only if idempotent,"
                        + " or a kind as in timeout never");
    }

    private static KindPolicy otherwise(Matcher kind) {
        OptionalInt attempts = kind.group(2).equals("never")
                ? OptionalInt.of(1)
                : Optional.ofNullable(kind.group(3))
                        .map(Integer::parseInt)
                        .map(OptionalInt::of)
                        .orElse(OptionalInt.empty());
        return new KindPolicy(attempts, Optional.ofNullable(kind.group(4)).map(Backoff::parse));
    }

    private static FailureKind kind(String name, String part) {
        for (FailureKind kind : FailureKind.values()) {
            if (kind.wireName().equals(name)) {
                return kind;
            }
        }
        throw refused(part, "the name of a failure kind, such as rate_limited");
    }

    private static double ratio(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw refused("budget " + text, "a number, as in budget 0.2 + 100");
        }
    }

    private static IllegalArgumentException refused(String text, String expected) {
        String shown = text.length() > 100 ? text.substring(0, 100) + "…" : text;
        return new IllegalArgumentException("retry: \"" + shown + "\" (expected: " + expected + ")");
    }
}
