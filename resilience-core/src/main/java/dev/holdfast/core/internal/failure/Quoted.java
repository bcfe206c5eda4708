package dev.holdfast.core.internal.failure;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.ModelRequest;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Takes what a request says out of words about it, since providers quote prompts in their errors. Hidden are: longer runs that
 * the request has too, what stands in quotes and in the request, whole texts of it, and telling words of it (numbers,
 * addresses, codes), however small. Short common words stay, so that the sentence can still be understood.
 *
 * <p>Linear in request and words, whatever stands in them: {@link Runs}. Asked only when something failed.
 */
public final class Quoted {
    /** A run of so many characters is a quotation; a character of a script that packs words tighter counts thrice. */
    private static final int TELLING_RUN = 20;

    private static final int SHORTEST_WHOLE = 4;
    private static final int SHORTEST_CODE = 5;
    private static final int SHORTEST_NUMBER = 7;
    private static final int LONGEST_WORDS = 1_000;
    private static final int LONGEST_DATA = 8_192;
    private static final int MOST_CHARACTERS = 4_000_000;
    private static final int DEEPEST = 64;
    private static final String MASK = "***";
    private static final String QUOTES = "\"'`\u2018\u2019\u201C\u201D\u00AB\u00BB";
    /** Members whose values are words of the protocol. */
    private static final Set<String> PROTOCOL = Set.of("model", "role", "type", "object");

    private static final Quoted NOTHING = new Quoted(List.of(), "");

    private final List<String> texts;
    private final String model;

    private Quoted(List<String> texts, String model) {
        this.texts = texts;
        this.model = model;
    }

    /** Hides nothing. */
    public static Quoted nothing() {
        return NOTHING;
    }

    /** Hides what the request says. */
    public static Quoted of(JsonObject request) {
        var texts = new ArrayList<String>();
        gather(request, texts, 0);
        return new Quoted(texts, PlainText.of(request.text("model").orElse("")).text());
    }

    /** Hides what the request says, as it was asked and as it was sent. */
    public static Quoted of(ModelRequest asked, ModelRequest sent) {
        return of(JsonObject.builder()
                .with("model", JsonValue.of(sent.model()))
                .with("asked", asked.document())
                .with("sent", sent.document())
                .build());
    }

    private static void gather(JsonValue value, List<String> into, int depth) {
        if (depth > DEEPEST) {
            return;
        }
        switch (value) {
            case JsonObject object ->
                object.members().forEach((name, member) -> {
                    if (!PROTOCOL.contains(name)) {
                        gather(member, into, depth + 1);
                    }
                });
            case JsonArray(List<JsonValue> elements) -> elements.forEach(element -> gather(element, into, depth + 1));
            case JsonString(String text) -> into.add(text);
            default -> {
                // Numbers and literals are settings.
            }
        }
    }

    /** The words without what the request says; of very long words the beginning. */
    String hide(String words) {
        if (texts.isEmpty() || words.isEmpty()) {
            return words;
        }
        String beginning = words.length() > LONGEST_WORDS ? words.substring(0, LONGEST_WORDS) : words;
        PlainText plain = PlainText.of(beginning);
        var runs = new Runs(plain.text());
        var hidden = new BitSet();
        int left = MOST_CHARACTERS;
        for (String text : texts) {
            String piece = text.substring(0, Math.min(left, isData(text) ? LONGEST_DATA : text.length()));
            left -= piece.length();
            runs.follow(PlainText.of(piece).text()).ifPresent(whole -> hideWhole(plain.text(), whole, hidden));
        }
        runs.forEach((start, end) -> hideRun(plain.text(), start, end, hidden));
        return hidden.isEmpty() ? beginning : masked(beginning, plain, hidden);
    }

    /** A picture or a file: what it says is not in its characters. */
    private static boolean isData(String text) {
        return text.length() > LONGEST_DATA && text.lastIndexOf(' ', LONGEST_DATA) < 0;
    }

    private static void hideWhole(String words, String whole, BitSet hidden) {
        if (weight(whole, 0, whole.length()) < SHORTEST_WHOLE) {
            return;
        }
        for (int at = words.indexOf(whole); at >= 0; at = words.indexOf(whole, at + whole.length())) {
            if (isBorder(words, at) && isBorder(words, at + whole.length())) {
                hidden.set(at, at + whole.length());
            }
        }
    }

