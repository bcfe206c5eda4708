package dev.holdfast.core.internal.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps what may be a key out of words about a configuration: a key that someone wrote in a wrong place must not come to a screen
 * or a log with the error about it.
 */
public final class Masks {
    /** What is longer is no number, no duration and no word that people mistype. */
    public static final int LONGEST_SHOWN = 15;

    private static final String HIDDEN = "(hidden)";

    /** Keys by the prefixes of vendors, and runs of twenty letters and digits: no name of a model has one. */
    private static final Pattern KEY = Pattern.compile(
            "(?<![A-Za-z0-9])(?:(?:sk|pk|rk|gsk|csk|hf|ghp|gho|ghs|xai|pplx|nvapi|r8|fw|xoxb)[-_][A-Za-z0-9_*-]{6,}|(?:key|sess)-[A-Za-z0-9_*-]{16,}"
                    + "|AIza[A-Za-z0-9_-]{10,}|ya29\\.[A-Za-z0-9_-]{10,}|eyJ[A-Za-z0-9_.-]{8,}"
                    + "|(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9+/_]{20,}={0,2})");

    /** A shorter text is no key that anyone gives out. */
    private static final int LEAST_KEY = 6;

    private static final Pattern RUN = Pattern.compile("[^\\s\"',;(){}\\[\\]]{" + LEAST_KEY + ",}");

    /** A number with a unit, right or not, and a percentile: what people mistype where a duration or a size stands. */
    private static final Pattern MEASURE = Pattern.compile(
            "(?i)[-+]?[0-9][0-9.,_]{0,11} ?(?:%|ns|us|µs|ms|msecs?|millis|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?"
                    + "|w|weeks?|[kmgt]i?b?|bytes?|x|rpm|tpm|usd|tokens?)|p[0-9]{1,2}(?:[.,][0-9]{1,4})?|x[0-9]{1,4}(?:[.,][0-9]{1,4})?");

    private Masks() {}

    /**
     * {@return the words, less what looks like a key}
     *
     * @param words words
     */
    public static String hide(String words) {
        return KEY.matcher(words).replaceAll(HIDDEN);
    }

    /**
     * {@return whether a text may be a key: it is long, or it has letters and digits and is no number with a unit}
     *
     * @param text a text
     */
    public static boolean mayBeKey(String text) {
        if (text.length() > LONGEST_SHOWN) {
            return true;
        }
        boolean mixed =
                text.chars().anyMatch(Character::isLetter) && text.chars().anyMatch(Character::isDigit);
        return mixed
                && text.length() >= LEAST_KEY
                && !MEASURE.matcher(text.strip()).matches();
    }

    /**
     * {@return the words, less every run of characters that they quote of a text and that may be a key}
     *
     * @param words words
     * @param text what they are about
     */
    public static String hideQuoted(String words, String text) {
        Matcher run = RUN.matcher(words);
        return run.replaceAll(found -> Matcher.quoteReplacement(
                text.contains(found.group()) && mayBeKey(found.group()) ? HIDDEN : found.group()));
    }
}
