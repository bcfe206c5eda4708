package dev.holdfast.core.internal.failure;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what looks like a key in a line, by the prefixes that vendors give theirs and by the words that stand before one, and
 * puts a mask in its place. Each look is one pass that goes over the text once, whatever stands in it: errors come in storms.
 */
final class KeyLooks {
    private static final String MASK = Redactor.MASK;
    private static final int LONGEST_NAME = 22;
    private static final int LONGEST_AFFIX = 16;

    /** Keys by the prefixes their vendors give them, and tokens of OAuth. No prefix is the beginning of another. */
    private static final List<Prefix> PREFIXES = List.of(
            new Prefix("sk-", Rest.WORD, 6),
            new Prefix("pk-", Rest.WORD, 6),
            new Prefix("rk-", Rest.WORD, 6),
            new Prefix("xai-", Rest.WORD, 6),
            new Prefix("pplx-", Rest.WORD, 6),
            new Prefix("nvapi-", Rest.WORD, 6),
            new Prefix("csk-", Rest.WORD, 6),
            new Prefix("sess-", Rest.WORD, 6),
            new Prefix("key-", Rest.WORD, 16),
            new Prefix("gsk_", Rest.WORD, 10),
            new Prefix("hf_", Rest.WORD, 10),
            new Prefix("ghp_", Rest.WORD, 10),
            new Prefix("gho_", Rest.WORD, 10),
            new Prefix("ghs_", Rest.WORD, 10),
            new Prefix("github_pat_", Rest.WORD, 10),
            new Prefix("r8_", Rest.WORD, 10),
            new Prefix("fw_", Rest.WORD, 10),
            new Prefix("sk_", Rest.WORD, 10),
            new Prefix("xoxb_", Rest.WORD, 10),
            new Prefix("AIza", Rest.WORD, 10),
            new Prefix("ya29.", Rest.BASE64, 10),
            new Prefix("AKIA", Rest.CAPITAL, 12),
            new Prefix("ASIA", Rest.CAPITAL, 12));

    private static final String WEB_TOKEN = "eyJ";
    private static final Starts STARTS =
            new Starts(Stream.concat(PREFIXES.stream().map(Prefix::text), Stream.of(WEB_TOKEN))
                    .toArray(String[]::new));
    private static final List<String> WHOLE_PARAMETERS = List.of("sig", "signature", "code", "password");
    private static final List<String> ENDS_OF_PARAMETERS = List.of("key", "token", "secret");

    private final String text;
    /** What is written so far; null while nothing was found. */
    private @Nullable StringBuilder out;
    /** Up to where the text is written. */
    private int written;
    /** Up to where a run of letters was found to have no point behind it, so that no token of the web is in it. */
    private int pointless;

    private KeyLooks(String text) {
        this.text = text;
    }

    private enum Rest {
        WORD,
        BASE64,
        CAPITAL;

        boolean has(char c) {
            return switch (this) {
                case WORD -> isAlphanumeric(c) || c == '*' || c == '_' || c == '-';
                case BASE64 -> isAlphanumeric(c) || c == '_' || c == '-';
                case CAPITAL -> isDigit(c) || (c >= 'A' && c <= 'Z');
            };
        }
    }

    /** How a vendor's keys begin, and of how many characters of what kind they go on at least. */
    private record Prefix(String text, Rest rest, int shortest) {}

    /** The text with a mask for each key. */
    static String mask(String text) {
        String masked = new KeyLooks(text).keys();
        masked = new KeyLooks(masked).schemes();
        masked = new KeyLooks(masked).parameters();
        masked = new KeyLooks(masked).assignments();
        return new KeyLooks(masked).users();
    }

    private void hide(int from, int to) {
        StringBuilder begun = out;
        if (begun == null) {
            begun = new StringBuilder(text.length());
            out = begun;
        }
        begun.append(text, written, from).append(MASK);
        written = to;
    }

    private String result() {
        StringBuilder begun = out;
        return begun == null ? text : begun.append(text, written, text.length()).toString();
    }

