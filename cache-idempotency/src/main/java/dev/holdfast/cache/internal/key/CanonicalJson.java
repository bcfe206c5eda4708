package dev.holdfast.cache.internal.key;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.TreeMap;

/** Gives documents that mean the same one text: members in the order of RFC 8785, numbers spelled one way. */
public final class CanonicalJson {
    private static final Set<String> CHAT_NEUTRAL = Set.of("stream", "stream_options");

    private CanonicalJson() {}

    /** A request's document without what says nothing about its answer. */
    public static JsonObject of(Form form, JsonObject document) {
        var members = new LinkedHashMap<String, JsonValue>();
        document.members().forEach((name, value) -> {
            if (!isNeutral(form, name, value)) {
                members.put(name, value);
            }
        });
        return sorted(new JsonObject(members));
    }

    private static boolean isNeutral(Form form, String name, JsonValue value) {
        return switch (form) {
            case OPENAI_CHAT, ANTHROPIC_MESSAGES -> value.isNull() || CHAT_NEUTRAL.contains(name);
            case GEMINI_CONTENT -> value.isNull();
            case OPAQUE -> false;
        };
    }

    static JsonValue of(JsonValue value) {
        return switch (value) {
            case JsonObject object -> sorted(object);
            case JsonArray array ->
                new JsonArray(array.elements().stream().map(CanonicalJson::of).toList());
            case JsonNumber number -> CanonicalNumber.of(number);
            case JsonValue other -> other;
        };
    }

    /** RFC 8785 orders names by their UTF-16 code units, as {@link String#compareTo} does. */
    private static JsonObject sorted(JsonObject object) {
        var members = new TreeMap<String, JsonValue>();
        object.members().forEach((name, value) -> members.put(name, of(value)));
        return new JsonObject(members);
    }
}
