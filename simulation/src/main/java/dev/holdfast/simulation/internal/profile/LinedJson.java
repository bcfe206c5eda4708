package dev.holdfast.simulation.internal.profile;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON with comments ({@code //} to the end of the line) into values that know their lines. */
final class LinedJson {
    private static final int MOST_LEVELS = 50;
    private static final int MOST_BYTES = 1 << 20;

    private final String source;
    private final String text;
    private int at;
    private int line = 1;

    /** A value and the line it begins on. */
    sealed interface Node {
        int line();

        /** What it is, for messages. */
        String kind();
    }

    record Members(int line, Map<String, Node> members, Map<String, Integer> lines) implements Node {
        @Override
        public String kind() {
            return "an object";
        }
    }

    record Elements(int line, List<Node> elements) implements Node {
        @Override
        public String kind() {
            return "a list";
        }
    }

    record Text(int line, String value) implements Node {
        @Override
        public String kind() {
            return "\"" + (value.length() <= 40 ? value : value.substring(0, 40) + "…") + "\"";
        }
    }

    record Figure(int line, double value, String text) implements Node {
        @Override
        public String kind() {
            return text;
        }
    }

    record Flag(int line, boolean value) implements Node {
        @Override
        public String kind() {
            return String.valueOf(value);
        }
    }

    private LinedJson(String source, String text) {
        this.source = source;
        this.text = text;
    }

    /**
     * The value that bytes say.
     *
     * @param source what messages call the file
     */
    static Node read(String source, byte[] bytes) {
        if (bytes.length > MOST_BYTES) {
            throw problem(source, 1, bytes.length + " bytes", "at most " + MOST_BYTES);
        }
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw problem(source, 1, "not text in UTF-8", "a profile in JSON");
        }
        var reader = new LinedJson(source, text.startsWith("\uFEFF") ? text.substring(1) : text);
        Node value = reader.value(0);
        reader.skip();
        if (reader.at < reader.text.length()) {
            throw reader.problem("'" + reader.text.charAt(reader.at) + "' after the end", "nothing more");
        }
        return value;
    }

    static IllegalArgumentException problem(String source, int line, String found, String expected) {
        return new ProfileFormatException(source + ":" + line + ": " + found + " (expected: " + expected + ")");
    }

    private IllegalArgumentException problem(String found, String expected) {
        return problem(source, line, found, expected);
    }

    private Node value(int level) {
        if (level > MOST_LEVELS) {
            throw problem("nested too deep", "at most " + MOST_LEVELS + " levels");
        }
        skip();
        int begins = line;
        return switch (peek()) {
            case '{' -> members(begins, level);
            case '[' -> elements(begins, level);
            case '"' -> new Text(begins, string());
            default -> word(begins);
        };
    }

    private Node members(int begins, int level) {
        var members = new LinkedHashMap<String, Node>();
        var lines = new LinkedHashMap<String, Integer>();
        at++;
        skip();
        while (peek() != '}') {
            if (peek() != '"') {
                throw problem(here(), "a key in double quotes");
            }
            int keyLine = line;
            String key = string();
            expect(':', "':' after \"" + key + "\"");
            if (lines.put(key, keyLine) != null) {
                throw problem(source, keyLine, "\"" + key + "\" twice", "every key once");
            }
            members.put(key, value(level + 1));
            skip();
            separate('}');
        }
        at++;
        return new Members(begins, members, lines);
    }

    private Node elements(int begins, int level) {
        var elements = new ArrayList<Node>();
        at++;
        skip();
        while (peek() != ']') {
            elements.add(value(level + 1));
            skip();
            separate(']');
        }
        at++;
        return new Elements(begins, elements);
    }

    /** A comma and something behind it, or the end. */
    private void separate(char end) {
        if (peek() == end) {
            return;
        }
        if (peek() != ',') {
            throw problem(here(), "',' or '" + end + "'");
        }
        at++;
        skip();
        if (peek() == end) {
            throw problem("',' before '" + end + "'", "no comma after the last one");
        }
    }

    private String string() {
        var out = new StringBuilder();
        at++;
        while (peek() != '"') {
            char next = text.charAt(at++);
            if (next < ' ') {
                throw problem("a text that goes over the end of the line", "'\"' before it");
            }
            out.append(next == '\\' ? escaped() : next);
        }
        at++;
        return out.toString();
    }

    private char escaped() {
        char escape = peek();
        at++;
        return switch (escape) {
            case '"', '\\', '/' -> escape;
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicode();
            default -> throw problem("'\\" + escape + "'", "an escape of JSON, such as \\\\ or \\\"");
        };
    }

    private char unicode() {
        String digits = text.substring(at, Math.min(text.length(), at + 4));
        if (!digits.matches("[0-9a-fA-F]{4}")) {
            throw problem("'\\u" + digits + "'", "four hexadecimal digits");
        }
        at += 4;
        return (char) Integer.parseInt(digits, 16);
    }

    private Node word(int begins) {
        int from = at;
        while (at < text.length() && ",:[]{}\"/ \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        if (word.equals("true") || word.equals("false")) {
            return new Flag(begins, word.equals("true"));
        }
        if (word.equals("null")) {
            throw problem("null", "a value; leave the key out for its default");
        }
        if (!word.matches("-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?")) {
            throw problem(word.isEmpty() ? here() : "'" + word + "'", "a value of JSON; text stands in double quotes");
        }
        return new Figure(begins, Double.parseDouble(word), word);
    }

    private void expect(char wanted, String expected) {
        skip();
        if (peek() != wanted) {
            throw problem(here(), expected);
        }
        at++;
    }

    private String here() {
        return "'" + text.charAt(at) + "'";
    }

    private char peek() {
        if (at >= text.length()) {
            throw problem("the end of the file", "the rest of the JSON");
        }
        return text.charAt(at);
    }

    private void skip() {
        while (at < text.length()) {
            char next = text.charAt(at);
            if (next == '/' && text.startsWith("//", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (next == ' ' || next == '\t' || next == '\r' || next == '\n') {
                line += next == '\n' ? 1 : 0;
                at++;
            } else {
                return;
            }
        }
    }
}