    private void hideRun(String words, int from, int to, BitSet hidden) {
        int start = from;
        int end = to;
        while (start < end && words.charAt(start) == ' ') {
            start++;
        }
        while (end > start && words.charAt(end - 1) == ' ') {
            end--;
        }
        if (words.substring(start, end).equals(model)) {
            return;
        }
        boolean quoted = end - start >= 3
                && start > 0
                && end < words.length()
                && QUOTES.indexOf(words.charAt(start - 1)) >= 0
                && QUOTES.indexOf(words.charAt(end)) >= 0;
        if (quoted || weight(words, start, end) >= TELLING_RUN) {
            hidden.set(start, end);
        } else {
            hideCodes(words, start, end, hidden);
        }
    }

    /** Words within the run that tell by themselves. */
    private void hideCodes(String words, int start, int end, BitSet hidden) {
        int at = start;
        while (at < end) {
            int begin = at;
            boolean digit = false;
            boolean other = false;
            while (at < end && !isBorder(words, at, at + 1)) {
                digit |= Character.isDigit(words.charAt(at));
                other |= !Character.isDigit(words.charAt(at));
                at++;
            }
            int length = at - begin;
            boolean whole = isBorder(words, begin) && isBorder(words, at);
            boolean code = digit && length >= (other ? SHORTEST_CODE : SHORTEST_NUMBER);
            boolean address = words.substring(begin, at).indexOf('@') > 0;
            if (whole && (code || address) && !words.substring(begin, at).equals(model)) {
                hidden.set(begin, at);
            }
            at = Math.max(at, begin + 1);
        }
    }

    /** Whether no word goes on across the position. */
    private static boolean isBorder(String words, int at) {
        return at <= 0 || at >= words.length() || isBorder(words, at - 1, at) || isBorder(words, at, at + 1);
    }

    private static boolean isBorder(String words, int from, int to) {
        char c = words.charAt(from);
        boolean within = to < words.length() && Character.isLetterOrDigit(words.charAt(to));
        return !(Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '@' || (c == '.' && within));
    }

    private static int weight(String words, int start, int end) {
        int weight = 0;
        for (int i = start; i < end; i++) {
            weight += words.charAt(i) < 0x2E80 ? 1 : 3;
        }
        return weight;
    }

    private static String masked(String words, PlainText plain, BitSet hidden) {
        var out = new StringBuilder();
        int at = 0;
        for (int i = hidden.nextSetBit(0); i >= 0; ) {
            int end = hidden.nextClearBit(i);
            out.append(words, at, plain.start(i)).append(MASK);
            at = plain.end(end - 1);
            i = hidden.nextSetBit(end);
        }
        return out.append(words, at, words.length()).toString();
    }

    @Override
    public String toString() {
        return "Quoted[" + texts.size() + " texts]";
    }

    /**
     * A text as it is compared: in lower case, white space as one blank, escapes of JSON undone; it knows where each character
     * comes from.
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares texts
    private record PlainText(String text, int[] starts, int[] ends) {
        static PlainText of(String raw) {
            var out = new StringBuilder(raw.length());
            int[] starts = new int[raw.length()];
            int[] ends = new int[raw.length()];
            int at = 0;
            while (at < raw.length()) {
                int start = at;
                char c = raw.charAt(at++);
                if (c == '\\' && at < raw.length()) {
                    char escaped = raw.charAt(at);
                    Optional<Character> plain = unescaped(raw, at, escaped);
                    if (plain.isPresent()) {
                        c = plain.get();
                        at += escaped == 'u' ? 5 : 1;
                    }
                }
                boolean blank = Character.isWhitespace(c) || Character.isSpaceChar(c);
                if (blank && (out.isEmpty() || out.charAt(out.length() - 1) == ' ')) {
                    if (!out.isEmpty()) {
                        ends[out.length() - 1] = at;
                    }
                    continue;
                }
                starts[out.length()] = start;
                ends[out.length()] = at;
                out.append(blank ? ' ' : Character.toLowerCase(c));
            }
            return new PlainText(out.toString(), starts, ends);
        }

        private static Optional<Character> unescaped(String raw, int at, char escaped) {
            return switch (escaped) {
                case 'n', 't', 'r' -> Optional.of(' ');
                case '"', '\\', '/' -> Optional.of(escaped);
                case 'u' -> hex(raw, at + 1);
                default -> Optional.empty();
            };
        }

        private static Optional<Character> hex(String raw, int from) {
            if (from + 4 > raw.length()) {
                return Optional.empty();
            }
            int value = 0;
            for (int i = from; i < from + 4; i++) {
                int digit = Character.digit(raw.charAt(i), 16);
                if (digit < 0) {
                    return Optional.empty();
                }
                value = value * 16 + digit;
            }
            return Optional.of((char) value);
        }

        int start(int i) {
            return starts[i];
        }

        int end(int i) {
            return ends[i];
        }
    }
}
