package dev.holdfast.core.internal.failure;

import dev.holdfast.Secret;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes text from outside fit to be kept in an error or a log: without the keys it was given and what looks like one,
 * without what it quotes of the request, without what could forge a line of a log, and short.
 */
public final class Redactor {
    private static final int LONGEST_INPUT = 64 * 1024;
    private static final int LONGEST_LEAD = 1024;
    private static final int LONGEST_OUTPUT = 500;
    private static final int LONGEST_TITLE = 300;
    private static final int LONGEST_KEY = 256;
    static final String MASK = "***";

    private static final Pattern TITLE = Pattern.compile("(?is)<title[^>]{0,200}>([^<]{0,400}+)");
    private static final Pattern MARKUP = Pattern.compile("(?i)^\\s*+<(?:!doctype\\s+html|html|head|body|center|!--)");

    private final KnownSecrets secrets;
    private final int known;
    private final Supplier<Quoted> quoted;

    private Redactor(KnownSecrets secrets, int known, Supplier<Quoted> quoted) {
        this.secrets = secrets;
        this.known = known;
        this.quoted = quoted;
    }

    /** A redactor of these keys and of whatever looks like one. */
    public static Redactor of(Collection<Secret> secrets) {
        List<String> texts = secrets.stream()
                .map(Secret::reveal)
                .flatMap(value -> Stream.of(value, URLEncoder.encode(value, StandardCharsets.UTF_8)))
                .distinct()
                .toList();
        return new Redactor(KnownSecrets.of(texts), texts.size(), Quoted::nothing);
    }

    /** This redactor, which also hides what a request says; asked for it only if there are words to look at. */
    public Redactor hiding(Supplier<Quoted> request) {
        return new Redactor(secrets, known, request);
    }

    /** The text on one line, without keys, at most 500 characters; a page of HTML is reduced to its title. */
    public String clean(String text) {
        return shortened(quoted.get().hide(scrub(oneLine(withoutMarkup(text)))), LONGEST_OUTPUT);
    }

    /** A code of a provider's: the text if it looks like one, else empty. */
    Optional<String> code(String text) {
        return identifier(text).map(code -> quoted.get().hide(code));
    }

    /** An id that the provider made: the text if it looks like one, else empty. */
    public Optional<String> identifier(String text) {
        String cleaned = scrub(oneLine(text.length() > 200 ? "" : text));
        return cleaned.isEmpty() || cleaned.length() > 128 ? Optional.empty() : Optional.of(cleaned);
    }

    static boolean isMarkup(String text) {
        int at = 0;
        while (at < text.length() && at < LONGEST_LEAD && (text.charAt(at) == ' ' || isControlSpace(text.charAt(at)))) {
            at++;
        }
        return at < text.length()
                && text.charAt(at) == '<'
                && MARKUP.matcher(text.substring(0, Math.min(text.length(), LONGEST_LEAD)))
                        .find();
    }

    private static boolean isControlSpace(char c) {
        return c >= '\t' && c <= '\r';
    }

    /** The beginning of a long text, without a last word that may be the half of a key. */
    private static String upToAWord(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = longest;
        while (end > longest - LONGEST_KEY && end > 0 && !Character.isWhitespace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end);
    }

    private static String withoutMarkup(String text) {
        String beginning = upToAWord(text, LONGEST_INPUT);
        if (!isMarkup(beginning)) {
            return beginning;
        }
        Matcher title = TITLE.matcher(beginning);
        return title.find() && !title.group(1).isBlank()
                ? "HTML page: " + upToAWord(title.group(1), LONGEST_TITLE)
                : "HTML page";
    }

    private String scrub(String text) {
        return KeyLooks.mask(secrets.mask(text));
    }

    /** White space, control characters and line separators become one blank; invisible formatting goes. */
    private static String oneLine(String text) {
        if (text.length() <= LONGEST_INPUT && isPlainLine(text)) {
            return text;
        }
        var out = new StringBuilder(Math.min(text.length(), LONGEST_INPUT));
        boolean blank = true;
        for (int i = 0; i < text.length() && i < LONGEST_INPUT; i++) {
            char c = text.charAt(i);
            int type = Character.getType(c);
            if (type == Character.FORMAT) {
                continue;
            }
            boolean gap = Character.isWhitespace(c)
                    || Character.isSpaceChar(c)
                    || type == Character.CONTROL
                    || type == Character.PRIVATE_USE;
            if (!gap) {
                out.append(isLone(text, i) ? '\uFFFD' : c);
            } else if (!blank) {
                out.append(' ');
            }
            blank = gap;
        }
        return out.toString().strip();
    }

    /** Most words are: letters of ASCII with single blanks between them. */
    private static boolean isPlainLine(String text) {
        char before = ' ';
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || (c == ' ' && before == ' ')) {
                return false;
            }
            before = c;
        }
        return text.isEmpty() || before != ' ';
    }

    private static boolean isLone(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }

    private static String shortened(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 2)) ? longest - 2 : longest - 1;
        return text.substring(0, end) + "\u2026";
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "Redactor[%d secrets]", known);
    }
}
