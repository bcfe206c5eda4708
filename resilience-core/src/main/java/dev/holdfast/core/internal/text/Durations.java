package dev.holdfast.core.internal.text;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them in settings: {@code 250ms}, {@code 1.5s}, {@code 2m}, {@code 24h}, {@code 7d}. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?)(ns|us|ms|s|m|h|d)");

    private static final BigDecimal LONGEST =
            BigDecimal.valueOf(Duration.ofDays(36_500).toNanos());

    private Durations() {}

    /** Reads a duration; the error names the setting. */
    public static Duration parse(String setting, String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException(setting + ": \"" + text
                    + "\" is no duration (expected: a number and ms, s, m, h or d, as in 1.5s)");
        }
        BigDecimal nanos = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(nanosOf(form.group(2))));
        if (nanos.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    setting + ": \"" + text + "\" is too long (expected: at most 100 years)");
        }
        return Duration.ofNanos(nanos.longValue());
    }

    /** A text that reads back as the same duration: {@code 60s} rather than {@code 1m}, and {@code 2m} rather than {@code 120s}. */
    public static String format(Duration duration) {
        long nanos = duration.toNanos();
        for (String unit : new String[] {"d", "h", "m", "s", "ms", "us"}) {
            boolean single = nanos == nanosOf(unit) && nanos > nanosOf("s");
            if (nanos != 0 && nanos % nanosOf(unit) == 0 && !single) {
                return nanos / nanosOf(unit) + unit;
            }
        }
        return nanos == 0 ? "0s" : nanos + "ns";
    }

    private static long nanosOf(String unit) {
        return switch (unit) {
            case "ns" -> 1L;
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> 86_400_000_000_000L;
        };
    }
}
