package dev.holdfast.core.internal.failure;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the ways in which servers write a length of time. Total and linear: what is not well-formed is absent, what is
 * too large to matter is {@link #LONGEST}, and nothing is negative. Fractions below a nanosecond are rounded up, so that
 * no wait is undercut.
 */
final class DelayText {
    /** Longer than any ceiling, and small enough to be added to any clock in nanoseconds without overflow. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    /** No server writes a number, a date or a name of so many characters. */
    private static final int ENDLESS = 4_096;

    private static final long LONGEST_NANOS = LONGEST.toNanos();
    private static final long MICRO = 1_000L;
    static final long MILLI = 1_000_000L;
    static final long SECOND = 1_000_000_000L;
    static final long MINUTE = 60 * SECOND;
    static final long HOUR = 60 * MINUTE;
    static final long DAY = 24 * HOUR;

    private static final Map<String, Long> GO_UNITS = Map.of(
            "ns", 1L, "us", MICRO, "\u00B5s", MICRO, "\u03BCs", MICRO, "ms", MILLI, "s", SECOND, "m", MINUTE, "h", HOUR,
            "d", DAY);
    private static final Map<String, Long> ISO_DATE_UNITS = Map.of("W", 7 * DAY, "D", DAY);
    private static final Map<String, Long> ISO_TIME_UNITS = Map.of("H", HOUR, "M", MINUTE, "S", SECOND);
    private final String text;
    private int at;
    private long whole;
    private long billionths;

    private DelayText(String text) {
        this.text = text;
    }

    /** A decimal number of seconds: {@code "30"}, {@code "1.5"}. */
    static Optional<Duration> seconds(String value) {
        return decimal(value, SECOND);
    }

    /** A decimal number of milliseconds: {@code "750"}. */
    static Optional<Duration> millis(String value) {
        return decimal(value, MILLI);
    }

    /** A decimal number of microseconds. */
    static Optional<Duration> micros(String value) {
        return decimal(value, MICRO);
    }

    /** A decimal number of nanoseconds; a fraction of one is a whole one. */
    static Optional<Duration> nanos(String value) {
        return decimal(value, 1);
    }

    /** A duration as Go prints it, days included: {@code "6m0s"}, {@code "12ms"}, {@code "1d2h"}. */
    static Optional<Duration> go(String value) {
        var scan = new DelayText(strip(value));
        Optional<Duration> sum = scan.sum(GO_UNITS);
        return scan.at == scan.text.length() ? sum : Optional.empty();
    }

    /** A duration of ISO 8601 without years and months: {@code "PT1M30S"}. */
    static Optional<Duration> iso(String value) {
        String stripped = strip(value).toUpperCase(Locale.ROOT);
        if (!stripped.startsWith("P")) {
            return Optional.empty();
        }
        int border = stripped.indexOf('T');
        String date = border < 0 ? stripped.substring(1) : stripped.substring(1, border);
        String time = border < 0 ? "" : stripped.substring(border + 1);
        if (date.isEmpty() && time.isEmpty()) {
            return Optional.empty();
        }
        return whole(date, ISO_DATE_UNITS)
                .flatMap(days -> whole(time, ISO_TIME_UNITS).map(rest -> limited(days.plus(rest))));
    }

    /** The sum of a text that is nothing else; nothing is zero. */
    private static Optional<Duration> whole(String text, Map<String, Long> units) {
        if (text.isEmpty()) {
            return Optional.of(Duration.ZERO);
        }
        var scan = new DelayText(text);
        Optional<Duration> sum = scan.sum(units);
        return scan.at == text.length() ? sum : Optional.empty();
    }

    /** An instant of RFC 3339. */
    static Optional<Instant> instant(String value) {
        String stripped = strip(value);
        if (stripped.length() > 64) {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(stripped).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** The time from one instant to another; zero if that is past. */
    static Duration between(Instant from, Instant to) {
        return to.isAfter(from) ? limited(Duration.between(from, to)) : Duration.ZERO;
    }

    static Duration limited(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    }

    /** Without the optional white space around a field's value (RFC 9110, section 5.5); nothing if it is endless. */
    static String strip(String value) {
        if (value.length() > ENDLESS) {
            return "";
        }
        int start = 0;
        int end = value.length();
        while (start < end && isBlank(value.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(value.charAt(end - 1))) {
            end--;
        }
        return value.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /** A decimal number of a unit. */
    static Optional<Duration> of(String value, long unitNanos) {
        return decimal(value, unitNanos);
    }

    private static Optional<Duration> decimal(String value, long unitNanos) {
        var scan = new DelayText(strip(value));
        if (!scan.number() || scan.at != scan.text.length()) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofNanos(scan.nanos(unitNanos)));
    }

    /** Numbers, each with its unit, one after the other. Stops at what is neither. */
    private Optional<Duration> sum(Map<String, Long> units) {
        long sum = 0;
        boolean any = false;
        int end = at;
        while (number()) {
            Long unit = units.get(unit());
            if (unit == null) {
                break;
            }
            sum = Math.min(LONGEST_NANOS, sum + nanos(unit));
            any = true;
            end = at;
        }
        at = end;
        return any ? Optional.of(Duration.ofNanos(sum)) : Optional.empty();
    }

    private String unit() {
        int start = at;
        while (at < text.length() && at - start < 16 && isLetter(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\u00B5' || c == '\u03BC';
    }

    /** Reads {@code 1*DIGIT [ "." 1*DIGIT ]} in ASCII. */
    private boolean number() {
        int start = at;
        whole = 0;
        billionths = 0;
        while (at < text.length() && isDigit(text.charAt(at))) {
            whole = whole >= LONGEST_NANOS / 10 ? LONGEST_NANOS : whole * 10 + text.charAt(at) - '0';
            at++;
        }
        if (at == start) {
            return false;
        }
        if (at + 1 < text.length() && text.charAt(at) == '.' && isDigit(text.charAt(at + 1))) {
            at++;
            fraction();
        }
        return true;
    }

    private void fraction() {
        long scale = SECOND / 10;
        boolean more = false;
        while (at < text.length() && isDigit(text.charAt(at))) {
            int digit = text.charAt(at) - '0';
            billionths += digit * scale;
            more |= scale == 0 && digit > 0;
            scale /= 10;
            at++;
        }
        billionths += more ? 1 : 0;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private long nanos(long unitNanos) {
        if (whole >= LONGEST_NANOS / unitNanos) {
            return LONGEST_NANOS;
        }
        long part =
                unitNanos >= SECOND ? billionths * (unitNanos / SECOND) : Math.ceilDiv(billionths * unitNanos, SECOND);
        return Math.min(LONGEST_NANOS, whole * unitNanos + part);
    }
}
