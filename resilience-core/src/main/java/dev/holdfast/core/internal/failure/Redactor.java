package dev.holdfast.core.internal.failure;

import dev.holdfast.Secret;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
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
    private static final int LONGEST_OUTPUT = 500;
    private static final int LONGEST_TITLE = 300;
    private static final int LONGEST_KEY = 256;
    private static final int SHORTEST_SECRET = 4;
    private static final String MASK = "***";

    /** Keys by the prefixes their vendors give them, tokens of OAuth, and JSON Web Tokens. */
    private static final Pattern KEY = Pattern.compile(
            "(?<![A-Za-z0-9])(?:(?:sk|pk|rk|xai|pplx|nvapi|csk|sess)-[A-Za-z0-9*_-]{6,}+|key-[A-Za-z0-9*_-]{16,}+"
                    + "|(?:gsk|hf|ghp|gho|ghs|github_pat|r8|fw|sk|xoxb)_[A-Za-z0-9*_-]{10,}+"
                    + "|AIza[A-Za-z0-9*_-]{10,}+|ya29\\.[A-Za-z0-9_-]{10,}+|A[KS]IA[A-Z0-9]{12,}+"
                    + "|eyJ[A-Za-z0-9_-]{8,}+(?:\\.[A-Za-z0-9_-]++){1,2})");

    private static final Pattern SCHEME =
            Pattern.compile("(?i)\\b(Bearer|Basic)\\s{1,8}(?=\\S{0,200}[0-9]|\\S{20})[A-Za-z0-9*._~+/=-]{6,}+");

    private static final Pattern PARAMETER = Pattern.compile(
            "(?i)([?&;](?:[a-z_-]{0,16}key|sig|signature|code|[a-z_-]{0,16}token|[a-z_-]{0,16}secret|password)=)[^&\\s\"'<>]++");

    private static final Pattern ASSIGNMENT = Pattern.compile(
            "(?i)\\b((?:x-|x-goog-)?api[-_ ]?key|authorization|access[-_]token|client[-_]secret|password)"
                    + "([\"']?\\s{0,4}[:=]\\s{0,4}[\"']?)[A-Za-z0-9*._~+/=-]{8,}+");

    private static final Pattern USER_INFO = Pattern.compile("(://)[^\\s/@:]{1,256}+:[^\\s/@]{1,256}+@");
    private static final Pattern TITLE = Pattern.compile("(?is)<title[^>]{0,200}>([^<]{0,400}+)");
    private static final Pattern MARKUP = Pattern.compile("(?i)^\\s*+<(?:!doctype\\s+html|html|head|body|center|!--)");

    private final List<String> secrets;
    private final Supplier<Quoted> quoted;

    private Redactor(List<String> secrets, Supplier<Quoted> quoted) {
        this.secrets = secrets;
        this.quoted = quoted;
    }

    /** A redactor of these keys and of whatever looks like one. */
    public static Redactor of(Collection<Secret> secrets) {
        return new Redactor(
                secrets.stream()
                        .map(Secret::reveal)
                        .flatMap(value -> Stream.of(value, URLEncoder.encode(value, StandardCharsets.UTF_8)))
                        .distinct()
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .toList(),
                Quoted::nothing);
    }

    /** This redactor, which also hides what a request says; asked for it only if there are words to look at. */
    public Redactor hiding(Supplier<Quoted> request) {
        return new Redactor(secrets, request);
    }

    /** A redactor of whatever looks like a key. */
    public static Redactor ofPatterns() {
        return new Redactor(List.of(), Quoted::nothing);
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
        return MARKUP.matcher(text.substring(0, Math.min(text.length(), 1024))).find();
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
        String scrubbed = text;
        for (String secret : secrets) {
            scrubbed = withoutSecret(scrubbed, secret);
        }
        scrubbed = KEY.matcher(scrubbed).replaceAll(MASK);
        scrubbed = SCHEME.matcher(scrubbed).replaceAll("$1 " + MASK);
        scrubbed = PARAMETER.matcher(scrubbed).replaceAll("$1" + MASK);
        scrubbed = ASSIGNMENT.matcher(scrubbed).replaceAll("$1$2" + MASK);
        return USER_INFO.matcher(scrubbed).replaceAll("$1" + MASK + "@");
    }

    /** A key of three letters is replaced as a word only: else it would blank half the sentence and tell itself thereby. */
    private static String withoutSecret(String text, String secret) {
        return secret.length() >= SHORTEST_SECRET
                ? Pattern.compile(Pattern.quote(secret), Pattern.CASE_INSENSITIVE)
                        .matcher(text)
                        .replaceAll(MASK)
                : text.replaceAll("(?i)(?<![A-Za-z0-9])" + Pattern.quote(secret) + "(?![A-Za-z0-9])", MASK);
    }

    /** White space, control characters and line separators become one blank; invisible formatting goes. */
    private static String oneLine(String text) {
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
        return String.format(Locale.ROOT, "Redactor[%d secrets]", secrets.size());
    }
}
