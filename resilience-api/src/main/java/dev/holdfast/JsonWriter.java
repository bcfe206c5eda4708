package dev.holdfast;

import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonBoolean;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;

/** Writes a {@link JsonValue} as compact text: no space, only the escapes that RFC 8259 demands. */
final class JsonWriter {
    private JsonWriter() {}

    static void write(JsonValue value, StringBuilder out) {
        switch (value) {
            case JsonObject object -> writeObject(object, out);
            case JsonArray array -> writeArray(array, out);
            case JsonString(String text) -> writeString(text, out);
            case JsonNumber(String text) -> out.append(text);
            case JsonBoolean(boolean bool) -> out.append(bool);
            case JsonNull.NULL -> out.append("null");
        }
    }

    private static void writeObject(JsonObject object, StringBuilder out) {
        out.append('{');
        int start = out.length();
        object.members().forEach((name, value) -> {
            if (out.length() > start) {
                out.append(',');
            }
            writeString(name, out);
            out.append(':');
            write(value, out);
        });
        out.append('}');
    }

    private static void writeArray(JsonArray array, StringBuilder out) {
        char separator = '[';
        for (JsonValue element : array.elements()) {
            out.append(separator);
            write(element, out);
            separator = ',';
        }
        out.append(separator == '[' ? "[]" : "]");
    }

    private static void writeString(String text, StringBuilder out) {
        out.append('"');
        int plain = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\' || isLoneSurrogate(c, text, i)) {
                out.append(text, plain, i);
                writeEscape(c, out);
                plain = i + 1;
            }
        }
        out.append(text, plain, text.length()).append('"');
    }

    /** A lone surrogate has no UTF-8 form: as an escape it survives the wire, as a character it would become "?". */
    private static boolean isLoneSurrogate(char c, String text, int i) {
        if (!Character.isSurrogate(c)) {
            return false;
        }
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }

    private static void writeEscape(char c, StringBuilder out) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(Character.forDigit(c >> shift & 0xf, 16));
                }
            }
        }
    }
}
