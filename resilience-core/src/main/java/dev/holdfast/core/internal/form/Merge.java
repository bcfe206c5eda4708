package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import java.util.Map;

/** Puts together again what was read apart. */
final class Merge {
    private Merge() {}

    /** An origin that also keeps the unread members of an inner object, under that object's name. */
    static Origin with(Origin origin, String name, JsonObject inner) {
        if (inner.members().isEmpty()) {
            return origin;
        }
        JsonObject rest = into(origin.rest(), JsonObject.of(name, inner));
        return new Origin(origin.place(), rest, origin.cacheControl(), origin.signature());
    }

    /** An origin that also keeps the unread members of inner objects, by their names. */
    static Origin with(Origin origin, Map<String, JsonObject> inner) {
        Origin all = origin;
        for (Map.Entry<String, JsonObject> each : inner.entrySet()) {
            all = with(all, each.getKey(), each.getValue());
        }
        return all;
    }

    /** The first object, and what the second has beside it, also within objects that both have. */
    static JsonObject into(JsonObject first, JsonObject rest) {
        if (rest.members().isEmpty()) {
            return first;
        }
        JsonObject.Builder merged = first.toBuilder();
        rest.members().forEach((name, value) -> {
            JsonValue known = first.members().get(name);
            if (known == null) {
                merged.with(name, value);
            } else if (known instanceof JsonObject outer && value instanceof JsonObject more) {
                merged.with(name, into(outer, more));
            }
        });
        return merged.build();
    }
}
