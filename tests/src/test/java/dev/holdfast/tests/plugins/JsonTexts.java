package dev.holdfast.tests.plugins;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/** Reads JSON text into values, numbers as they are written. */
final class JsonTexts {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonTexts() {}

    static JsonValue parse(String text) {
        try (JsonParser in = JSON.createParser(text)) {
            in.nextToken();
            return read(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonObject parseObject(String text) {
        return parse(text).asObject().orElseThrow();
    }

    private static JsonValue read(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case START_OBJECT -> readObject(in);
            case START_ARRAY -> readArray(in);
            case VALUE_STRING -> JsonValue.of(in.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(in.getText());
            case VALUE_TRUE, VALUE_FALSE -> JsonValue.of(in.getBooleanValue());
            default -> JsonNull.NULL;
        };
    }

    private static JsonObject readObject(JsonParser in) throws IOException {
        var members = new LinkedHashMap<String, JsonValue>();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            members.put(name, read(in));
        }
        return new JsonObject(members);
    }

    private static JsonArray readArray(JsonParser in) throws IOException {
        var elements = new ArrayList<JsonValue>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            elements.add(read(in));
        }
        return new JsonArray(elements);
    }
}
