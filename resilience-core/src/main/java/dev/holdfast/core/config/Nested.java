package dev.holdfast.core.config;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The kinds whose values have values of their own under names, so that a path leads into them. */
sealed interface Nested {
    /**
     * Values by names of the user's choice, in the order of the file.
     *
     * @param of what each value takes
     */
    record ByName<T>(Kind<T> of) implements Kind<Map<String, T>>, Nested {
        @Override
        public Map<String, T> read(Value value) {
            var read = new LinkedHashMap<String, T>();
            value.members(form()).forEach((name, member) -> read.put(name, of.read(member)));
            return read;
        }

        @Override
        public void check(Value value, Consumer<ConfigException> found) {
            Kinds.tried(found, () -> value.members(form()).values().forEach(each -> of.check(each, found)));
        }

        @Override
        public String form() {
            return "by name, each " + of.form();
        }

        @Override
        public JsonObject schema() {
            JsonValue each = of.schema();
            return JsonObject.of("type", new JsonString("object")).with("additionalProperties", each);
        }

        @Override
        public boolean secret() {
            return of.secret();
        }

        @Override
        public Optional<Schema> inner() {
            return of.inner();
        }
    }

    /**
     * A section.
     *
     * @param keys its keys
     */
    record OfKeys(Schema keys) implements Kind<Section>, Nested {
        @Override
        public Section read(Value value) {
            return value.section(keys);
        }

        @Override
        public void check(Value value, Consumer<ConfigException> found) {
            Kinds.tried(found, () -> value.check(keys, found));
        }

        @Override
        public String form() {
            return "a section";
        }

        @Override
        public JsonObject schema() {
            return keys.toJsonSchema();
        }

        @Override
        public Optional<Schema> inner() {
            return Optional.of(keys);
        }
    }
}
