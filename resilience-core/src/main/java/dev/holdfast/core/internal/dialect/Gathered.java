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

    /** Starts with a first fragment; only what a further fragment touches is taken apart. */
    private static Gathered of(JsonValue first, int depth) {
        return first instanceof JsonString(String text) ? new Text(new StringBuilder(text)) : new Whole(first, depth);
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

    /** A value of one piece: a later one is merged with it if both are objects or arrays, else replaces it. */
    record Whole(JsonValue value, int depth) implements Gathered {
        /** No provider nests deeper; the stack is not the sender's to use up. */
        private static final int DEEPEST = 32;

        @Override
        public Gathered plus(JsonValue fragment) {
            if (fragment.isNull()) {
                return this;
            }
            if (depth < DEEPEST && value instanceof JsonObject && fragment instanceof JsonObject) {
                return new Members(new LinkedHashMap<>(), depth).plus(value).plus(fragment);
            }
            if (depth < DEEPEST && value instanceof JsonArray) {
                return new Elements(new ArrayList<>(), depth).plus(value).plus(fragment);
            }
            return Gathered.of(fragment, depth);
        }

        @Override
        public JsonValue toJson() {
            return value;
        }
    }

    /** An object whose members grow. */
    record Members(Map<String, Gathered> members, int depth) implements Gathered {
        private static final Set<String> SAID_ONCE = Set.of("role", "type", "id", "name", "format", "call_id");

        static Members of(JsonObject first) {
            return new Members(new LinkedHashMap<>(), 0).plus(first);
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
                members.put(name, Gathered.of(fragment, depth + 1));
            } else if (!SAID_ONCE.contains(name)) {
                members.put(name, before.plus(fragment));
            }
        }

        /** Sets a member to what was said last; null and nothing change it not. */
        void replace(String name, JsonValue latest) {
            boolean hollow =
                    latest.isNull() || latest.asText().filter(String::isEmpty).isPresent();
            if (!hollow || !members.containsKey(name)) {
                members.put(name, Gathered.of(latest, depth + 1));
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
    record Elements(List<Gathered> elements, int depth) implements Gathered {
        private static final Set<String> RUNNING = Set.of("text", "thinking", "output_text");

        static Elements of(List<JsonValue> first) {
            return new Elements(new ArrayList<>(), 1).plus(new JsonArray(first));
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
                elements.add(
                        element instanceof JsonObject
                                ? new Members(new LinkedHashMap<>(), depth + 1).plus(element)
                                : Gathered.of(element, depth + 1));
            }
        }

        /** The element that a fragment goes on with: the one of its index, else the last if it is running text too. */
        private Optional<Members> find(JsonObject fragment) {
            if (fragment.longValue("index").isPresent()) {
                return elements.stream()
                        .flatMap(element -> element instanceof Members members ? Stream.of(members) : Stream.empty())
                        .filter(members -> members.members().get("index") instanceof Whole(JsonValue index, int level)
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