    private String keys() {
        int length = text.length();
        boolean within = false;
        int at = 0;
        while (at < length) {
            char c = text.charAt(at);
            int end = within || !isLetter(c) ? at : keyAt(at, c);
            if (end > at) {
                hide(at, end);
                at = end;
                within = isAlphanumeric(text.charAt(end - 1));
            } else {
                within = isAlphanumeric(c);
                at++;
            }
        }
        return result();
    }

    /** Where the key that begins here ends; here if there is none. */
    private int keyAt(int at, char c) {
        if (!STARTS.mayBe(text, at)) {
            return at;
        }
        for (Prefix prefix : PREFIXES) {
            if (prefix.text.charAt(0) == c && text.startsWith(prefix.text, at)) {
                int from = at + prefix.text.length();
                int end = run(from, prefix.rest);
                return end - from >= prefix.shortest ? end : at;
            }
        }
        return text.startsWith(WEB_TOKEN, at) ? webTokenAt(at) : at;
    }

    /** A JSON Web Token: two or three runs with points between them. */
    private int webTokenAt(int at) {
        int from = at + WEB_TOKEN.length();
        int end = from < pointless ? pointless : run(from, Rest.BASE64);
        int second = end > from && end != pointless ? afterPoint(end) : end;
        if (second == end) {
            pointless = end;
            return at;
        }
        return end - from >= 8 ? afterPoint(second) : at;
    }

    private int afterPoint(int at) {
        if (at >= text.length() || text.charAt(at) != '.') {
            return at;
        }
        int end = run(at + 1, Rest.BASE64);
        return end > at + 1 ? end : at;
    }

