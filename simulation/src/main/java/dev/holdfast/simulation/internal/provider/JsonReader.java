package dev.holdfast.simulation.internal.provider;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Optional;

/** Reads the JSON of requests strictly by RFC 8259, so that the provider judges a client by a reader of its own. */
public final class JsonReader {
    private static final int DEPTH_MAX = 200;

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /** The value; empty if the text is no JSON. */
    public static Optional<JsonValue> read(String text) {
        try {
            var reader = new JsonReader(text);
            JsonValue value = reader.value(0);
            reader.skipSpace();
            return reader.at == text.length() ? Optional.of(value) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private JsonValue value(int depth) {
        if (depth > DEPTH_MAX) {
            throw malformed();
        }
        skipSpace();
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> JsonValue.of(string());
            case 't' -> literal("true", JsonValue.of(true));
            case 'f' -> literal("false", JsonValue.of(false));
            case 'n' -> literal("null", JsonNull.NULL);
            default -> number();
        };
    }

    private JsonObject object(int depth) {
        var members = new LinkedHashMap<String, JsonValue>();
        take('{');
        if (!takeIf('}')) {
            do {
                skipSpace();
                String name = string();
                skipSpace();
                take(':');
                members.put(name, value(depth + 1));
            } while (takeIf(','));
            take('}');
        }
        return new JsonObject(members);
    }

    private JsonArray array(int depth) {
        var elements = new ArrayList<JsonValue>();
        take('[');
        if (!takeIf(']')) {
            do {
                elements.add(value(depth + 1));
            } while (takeIf(','));
            take(']');
        }
        return new JsonArray(elements);
    }

    private String string() {
        var out = new StringBuilder();
        take('"');
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c < ' ') {
                throw malformed();
            }
            out.append(c == '\\' ? escape() : c);
        }
        at++;
        return out.toString();
    }

    private char escape() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex();
            default -> throw malformed();
        };
    }

    private char hex() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(peek(), 16);
            if (digit < 0 || peek() > 'f') {
                throw malformed();
            }
            code = code * 16 + digit;
            at++;
        }
        return (char) code;
    }

    private JsonNumber number() {
        int from = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return new JsonNumber(text.substring(from, at));
    }

    private JsonValue literal(String word, JsonValue value) {
        if (!text.startsWith(word, at)) {
            throw malformed();
        }
        at += word.length();
        return value;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean takeIf(char expected) {
        skipSpace();
        if (peek() != expected) {
            return false;
        }
        at++;
        return true;
    }

    private void take(char expected) {
        if (!takeIf(expected)) {
            throw malformed();
        }
    }

    private char peek() {
        if (at == text.length()) {
            throw malformed();
        }
        return text.charAt(at);
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException("not JSON");
    }
}
