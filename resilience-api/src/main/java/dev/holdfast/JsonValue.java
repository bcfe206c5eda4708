package dev.holdfast;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;

/**
 * An immutable JSON value that keeps what a document said: the order of members and the text of numbers, so that a
 * document which is read and written again means the same to whoever signed it.
 *
 * <p>{@link #toJson()} gives the text; {@code toString} never shows content, since requests hold prompts. Equality of
 * objects does not depend on the order of members; equality of numbers is that of their text.
 */
public sealed interface JsonValue {

    /** {@return this value as compact JSON text (RFC 8259)} */
    default String toJson() {
        var out = new StringBuilder();
        JsonWriter.write(this, out);
        return out.toString();
    }

    /** {@return the text if this is a string, else empty} */
    default Optional<String> asText() {
        return this instanceof JsonString(String text) ? Optional.of(text) : Optional.empty();
    }

    /** {@return the members if this is an object, else empty} */
    default Optional<JsonObject> asObject() {
        return this instanceof JsonObject object ? Optional.of(object) : Optional.empty();
    }

    /** {@return the elements if this is an array, else an empty list} */
    default List<JsonValue> asList() {
        return this instanceof JsonArray(List<JsonValue> elements) ? elements : List.of();
    }

    /** {@return the value if this is a number that is a whole number within the range of a long, else empty} */
    default OptionalLong asLong() {
        return this instanceof JsonNumber number ? number.exactLong() : OptionalLong.empty();
    }

    /** {@return whether this is the literal {@code true}} */
    default boolean isTrue() {
        return this instanceof JsonBoolean(boolean value) && value;
    }

    /** {@return whether this is the literal {@code null}} */
    default boolean isNull() {
        return this instanceof JsonNull;
    }

    /**
     * {@return a JSON string}
     *
     * @param text its characters
     */
    static JsonString of(String text) {
        return new JsonString(text);
    }

    /**
     * {@return a JSON number}
     *
     * @param number a whole number
     */
    static JsonNumber of(long number) {
        return new JsonNumber(Long.toString(number));
    }

    /**
     * {@return a JSON number}
     *
     * @param number an exact decimal
     */
    static JsonNumber of(BigDecimal number) {
        return new JsonNumber(number.toString());
    }

    /**
     * {@return a JSON boolean}
     *
     * @param value its value
     */
    static JsonBoolean of(boolean value) {
        return new JsonBoolean(value);
    }

    /**
     * An object: members in the order they were written.
     *
     * @param members names and values; later changes of the argument have no effect
     */
    record JsonObject(SequencedMap<String, JsonValue> members) implements JsonValue {
        private static final JsonObject EMPTY = new JsonObject(Members.NONE);

        /** Copies the members, keeping their order. */
        public JsonObject {
            members = Members.of(members);
        }

        /** {@return the object without members} */
        public static JsonObject empty() {
            return EMPTY;
        }

        /**
         * {@return an object with one member; add more by {@link #with}, many by a {@link #builder}}
         *
         * @param name the member's name
         * @param value its value
         */
        public static JsonObject of(String name, JsonValue value) {
            return EMPTY.with(name, value);
        }

        /** {@return a builder: to add many members one by one without a copy for each} */
        public static Builder builder() {
            return new Builder(new Members.Building(0));
        }

        /** {@return a builder that goes on from this object} */
        public Builder toBuilder() {
            return new Builder(building());
        }

        private Members.Building building() {
            return Members.of(members).building(1);
        }

        /**
         * {@return the member of that name, else empty; a JSON {@code null} is present}
         *
         * @param name the member's name
         */
        public Optional<JsonValue> get(String name) {
            return Optional.ofNullable(members.get(name));
        }

        /**
         * {@return the text of the string member of that name, else empty}
         *
         * @param name the member's name
         */
        public Optional<String> text(String name) {
            return get(name).flatMap(JsonValue::asText);
        }

        /**
         * {@return the object member of that name, else empty}
         *
         * @param name the member's name
         */
        public Optional<JsonObject> object(String name) {
            return get(name).flatMap(JsonValue::asObject);
        }

        /**
         * {@return the elements of the array member of that name, else an empty list}
         *
         * @param name the member's name
         */
        public List<JsonValue> list(String name) {
            return get(name).map(JsonValue::asList).orElse(List.of());
        }

        /**
         * {@return the whole-number member of that name, else empty}
         *
         * @param name the member's name
         */
        public OptionalLong longValue(String name) {
            JsonValue value = members.get(name);
            return value == null ? OptionalLong.empty() : value.asLong();
        }