    private int run(int from, Rest rest) {
        int end = from;
        while (end < text.length() && rest.has(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /** {@code Bearer …} and {@code Basic …}, if what follows is no word: it has a digit, or twenty characters. */
    private String schemes() {
        for (int at = 0; at + 5 < text.length(); at++) {
            char c = text.charAt(at);
            if ((c == 'b' || c == 'B') && isWordStart(at)) {
                int end = text.regionMatches(true, at, "bearer", 0, 6)
                        ? at + 6
                        : text.regionMatches(true, at, "basic", 0, 5) ? at + 5 : at;
                int from = skipSpaces(end, 8);
                int to = tokenEnd(from);
                if (end > at && from > end && to - from >= 6 && looksRandom(from)) {
                    keepUpTo(end);
                    hide(from, to);
                    at = to - 1;
                }
            }
        }
        return result();
    }

    /** The rest of a scheme, and one blank for those before its key. */
    private void keepUpTo(int end) {
        StringBuilder begun = out;
        if (begun == null) {
            begun = new StringBuilder(text.length());
            out = begun;
        }
        begun.append(text, written, end).append(' ');
        written = skipSpaces(end, Integer.MAX_VALUE);
    }

    private boolean looksRandom(int from) {
        int characters = 0;
        for (int at = from; at < text.length() && characters <= 200 && !isSpace(text.charAt(at)); at++) {
            char c = text.charAt(at);
            if (isDigit(c)) {
                return true;
            }
            characters += Character.isLowSurrogate(c) ? 0 : 1;
        }
        return characters >= 20;
    }

    /** {@code ?key=…}: the parameters of an address that are keys. */
    private String parameters() {
        int equals = text.indexOf('=');
        while (equals >= 0) {
            int start = equals;
            while (start > 0 && equals - start <= LONGEST_NAME && isOfName(text.charAt(start - 1))) {
                start--;
            }
            int end = equals + 1;
            if (start > 0 && "?&;".indexOf(text.charAt(start - 1)) >= 0 && isSecretName(start, equals)) {
                end = valueEnd(end);
                if (end > equals + 1) {
                    hide(equals + 1, end);
                }
            }
            equals = text.indexOf('=', end);
        }
        return result();
    }

    private boolean isSecretName(int start, int end) {
        int length = end - start;
        for (String whole : WHOLE_PARAMETERS) {
            if (length == whole.length() && text.regionMatches(true, start, whole, 0, length)) {
                return true;
            }
        }
        for (String last : ENDS_OF_PARAMETERS) {
            int affix = length - last.length();
            if (affix >= 0
                    && affix <= LONGEST_AFFIX
                    && text.regionMatches(true, start + affix, last, 0, last.length())) {
                return true;
            }
        }
        return false;
    }

    private int valueEnd(int from) {
        int end = from;
        while (end < text.length() && !isSpace(text.charAt(end)) && "&\"'<>".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    /** {@code api_key: …}, {@code "password":"…"}. */
    private String assignments() {
        if (text.indexOf(':') < 0 && text.indexOf('=') < 0) {
            return text;
        }
        for (int at = 0; at + 7 < text.length(); at++) {
            if (isWordStart(at)) {
                int end = nameEnd(at);
                int from = end > at ? afterSign(end) : at;
                int to = from > at ? tokenEnd(from) : at;
                if (from > at && to - from >= 8) {
                    hide(from, to);
                    at = to - 1;
                }
            }
        }
        return result();
    }

    /** Where the name of a secret that begins here ends; here if there is none. */
    private int nameEnd(int at) {
        return switch (text.charAt(at)) {
            case 'a', 'A' ->
                text.regionMatches(true, at, "authorization", 0, 13)
                        ? at + 13
                        : either(joined(at, "api", "-_ ", true, "key"), joined(at, "access", "-_", false, "token"), at);
            case 'c', 'C' -> joined(at, "client", "-_", false, "secret");
            case 'p', 'P' -> text.regionMatches(true, at, "password", 0, 8) ? at + 8 : at;
            default -> at;
        };
    }

    private static int either(int one, int other, int none) {
        return one > none ? one : other;
    }

    private int joined(int at, String first, String joints, boolean jointMayLack, String second) {
        int middle = at + first.length();
        if (!text.regionMatches(true, at, first, 0, first.length()) || middle >= text.length()) {
            return at;
        }
        boolean joint = joints.indexOf(text.charAt(middle)) >= 0;
        int from = joint ? middle + 1 : middle;
        return (joint || jointMayLack) && text.regionMatches(true, from, second, 0, second.length())
                ? from + second.length()
                : at;
    }

    /** Where the value begins after quotes, blanks and a colon or an equals sign; nowhere, which is negative, if there is no sign. */
    private int afterSign(int end) {
        int at = skipSpaces(skipQuote(end), 4);
        if (at >= text.length() || (text.charAt(at) != ':' && text.charAt(at) != '=')) {
            return -1;
        }
        return skipQuote(skipSpaces(at + 1, 4));
    }

    private int skipQuote(int at) {
        return at < text.length() && (text.charAt(at) == '"' || text.charAt(at) == '\'') ? at + 1 : at;
    }

    /** {@code ://name:password@}. */
    private String users() {
        int slashes = text.indexOf("://");
        while (slashes >= 0) {
            int from = slashes + 3;
            int colon = userEnd(from, ':');
            int end = colon > from && colon < text.length() && text.charAt(colon) == ':' ? userEnd(colon + 1, '/') : 0;
            if (end > colon + 1 && end < text.length() && text.charAt(end) == '@') {
                hide(from, end);
            }
            slashes = text.indexOf("://", from);
        }
        return result();
    }

    private int userEnd(int from, char alsoBefore) {
        int end = from;
        while (end < text.length()) {
            char c = text.charAt(end);
            if (c == '/' || c == '@' || c == alsoBefore || isSpace(c)) {
                break;
            }
            end++;
        }
        return end;
    }

    private int skipSpaces(int from, int most) {
        int at = from;
        while (at < text.length() && at - from < most && isSpace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private int tokenEnd(int from) {
        int end = from;
        while (end < text.length() && isOfToken(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private boolean isWordStart(int at) {
        return at == 0 || !(isAlphanumeric(text.charAt(at - 1)) || text.charAt(at - 1) == '_');
    }

    private static boolean isOfToken(char c) {
        return isAlphanumeric(c) || "*._~+/=-".indexOf(c) >= 0;
    }

    private static boolean isOfName(char c) {
        return isLetter(c) || c == '_' || c == '-';
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isAlphanumeric(char c) {
        return isLetter(c) || isDigit(c);
    }
}
