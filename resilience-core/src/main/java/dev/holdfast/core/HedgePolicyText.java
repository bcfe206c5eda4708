package dev.holdfast.core;

import dev.holdfast.core.internal.text.Durations;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes the text form of a {@link HedgePolicy}. */
final class HedgePolicyText {
    private static final int LONGEST = 256;
    private static final Pattern PART = Pattern.compile("([a-z]{1,16}) ?: ?(\\S{1,32})");
    private static final Pattern PERCENTILE = Pattern.compile("p([0-9]{1,2}(?:\\.[0-9]{1,6})?)");
    private static final String EXPECTED =
            "a form such as after: p95, floor: 50ms, samples: 20, budget: 0.05, reserve: 10";

    private HedgePolicyText() {}

    static String of(HedgePolicy policy) {
        String after = policy.delay()
                .map(Durations::format)
                .orElseGet(() -> "p"
                        + BigDecimal.valueOf(policy.percentile().orElseThrow())
                                .stripTrailingZeros()
                                .toPlainString());
        return "after: " + after + ", floor: " + Durations.format(policy.floor()) + ", samples: " + policy.minSamples()
                + ", budget: "
                + BigDecimal.valueOf(policy.budget()).stripTrailingZeros().toPlainString()
                + ", reserve: " + policy.reserve();
    }

    static HedgePolicy parse(String text) {
        String[] parts = text.strip().toLowerCase(Locale.ROOT).split(",", -1);
        if (text.length() > LONGEST || parts.length > 5) {
            throw refused(text);
        }
        HedgePolicy policy = after(part(parts[0]));
        for (int i = 1; i < parts.length; i++) {
            policy = with(policy, part(parts[i]));
        }
        return policy;
    }

    private static Matcher part(String text) {
        Matcher part = PART.matcher(text.strip());
        if (!part.matches()) {
            throw refused(text);
        }
        return part;
    }

    private static HedgePolicy after(Matcher part) {
        if (!part.group(1).equals("after")) {
            throw refused(part.group());
        }
        Matcher percentile = PERCENTILE.matcher(part.group(2));
        return percentile.matches()
                ? HedgePolicy.afterPercentile(Double.parseDouble(percentile.group(1)))
                : HedgePolicy.after(Durations.parse("after", part.group(2)));
    }

    private static HedgePolicy with(HedgePolicy policy, Matcher part) {
        String value = part.group(2);
        return switch (part.group(1)) {
            case "floor" -> policy.withFloor(Durations.parse("floor", value));
            case "samples" -> policy.withMinSamples(count(part));
            case "budget" -> policy.withBudget(ratio(part), policy.reserve());
            case "reserve" -> policy.withBudget(policy.budget(), count(part));
            default -> throw refused(part.group());
        };
    }

    private static int count(Matcher part) {
        try {
            return Integer.parseInt(part.group(2));
        } catch (NumberFormatException e) {
            throw refused(part.group());
        }
    }

    private static double ratio(Matcher part) {
        try {
            return new BigDecimal(part.group(2)).doubleValue();
        } catch (NumberFormatException e) {
            throw refused(part.group());
        }
    }

    private static IllegalArgumentException refused(String text) {
        String shown = text.length() > 100 ? text.substring(0, 100) + "…" : text;
        return new IllegalArgumentException("hedge: \"" + shown.strip() + "\" (expected: " + EXPECTED + ")");
    }
}
