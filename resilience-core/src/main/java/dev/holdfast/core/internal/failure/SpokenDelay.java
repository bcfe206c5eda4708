package dev.holdfast.core.internal.failure;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a length of time as people write it: {@code 10h17m5.7s}, {@code 1 minute and 5 seconds}, {@code an hour},
 * {@code 1,200 seconds}, {@code 00:01:30}, {@code 1分30秒}. Parts follow each other from the larger unit to the smaller, so
 * that another number further on is not taken for one of them. Total and linear.
 */
final class SpokenDelay {
    private static final long LONGEST_NANOS = DelayText.LONGEST.toNanos();
    private static final int LONGEST_WORD = 14;

    private static final Map<String, Long> UNITS = new HashMap<>();
    private static final Map<String, Integer> NUMBERS = Map.ofEntries(
            Map.entry("a", 1),
            Map.entry("an", 1),
            Map.entry("one", 1),
            Map.entry("two", 2),
            Map.entry("three", 3),
            Map.entry("four", 4),
            Map.entry("five", 5),
            Map.entry("six", 6),
            Map.entry("seven", 7),
            Map.entry("eight", 8),
            Map.entry("nine", 9),
            Map.entry("ten", 10),
            Map.entry("fifteen", 15),
            Map.entry("twenty", 20),
            Map.entry("thirty", 30),
            Map.entry("forty", 40),
            Map.entry("fifty", 50),
            Map.entry("sixty", 60),
            Map.entry("ninety", 90));

    static {
        units(
                DelayText.MILLI,
                "ms msec msecs millis millisecond milliseconds millisekunden millisekunde millisecondes"
                        + " milisegundos millisecondi 毫秒 밀리초 ミリ秒");
        units(
                DelayText.SECOND,
                "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondo secondi 秒 秒钟"
                        + " 秒鐘 초 秒間");
        units(DelayText.MINUTE, "m min mins minute minutes minuten minuto minutos minuti 分 分钟 分鐘 분 分間");
        units(DelayText.HOUR, "h hr hrs hour hours stunde stunden heure heures hora horas ora ore 小时 小時 时 시간 時間");
        units(DelayText.DAY, "d day days tag tage tagen jour jours dia dias día días giorno giorni 天 日 일 日間");
    }

    private final String text;
    private int at;
    /** The number as a named one; negative where it is in {@link #digits}. */
    private double named;

    private String digits = "";
    private long nanos;

    private SpokenDelay(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /**
     * A length of time.
     *
     * @param length how long
     * @param end where it ends in the text
     */
    record Found(Duration length, int end) {}

    /**
     * The length of time that begins at a position.
     *
     * @param lowerCase the text in lower case
     * @param from the position, of a digit or a letter
     */
    static Optional<Found> at(String lowerCase, int from) {
        return new SpokenDelay(lowerCase, from).read();
    }

    /** Whether a length of time may begin with the character. */
    static boolean begins(char c) {
        return isDigit(c);
    }

    private Optional<Found> read() {
        if (clock()) {
            return Optional.of(new Found(Duration.ofNanos(nanos), at));
        }
        long sum = 0;
        long previous = Long.MAX_VALUE;
        int end = at;
        while (number()) {
            skipBlanks();
            long unit = unit();
            if (unit == 0 || unit >= previous) {
                break;
            }
            sum = Math.min(LONGEST_NANOS, sum + nanos(unit));
            previous = unit;
            end = at;
            skipConnector();
        }
        return previous == Long.MAX_VALUE ? Optional.empty() : Optional.of(new Found(Duration.ofNanos(sum), end));
    }

    /** {@code hh:mm:ss}, perhaps with a fraction. */
    private boolean clock() {
        int[] parts = new int[3];
        int here = at;
        for (int i = 0; i < 3; i++) {
            if (i > 0 && (here >= text.length() || text.charAt(here++) != ':')) {
                return false;
            }
            int digits = 0;
            while (here < text.length() && digits < 3 && isDigit(text.charAt(here))) {
                parts[i] = parts[i] * 10 + text.charAt(here++) - '0';
                digits++;
            }
            if (digits == 0 || digits == 3 || (i > 0 && parts[i] > 59)) {
                return false;
            }
        }
        nanos = parts[0] * DelayText.HOUR + parts[1] * DelayText.MINUTE + parts[2] * DelayText.SECOND;
        at = here;
        if (at + 1 < text.length() && text.charAt(at) == '.' && isDigit(text.charAt(at + 1))) {
            nanos += DelayText.SECOND;
        }
        return true;
    }

    private boolean number() {
        if (at < text.length() && isDigit(text.charAt(at))) {
            digits();
            return true;
        }
        int start = at;
        String word = word();
        boolean half = word.equals("half");
        if (!half && !NUMBERS.containsKey(word)) {
            at = start;
            return false;
        }
        start = at;
        skipBlanks();
        if (!half || !NUMBERS.containsKey(word())) {
            at = start;
        }
        named = half ? 0.5 : NUMBERS.getOrDefault(word, 1);
        return true;
    }

    /** Digits, with commas between thousands, and a fraction. */
    private void digits() {
        int start = at;
        while (at < text.length() && (isDigit(text.charAt(at)) || isThousands())) {
            at++;
        }
        if (at + 1 < text.length() && text.charAt(at) == '.' && isDigit(text.charAt(at + 1))) {
            at++;
            while (at < text.length() && isDigit(text.charAt(at))) {
                at++;
            }
        }
        digits = text.substring(start, at).replace(",", "");
        named = -1;
    }

    private boolean isThousands() {
        return text.charAt(at) == ','
                && at + 3 < text.length()
                && isDigit(text.charAt(at + 1))
                && isDigit(text.charAt(at + 2))
                && isDigit(text.charAt(at + 3))
                && (at + 4 == text.length() || !isDigit(text.charAt(at + 4)));
    }

    private long nanos(long unit) {
        return named >= 0
                ? (long) (named * unit)
                : DelayText.of(digits, unit).map(Duration::toNanos).orElse(0L);
    }

    private long unit() {
        if (at < text.length() && text.charAt(at) > 0x2E80) {
            return ideographicUnit();
        }
        return UNITS.getOrDefault(word(), 0L);
    }

    /** No blanks part words there: the longest unit that stands here. */
    private long ideographicUnit() {
        for (int length = 3; length > 0; length--) {
            if (at + length <= text.length()) {
                Long unit = UNITS.get(text.substring(at, at + length));
                if (unit != null) {
                    at += length;
                    return unit;
                }
            }
        }
        return 0;
    }

    private String word() {
        int start = at;
        while (at < text.length() && at - start < LONGEST_WORD && isLetter(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private void skipBlanks() {
        while (at < text.length()
                && (text.charAt(at) == ' ' || text.charAt(at) == '\t' || text.charAt(at) == '\u00A0')) {
            at++;
        }
    }

    /** What stands between "1 minute" and "5 seconds". */
    private void skipConnector() {
        skipBlanks();
        if (at < text.length() && (text.charAt(at) == ',' || text.charAt(at) == '&')) {
            at++;
            skipBlanks();
        }
        int start = at;
        String word = word();
        if (word.equals("and") || word.equals("und") || word.equals("et") || word.equals("y") || word.equals("e")) {
            skipBlanks();
        } else {
            at = start;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '\u00DF' && c <= '\u00FF');
    }

    private static void units(long nanos, String words) {
        for (String word : words.split(" ", -1)) {
            UNITS.put(word, nanos);
        }
    }
}
