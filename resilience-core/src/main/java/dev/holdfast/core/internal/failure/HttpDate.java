package dev.holdfast.core.internal.failure;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the three forms of a date that RFC 9110, section 5.6.7, asks a recipient to accept. The day's name is not checked. */
final class HttpDate {
    private static final int LONGEST = 40;
    private static final String MONTH = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
    private static final String TIME = "([0-9]{2}):([0-9]{2}):([0-9]{2})";
    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

    private static final Pattern IMF = Pattern.compile(
            "(?:[a-z]{3}, )?([0-9]{1,2}) " + MONTH + " ([0-9]{4}) " + TIME + " (?:gmt|utc?|z|[+-]0000)");
    private static final Pattern RFC_850 =
            Pattern.compile("[a-z]{6,9}, ([0-9]{2})-" + MONTH + "-([0-9]{2}) " + TIME + " (?:gmt|utc)");
    private static final Pattern ASCTIME =
            Pattern.compile("[a-z]{3} " + MONTH + " ([ 0-9][0-9]) " + TIME + " ([0-9]{4})");

    private HttpDate() {}

    /**
     * The instant that a date says.
     *
     * @param value the field's value
     * @param now tells the century of a year of two digits: a date more than 50 years ahead is one of the past
     */
    static Optional<Instant> parse(String value, Instant now) {
        String text = DelayText.strip(value).toLowerCase(Locale.ROOT);
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        Matcher imf = IMF.matcher(text);
        if (imf.matches()) {
            return instant(number(imf, 3), imf.group(2), number(imf, 1), imf, 4);
        }
        Matcher rfc850 = RFC_850.matcher(text);
        if (rfc850.matches()) {
            return instant(fullYear(number(rfc850, 3), now), rfc850.group(2), number(rfc850, 1), rfc850, 4);
        }
        Matcher asctime = ASCTIME.matcher(text);
        return asctime.matches()
                ? instant(number(asctime, 6), asctime.group(1), number(asctime, 2), asctime, 3)
                : Optional.empty();
    }

    private static int fullYear(int twoDigits, Instant now) {
        int year = now.atOffset(ZoneOffset.UTC).getYear();
        int candidate = year - Math.floorMod(year, 100) + twoDigits;
        if (candidate > year + 50) {
            return candidate - 100;
        }
        return candidate < year - 50 ? candidate + 100 : candidate;
    }

    private static Optional<Instant> instant(int year, String month, int day, Matcher time, int hourGroup) {
        int second = Math.min(59, number(time, hourGroup + 2));
        try {
            return Optional.of(LocalDateTime.of(
                            year,
                            MONTHS.indexOf(month) + 1,
                            day,
                            number(time, hourGroup),
                            number(time, hourGroup + 1),
                            second)
                    .toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group).strip());
    }
}
