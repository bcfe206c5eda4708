package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A value that grows with the fragments of a stream, so that members we do not know come together as well: text is appended
 * (in linear time), objects are merged, elements of arrays are joined by their index. Names and ids are said once.
 */
sealed interface Gathered {
    /** Adds a fragment; what it then is may be another value than before. */
    Gathered plus(JsonValue fragment);

    JsonValue toJson();

    /** Starts with a first fragment. */
    static Gathered of(JsonValue first) {
        return switch (first) {
            case JsonString(String text) -> new Text(new StringBuilder(text));
            case JsonObject object -> Members.of(object);
            case JsonArray(List<JsonValue> elements) -> Elements.of(elements);
            default -> new Whole(first);
        };
    }

    /** Text that grows. */
    record Text(StringBuilder content) implements Gathered {
        @Override
        public Gathered plus(JsonValue fragment) {
            if (fragment instanceof JsonArray(List<JsonValue> parts)) {
                return (content.isEmpty() ? Elements.of(List.of()) : Elements.of(List.of(part(content.toString()))))
                        .plus(new JsonArray(parts));
            }
            fragment.asText().ifPresent(content::append);
            return this;
        }

        @Override
        public JsonValue toJson() {
            return JsonValue.of(content.toString());
        }
    }

    /** A number or literal, which a later one replaces. */
    record Whole(JsonValue value) implements Gathered {
        @Override
        public Gathered plus(JsonValue fragment) {
            return fragment.isNull() ? this : Gathered.of(fragment);
        }

        @Override
        public JsonValue toJson() {
            return value;
        }
    }

    /** An object whose members grow. */
    record Members(Map<String, Gathered> members) implements Gathered {
        private static final Set<String> SAID_ONCE = Set.of("role", "type", "id", "name", "format", "call_id");

        static Members of(JsonObject first) {
            return new Members(new LinkedHashMap<>()).plus(first);
        }

        @Override
        public Members plus(JsonValue fragment) {
            fragment.asObject().ifPresent(object -> object.members().forEach(this::add));
            return this;
        }

        void add(String name, JsonValue fragment) {
            Gathered before = members.get(name);
            boolean said = before instanceof Text(StringBuilder content) && !content.isEmpty();
            if (before == null || (SAID_ONCE.contains(name) && !said && !fragment.isNull())) {
                members.put(name, Gathered.of(fragment));
            } else if (!SAID_ONCE.contains(name)) {
                members.put(name, before.plus(fragment));
            }
        }

        /** Sets a member to what was said last; null and nothing change it not. */
        void replace(String name, JsonValue latest) {
            boolean hollow =
                    latest.isNull() || latest.asText().filter(String::isEmpty).isPresent();
            if (!hollow || !members.containsKey(name)) {
                members.put(name, Gathered.of(latest));
            }
        }

        @Override
        public JsonObject toJson() {
            var values = new LinkedHashMap<String, JsonValue>();
            members.forEach((name, value) -> values.put(name, value.toJson()));
            return new JsonObject(values);
        }
    }

    /** An array whose elements grow. */
    record Elements(List<Gathered> elements) implements Gathered {
        private static final Set<String> RUNNING = Set.of("text", "thinking", "output_text");

        static Elements of(List<JsonValue> first) {
            return new Elements(new ArrayList<>()).plus(new JsonArray(first));
        }

        @Override
        public Elements plus(JsonValue fragment) {
            if (fragment instanceof JsonArray(List<JsonValue> more)) {
                more.forEach(this::add);
            }
            fragment.asText().filter(text -> !text.isEmpty()).ifPresent(text -> add(part(text)));
            return this;
        }

        private void add(JsonValue element) {
            Optional<Members> same = element.asObject().flatMap(this::find);
            if (same.isPresent()) {
                same.get().plus(element);
            } else {
                elements.add(Gathered.of(element));
            }
        }

        /** The element that a fragment goes on with: the one of its index, else the last if it is running text too. */
        private Optional<Members> find(JsonObject fragment) {
            if (fragment.longValue("index").isPresent()) {
                return elements.stream()
                        .flatMap(element -> element instanceof Members members ? Stream.of(members) : Stream.empty())
                        .filter(members -> members.members().get("index") instanceof Whole(JsonValue index)
                                && index.asLong().equals(fragment.longValue("index")))
                        .findFirst();
            }
            return !elements.isEmpty() && elements.getLast() instanceof Members last && isRunning(last, fragment)
                    ? Optional.of(last)
                    : Optional.empty();
        }

        private static boolean isRunning(Members last, JsonObject fragment) {
            return fragment.text("type").filter(RUNNING::contains).isPresent()
                    && last.members().get("type") instanceof Text(StringBuilder type)
                    && fragment.text("type").get().contentEquals(type);
        }

        @Override
        public JsonValue toJson() {
            return new JsonArray(elements.stream().map(Gathered::toJson).toList());
        }
    }

    private static JsonObject part(String text) {
        return JsonObject.of("type", JsonValue.of("text")).with("text", JsonValue.of(text));
    }
}
