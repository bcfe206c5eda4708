package dev.holdfast.core;

import dev.holdfast.Bytes;
import dev.holdfast.JsonValue;
import dev.holdfast.core.internal.json.JsonReader;

/**
 * Reads JSON text (RFC 8259) into a {@link JsonValue} that keeps the order of members and the text of numbers, so that
 * {@link JsonValue#toJson()} gives the same document back.
 *
 * <p>White space around the document and a byte order mark are passed over; some providers send blank lines while they
 * work. A member that occurs twice or whose name has half a surrogate pair, anything after the document, bytes that are not
 * UTF-8, more than 1000 levels, a number of more than 1000 characters and more than 64 MiB of text are errors.
 */
public final class JsonText {
    private JsonText() {}

    /**
     * {@return the value that the text says}
     *
     * @param text one JSON document
     * @throws JsonTextException if it is none
     */
    public static JsonValue parse(String text) {
        return JsonReader.read(text);
    }

    /**
     * {@return the value that the bytes say}
     *
     * @param utf8 one JSON document in UTF-8
     * @throws JsonTextException if it is none
     */
    public static JsonValue parse(byte[] utf8) {
        return JsonReader.read(utf8);
    }

    /**
     * {@return the value that the bytes say}
     *
     * @param utf8 one JSON document in UTF-8
     * @throws JsonTextException if it is none
     */
    public static JsonValue parse(Bytes utf8) {
        return JsonReader.read(utf8);
    }
}
