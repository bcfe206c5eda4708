package dev.holdfast.spi;

import java.lang.Character.UnicodeScript;

/**
 * Guesses the tokens of a text from its shape, without a vocabulary: counts of a few features, each with its weight in
 * hundredths of a token, in whole numbers throughout.
 *
 * <p>The weights up to {@link #SYMBOLS} were fitted to a provider's own counts of every other of 809 English prompts (Claude
 * 3 Haiku), by least squares of the relative error, reweighted towards the least absolute one, and rounded; the test that
 * judges them on the other half fits them again. Those of other scripts follow a public vocabulary of today (OpenAI's
 * o200k); vocabularies of yesterday take up to twice as much for them.
 */
final class TextTokens {
    /** Runs of Latin letters. */
    static final int WORDS = 0;
    /** Letters of a word beyond its sixth. */
    static final int LONG = 1;
    /** Capitals inside a word. */
    static final int INNER_CAPITALS = 2;
    /** Runs of digits. */
    static final int NUMBERS = 3;
    /** Digits of a number beyond its first. */
    static final int DIGITS = 4;
    /** Runs of ASCII punctuation. */
    static final int PUNCTUATION = 5;
    /** Further characters of such a run. */
    static final int REPEATED = 6;
    /** Runs of white space that break a line. */
    static final int BREAKS = 7;
    /** Runs of white space with more in them than one blank or line breaks: indentation, columns. */
    static final int INDENTS = 8;
    /** Characters that are neither letters nor ASCII. */
    static final int SYMBOLS = 9;
    /** Latin letters beyond ASCII. */
    static final int ACCENTS = 10;
    /** Runs of Hangul. */
    static final int HANGUL_RUNS = 11;
    /** Syllables of Hangul. */
    static final int HANGUL = 12;
    /** Chinese characters and Japanese syllables. */
    static final int IDEOGRAPHS = 13;
    /** Letters of other scripts. */
    static final int OTHER_LETTERS = 14;

    static final int FEATURES = 15;
    static final int FITTED = 10;

    private static final long[] WEIGHTS = {107, 9, 57, 153, 43, 99, 27, 71, 210, 227, 70, 30, 60, 60, 30};
    private static final int USUAL_WORD = 6;

    private enum Kind {
        SPACE,
        LATIN,
        DIGIT,
        PUNCTUATION,
        SYMBOL,
        HANGUL,
        IDEOGRAPH,
        OTHER_LETTER
    }

    private TextTokens() {}

    /** Hundredths of a token that a text takes. */
    static long hundredths(CharSequence text) {
        return weigh(features(text));
    }

    static long weigh(long[] features) {
        long sum = 0;
        for (int i = 0; i < FEATURES; i++) {
            sum += features[i] * WEIGHTS[i];
        }
        return sum;
    }

    /** How often a text shows each feature. */
    static long[] features(CharSequence text) {
        var counts = new long[FEATURES];
        int at = 0;
        while (at < text.length()) {
            int first = Character.codePointAt(text, at);
            Kind kind = kindOf(first);
            int end = at;
            long length = 0;
            long special = 0;
            while (end < text.length()) {
                int character = Character.codePointAt(text, end);
                if (kindOf(character) != kind) {
                    break;
                }
                special += special(kind, character, length > 0, counts);
                length++;
                end += Character.charCount(character);
            }
            count(kind, length, special, counts);
            at = end;
        }
        return counts;
    }

    /** Counts what a character shows within its run; for white space, tells whether it breaks a line. */
    private static long special(Kind kind, int character, boolean inside, long[] counts) {
        if (kind == Kind.SPACE) {
            return character == '\n' ? 1 : 0;
        }
        if (kind == Kind.LATIN) {
            counts[INNER_CAPITALS] += inside && Character.isUpperCase(character) ? 1 : 0;
            counts[ACCENTS] += character > 0x7f ? 1 : 0;
        }
        return 0;
    }

    private static void count(Kind kind, long length, long lineBreaks, long[] counts) {
        switch (kind) {
            case SPACE -> {
                counts[BREAKS] += lineBreaks > 0 ? 1 : 0;
                counts[INDENTS] += length - 1 - lineBreaks > 0 ? 1 : 0;
            }
            case LATIN -> {
                counts[WORDS]++;
                counts[LONG] += Math.max(0, length - USUAL_WORD);
            }
            case DIGIT -> {
                counts[NUMBERS]++;
                counts[DIGITS] += length - 1;
            }
            case PUNCTUATION -> {
                counts[PUNCTUATION]++;
                counts[REPEATED] += length - 1;
            }
            case SYMBOL -> counts[SYMBOLS] += length;
            case HANGUL -> {
                counts[HANGUL_RUNS]++;
                counts[HANGUL] += length;
            }
            case IDEOGRAPH -> counts[IDEOGRAPHS] += length;
            case OTHER_LETTER -> counts[OTHER_LETTERS] += length;
        }
    }

    private static Kind kindOf(int character) {
        if (character < 0x80) {
            return asciiKind(character);
        }
        if (Character.isWhitespace(character) || Character.isSpaceChar(character)) {
            return Kind.SPACE;
        }
        return switch (UnicodeScript.of(character)) {
            case LATIN -> Kind.LATIN;
            case HANGUL -> Kind.HANGUL;
            case HAN, HIRAGANA, KATAKANA, BOPOMOFO -> Kind.IDEOGRAPH;
            case COMMON, UNKNOWN -> Kind.SYMBOL;
            default -> Kind.OTHER_LETTER;
        };
    }

    private static Kind asciiKind(int character) {
        if ((character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')) {
            return Kind.LATIN;
        }
        if (character >= '0' && character <= '9') {
            return Kind.DIGIT;
        }
        return character == ' ' || (character >= '\t' && character <= '\r') ? Kind.SPACE : Kind.PUNCTUATION;
    }
}
