package dev.holdfast.simulation.internal.provider;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Says durations as servers do, never shorter than they are. */
public final class Durations {
    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Durations() {}

    /** Whole seconds, rounded up. */
    public static long ceilSeconds(Duration duration) {
        return duration.getNano() > 0 ? duration.getSeconds() + 1 : duration.getSeconds();
    }

    /** Whole milliseconds, rounded up. */
    public static long ceilMillis(Duration duration) {
        long floor = duration.toMillis();
        return Duration.ofMillis(floor).equals(duration) ? floor : floor + 1;
    }

    /** The first whole second that is not before the instant, as RFC 9110 section 5.6.7 wants it. */
    public static String httpDate(Instant instant) {
        Instant second = instant.truncatedTo(ChronoUnit.SECONDS);
        return IMF_FIXDATE.format(second.equals(instant) ? second : second.plusSeconds(1));
    }

    /** As Go prints durations: {@code 6m0s}, {@code 1.5s}, {@code 12ms}. */
    public static String goText(Duration duration) {
        long millis = ceilMillis(duration);
        if (millis < 1000 && millis > 0) {
            return millis + "ms";
        }
        var out = new StringBuilder();
        if (millis >= 3_600_000) {
            out.append(millis / 3_600_000).append('h');
        }
        if (millis >= 60_000) {
            out.append(millis / 60_000 % 60).append('m');
        }
        return out.append(seconds(millis % 60_000)).append('s').toString();
    }

    private static String seconds(long millis) {
        String fraction = String.format(Locale.ROOT, "%03d", millis % 1000).replaceAll("0+$", "");
        return millis / 1000 + (fraction.isEmpty() ? "" : "." + fraction);
    }
}