        /**
         * {@return this object with the member set: in its old place if it was there, else at the end}
         *
         * @param name the member's name
         * @param value its value
         */
        public JsonObject with(String name, JsonValue value) {
            Members.Building changed = building();
            changed.put(name, value);
            return new JsonObject(changed.finish());
        }

        /**
         * {@return this object without the member}
         *
         * @param name the member's name
         */
        public JsonObject without(String name) {
            if (!members.containsKey(name)) {
                return this;
            }
            var copy = new LinkedHashMap<>(members);
            copy.remove(name);
            return new JsonObject(copy);
        }

        @Override
        public String toString() {
            return "JsonObject[" + members.size() + " members]";
        }

        /** Builds an object member by member. Not safe for use by several threads. */
        public static final class Builder {
            private final Members.Building members;

            private Builder(Members.Building members) {
                this.members = members;
            }

            /**
             * Sets a member: in its old place if it is there, else at the end.
             *
             * @param name the member's name
             * @param value its value
             * @return this builder
             */
            public Builder with(String name, JsonValue value) {
                members.put(name, value);
                return this;
            }

            /**
             * {@return whether there is a member of that name}
             *
             * @param name the member's name
             */
            public boolean has(String name) {
                return members.contains(name);
            }

            /** {@return the object; what is set later does not change it} */
            public JsonObject build() {
                return members.size() == 0 ? EMPTY : new JsonObject(members.finish());
            }
        }
    }

    /**
     * An array.
     *
     * @param elements its elements, in order; later changes of the argument have no effect
     */
    record JsonArray(List<JsonValue> elements) implements JsonValue {
        /** Copies the elements. */
        public JsonArray {
            elements = List.copyOf(elements);
        }

        /**
         * {@return an array of these elements}
         *
         * @param elements the elements, in order
         */
        public static JsonArray of(JsonValue... elements) {
            return new JsonArray(List.of(elements));
        }

        /**
         * {@return this array with one more element}
         *
         * @param element the last element
         */
        public JsonArray plus(JsonValue element) {
            var copy = new ArrayList<JsonValue>(elements.size() + 1);
            copy.addAll(elements);
            copy.add(element);
            return new JsonArray(copy);
        }

        @Override
        public String toString() {
            return "JsonArray[" + elements.size() + " elements]";
        }
    }

    /**
     * A string.
     *
     * @param text its characters, unescaped
     */
    record JsonString(String text) implements JsonValue {
        @Override
        public String toString() {
            return "JsonString[" + text.length() + " characters]";
        }
    }

    /**
     * A number, kept as it was written.
     *
     * @param text its text by the grammar of RFC 8259, section 6
     */
    record JsonNumber(String text) implements JsonValue {
        /** So many digits are within the range of a long. */
        private static final int SHORT = 18;

        /** Refuses text that is no JSON number. */
        public JsonNumber {
            if (!JsonNumbers.isNumber(text)) {
                throw new IllegalArgumentException("text: not a JSON number (expected: RFC 8259, section 6)");
            }
        }

        /**
         * {@return the exact value}
         *
         * @throws ArithmeticException if the exponent is beyond what a {@link BigDecimal} holds
         */
        public BigDecimal decimal() {
            try {
                return new BigDecimal(text);
            } catch (NumberFormatException e) {
                throw new ArithmeticException("exponent out of range");
            }
        }

        /** {@return the value if it is a whole number within the range of a long, else empty} */
        public OptionalLong exactLong() {
            if (text.length() <= SHORT && JsonNumbers.isInteger(text)) {
                return OptionalLong.of(Long.parseLong(text));
            }
            try {
                return OptionalLong.of(decimal().longValueExact());
            } catch (ArithmeticException e) {
                return OptionalLong.empty();
            }
        }

        @Override
        public String toString() {
            return "JsonNumber[" + text.length() + " characters]";
        }
    }

    /**
     * A boolean.
     *
     * @param value its value
     */
    record JsonBoolean(boolean value) implements JsonValue {
        @Override
        public String toString() {
            return "JsonBoolean";
        }
    }

    /** The literal {@code null}. */
    enum JsonNull implements JsonValue {
        /** The only instance. */
        NULL
    }

    /**
     * {@return an object of these members}
     *
     * @param members names and values, in order
     */
    static JsonObject object(Map<String, ? extends JsonValue> members) {
        JsonObject.Builder builder = JsonObject.builder();
        members.forEach(builder::with);
        return builder.build();
    }
}
