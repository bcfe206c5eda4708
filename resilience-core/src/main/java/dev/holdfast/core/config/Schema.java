package dev.holdfast.core.config;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of a section. Immutable. */
public final class Schema {
    private final String title;
    private final Map<String, Key<?>> keys;
    private final Optional<Key<?>> shorthand;

    private Schema(String title, Map<String, Key<?>> keys, Optional<Key<?>> shorthand) {
        this.title = title;
        this.keys = keys;
        this.shorthand = shorthand;
    }

    /**
     * {@return a schema}
     *
     * @param title what the section is about, in a few words
     * @param keys its keys, in the order to be told
     * @throws IllegalArgumentException if two have one name
     */
    public static Schema of(String title, Key<?>... keys) {
        return new Schema(title, Map.of(), Optional.empty()).with(keys);
    }

    /**
     * {@return this schema with more keys}
     *
     * @param more the keys
     * @throws IllegalArgumentException if two have one name
     */
    public Schema with(Key<?>... more) {
        var all = new LinkedHashMap<>(keys);
        for (Key<?> key : more) {
            if (all.put(key.name(), key) != null) {
                throw new IllegalArgumentException("key " + key.name() + ": twice (expected: once)");
            }
        }
        return new Schema(title, all, shorthand);
    }

    /**
     * {@return this schema, where a single value in place of the section stands for the section with this key}
     *
     * @param key the key
     */
    public Schema withShorthand(Key<?> key) {
        return new Schema(title, keys, Optional.of(key));
    }

    /** {@return what the section is about} */
    public String title() {
        return title;
    }

    /** {@return the keys, in the order to be told} */
    public List<Key<?>> keys() {
        return List.copyOf(keys.values());
    }

    /** {@return the key that a single value in place of the section stands for} */
    public Optional<Key<?>> shorthand() {
        return shorthand;
    }

    Optional<Key<?>> key(String name) {
        return Optional.ofNullable(keys.get(name));
    }

    List<String> keyNames() {
        return List.copyOf(keys.keySet());
    }

    String names() {
        return String.join(", ", keys.keySet());
    }

    /** {@return this schema as a JSON Schema (2020-12) of the section} */
    public JsonObject toJsonSchema() {
        JsonObject.Builder properties = JsonObject.builder();
        for (Key<?> key : keys.values()) {
            JsonObject property = key.kind().schema().with("description", new JsonString(key.meaning()));
            properties.with(
                    key.name(),
                    key.usual()
                            .map(text -> property.with("default", new JsonString(text)))
                            .orElse(property));
        }
        JsonObject section = JsonObject.of("type", new JsonString("object"))
                .with("title", new JsonString(title))
                .with("properties", properties.build())
                .with("additionalProperties", JsonValue.of(false));
        if (shorthand.isEmpty()) {
            return section;
        }
        var either = new ArrayList<JsonValue>();
        either.add(shorthand.orElseThrow().kind().schema());
        either.add(section);
        return JsonObject.of("anyOf", new JsonArray(either));
    }
}
