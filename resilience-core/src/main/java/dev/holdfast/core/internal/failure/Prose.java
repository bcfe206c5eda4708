package dev.holdfast.core.internal.failure;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the wait that a server names in a sentence: {@code "Please try again in 6m0s."}, {@code "Retry-After: 30"},
 * {@code "30秒後に再試行"}. A number counts only beside a word that speaks of waiting, and but for the quoted field only with
 * a unit.
 */
final class Prose {
    /** Sentences stand at the beginning; what is further down is a document. */
    static final int LONGEST = 8192;

    private static final String NUMBER =
            "(?=[0-9]|(?:an?|half|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|fifty|sixty"
                    + "|ninety) )";

    static final Pattern LEAD = Pattern.compile(
            "(?:try (?:your request |the request |it |this )?again|retry|retrying|retried|retries|wait|waiting|resets?|reset|replenished|available|come back|back off)"
                    + "(?: (?:again|in|after|for|at least|about|approximately|approx\\.?|around|roughly|another|until|request"
                    + "|requests|your|this|the|next|within|please|more|additional|is|be|to|of|up|time|required|it|wait"
                    + "|not before|no sooner than|no earlier than)){0,6}"
                    + "(?: ?[:=~]){0,2} ?" + NUMBER);

    /** German, French, Spanish, Portuguese, Italian: the word and the number stand further apart, within one sentence. */
    static final Pattern OTHER_LEAD = Pattern.compile(
            "(?:versuchen|versuche|warten|warte|wiederholen|réessaye[rz]|reessaye[rz]|patiente[rz]|attend(?:re|ez)"
                    + "|int[eé]nt(?:e|elo|alo)|reint[eé]nte(?:lo)?|vuelva a intentar(?:lo)?|espere|espera|tente|aguarde|riprova"
                    + "|riprovare|attend[ie](?:re)?)[^0-9.!?]{0,60}(?=[0-9])");

    /** {@code retry-after: 30}, as the field has it: seconds without a unit. */
    private static final Pattern FIELD = Pattern.compile(
            "\\bretry[-_]after(-ms|_ms)?[\"']?\\s{0,4}[:=]\\s{0,4}[\"']?([0-9]{1,18}(?:\\.[0-9]{1,9})?)(?![0-9.,:]*[0-9])(?!\\s?[a-z])");

    private static final Pattern EAST_AFTER = Pattern.compile(" ?(?:之?[后後]|以[后後]|後に|뒤|후|이후|あと)");
    private static final Pattern EAST_BEFORE = Pattern.compile("(?:等待|等候|请等|請等|稍候|기다|あと)[^0-9]{0,6}$");

    static final Starts LEADS = new Starts("try", "retr", "replenished", "wait", "reset", "available", "come", "back");
    static final Starts OTHER_LEADS = new Starts(
            "versuche",
            "warte",
            "wiederholen",
            "r\u00E9essaye",
            "reessaye",
            "patiente",
            "attend",
            "int",
            "reint",
            "vuelva",
            "espera",
            "tente",
            "aguarde",
            "riprova");
    private static final char LAST_BEFORE_IDEOGRAPHS = 0x2E80;

    private Prose() {}

    /** The longest wait that the text names. */
    static Optional<Duration> delay(String text) {
        String lower = beginning(text).toLowerCase(Locale.ROOT);
        Optional<Duration> named = longer(led(LEADS, LEAD, lower), led(OTHER_LEADS, OTHER_LEAD, lower));
        return longer(longer(named, field(lower)), eastern(lower));
    }

    private static Optional<Duration> led(Starts starts, Pattern pattern, String lower) {
        Optional<Duration> longest = Optional.empty();
        Matcher lead = null;
        int at = starts.next(lower, 0);
        while (at >= 0) {
            lead = lead == null ? pattern.matcher(lower) : lead;
            boolean found = lead.region(at, lower.length()).lookingAt();
            if (found) {
                longest = longer(longest, SpokenDelay.at(lower, lead.end()).map(SpokenDelay.Found::length));
            }
            at = starts.next(lower, found ? lead.end() : at + 1);
        }
        return longest;
    }

    private static Optional<Duration> field(String lower) {
        Optional<Duration> longest = Optional.empty();
        if (!lower.contains("retry-after") && !lower.contains("retry_after")) {
            return longest;
        }
        Matcher field = FIELD.matcher(lower);
        while (field.find()) {
            String number = field.group(2);
            longest = longer(longest, field.group(1) == null ? DelayText.seconds(number) : DelayText.millis(number));
        }
        return longest;
    }

    /** Chinese, Japanese and Korean: the number comes first, and then that it is a wait. */
    private static Optional<Duration> eastern(String lower) {
        Optional<Duration> longest = Optional.empty();
        for (int i = hasIdeographs(lower) ? 0 : lower.length(); i < lower.length(); i++) {
            if (!SpokenDelay.begins(lower.charAt(i))) {
                continue;
            }
            int from = i;
            Optional<SpokenDelay.Found> found = SpokenDelay.at(lower, from)
                    .filter(each -> lower.charAt(each.end() - 1) > LAST_BEFORE_IDEOGRAPHS)
                    .filter(each -> EAST_AFTER
                                    .matcher(lower)
                                    .region(each.end(), lower.length())
                                    .lookingAt()
                            || EAST_BEFORE
                                    .matcher(lower.substring(Math.max(0, from - 16), from))
                                    .find());
            longest = longer(longest, found.map(SpokenDelay.Found::length));
            while (i + 1 < lower.length() && SpokenDelay.begins(lower.charAt(i + 1))) {
                i++;
            }
        }
        return longest;
    }

    private static boolean hasIdeographs(String lower) {
        for (int i = 0; i < lower.length(); i++) {
            if (lower.charAt(i) > LAST_BEFORE_IDEOGRAPHS) {
                return true;
            }
        }
        return false;
    }

    static Optional<Duration> longer(Optional<Duration> one, Optional<Duration> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return one.get().compareTo(other.get()) >= 0 ? one : other;
    }

    static String beginning(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
