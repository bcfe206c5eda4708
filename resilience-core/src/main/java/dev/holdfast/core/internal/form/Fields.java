package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonBoolean;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.core.internal.form.Conversation.Placed;
import dev.holdfast.spi.DialectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads an object member by member and remembers which it has read, so that nothing is overlooked. A member that is
 * {@code null} counts as absent and as unread. What is not of the kind asked for is refused with its place, never quoted. Used
 * by one thread.
 */
final class Fields {
    private final JsonObject object;
    private final Place place;
    /** Whether members may be spelled with underscores too, as protocol buffers in JSON may. */
    private final boolean twoSpellings;

    private final List<String> read = new ArrayList<>(8);

    private Fields(JsonObject object, Place place, boolean twoSpellings) {
        this.object = object;
        this.place = place;
        this.twoSpellings = twoSpellings && hasUnderscore(object);
    }

    private static boolean hasUnderscore(JsonObject object) {
        return object.members().keySet().stream().anyMatch(name -> name.indexOf('_') > 0);
    }

    /** Reads an object whose members may be spelled with underscores too. */
    static Fields proto(JsonValue value, Place place, String expected) throws DialectException {
        return new Fields(object(value, place, expected), place, true);
    }

    private String spelled(String name) {
        if (!twoSpellings || object.members().containsKey(name)) {
            return name;
        }
        var snake = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c)) {
                snake.append('_').append(Character.toLowerCase(c));
            } else {
                snake.append(c);
            }
        }
        return object.members().containsKey(snake.toString()) ? snake.toString() : name;
    }

    static Fields of(JsonObject object, Place place) {
        return new Fields(object, place, false);
    }

    static Fields of(JsonValue value, Place place, String expected) throws DialectException {
        return new Fields(object(value, place, expected), place, false);
    }

    static JsonObject object(JsonValue value, Place place, String expected) throws DialectException {
        if (value instanceof JsonObject object) {
            return object;
        }
        throw wrong(place, "no object", expected);
    }

    static List<JsonValue> array(JsonValue value, Place place, String expected) throws DialectException {
        if (value instanceof JsonArray(List<JsonValue> elements)) {
            return elements;
        }
        throw wrong(place, "no array", expected);
    }

    static String text(JsonValue value, Place place, String expected) throws DialectException {
        if (value instanceof JsonString(String text)) {
            return text;
        }
        throw wrong(place, "no text", expected);
    }

    static DialectException wrong(Place place, String what, String expected) {
        String pointer = place.toString();
        return new DialectException(
                (pointer.isEmpty() ? "/" : pointer) + ": " + what + " (expected: " + expected + ")");
    }

    Place place() {
        return place;
    }

    Place place(String name) {
        return place.member(spelled(name));
    }

    JsonObject object() {
        return object;
    }

    boolean has(String name) {
        JsonValue value = object.members().get(spelled(name));
        return value != null && !value.isNull();
    }

    /** The member, if it is there and not null. */
    @Nullable
    JsonValue take(String name) {
        String key = spelled(name);
        JsonValue value = object.members().get(key);
        if (value == null || value.isNull()) {
            return null;
        }
        read.add(key);
        return value;
    }

    Optional<String> text(String name) throws DialectException {
        JsonValue value = take(name);
        return value == null ? Optional.empty() : Optional.of(text(value, place(name), "a string"));
    }

    String neededText(String name, String expected) throws DialectException {
        JsonValue value = take(name);
        if (value == null) {
            throw wrong(place(name), "missing", expected);
        }
        return text(value, place(name), expected);
    }

    Optional<Boolean> flag(String name) throws DialectException {
        JsonValue value = take(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof JsonBoolean(boolean flag)) {
            return Optional.of(flag);
        }
        throw wrong(place(name), "no boolean", "true or false");
    }

    @Nullable
    JsonNumber number(String name) throws DialectException {
        JsonValue value = take(name);
        if (value == null) {
            return null;
        }
        if (value instanceof JsonNumber number) {
            return number;
        }
        throw wrong(place(name), "no number", "a number");
    }

    @Nullable
    JsonNumber count(String name, long least) throws DialectException {
        JsonNumber number = number(name);
        if (number != null && number.asLong().orElse(Long.MIN_VALUE) < least) {
            throw wrong(place(name), "no whole number from " + least, ">= " + least);
        }
        return number;
    }

    List<JsonValue> list(String name, String expected) throws DialectException {
        JsonValue value = take(name);
        return value == null ? List.of() : array(value, place(name), expected);
    }

    List<JsonValue> neededList(String name, String expected) throws DialectException {
        JsonValue value = take(name);
        if (value == null) {
            throw wrong(place(name), "missing", expected);
        }
        List<JsonValue> elements = array(value, place(name), expected);
        if (elements.isEmpty()) {
            throw wrong(place(name), "empty", expected);
        }
        return elements;
    }

    @Nullable
    Fields inner(String name, String expected) throws DialectException {
        JsonValue value = take(name);
        return value == null ? null : new Fields(object(value, place(name), expected), place(name), twoSpellings);
    }

    /** The object at a member, whose own members may be spelled with underscores too. */
    @Nullable
    Fields innerProto(String name) throws DialectException {
        JsonValue value = take(name);
        return value == null ? null : proto(value, place(name), "an object");
    }

    Fields neededInner(String name, String expected) throws DialectException {
        Fields inner = inner(name, expected);
        if (inner == null) {
            throw wrong(place(name), "missing", expected);
        }
        return inner;
    }

    void set(Conversation.Builder into, Conversation.Setting setting, String name, @Nullable JsonValue value) {
        if (value != null) {
            into.settings.put(setting, new Placed(value, place(name)));
        }
    }

    /** A value that was taken, with its place. */
    Optional<Placed> placed(String name, @Nullable JsonValue value) {
        return value == null ? Optional.empty() : Optional.of(new Placed(value, place(name)));
    }

    Optional<Placed> placedText(String name) throws DialectException {
        Optional<String> text = text(name);
        return text.map(word -> new Placed(JsonValue.of(word), place(name)));
    }

    /** What nobody has read. */
    JsonObject rest() {
        if (read.size() == object.members().size()) {
            return JsonObject.empty();
        }
        JsonObject.Builder rest = JsonObject.builder();
        object.members().forEach((name, value) -> {
            if (!read.contains(name)) {
                rest.with(name, value);
            }
        });
        return rest.build();
    }

    /** What nobody has read, at this object's place. */
    Origin origin() {
        return Origin.of(place, rest());
    }

    /** What nobody has read, with the hint where the prompt cache may end. */
    Origin hintedOrigin() {
        Optional<JsonValue> hint = Optional.ofNullable(take("cache_control"));
        return new Origin(place, rest(), hint, Optional.empty());
    }
}
