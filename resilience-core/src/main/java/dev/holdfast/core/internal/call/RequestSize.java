package dev.holdfast.core.internal.call;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.ModelRequest;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** About how many bytes of the heap a request holds: two for each character, and some for each value. */
final class RequestSize {
    private static final long PER_VALUE = 32;

    private RequestSize() {}

    static long of(ModelRequest request) {
        return of(request.document());
    }

    private static long of(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> PER_VALUE + 2L * text.length();
            case JsonArray(var elements) -> ofElements(elements);
            case JsonObject(var members) -> ofMembers(members);
            default -> PER_VALUE;
        };
    }

    private static long ofElements(List<JsonValue> elements) {
        long size = PER_VALUE;
        for (JsonValue element : elements) {
            size += of(element);
        }
        return size;
    }

    private static long ofMembers(Map<String, JsonValue> members) {
        var sum = new Sum();
        members.forEach(sum);
        return sum.size;
    }

    private static final class Sum implements BiConsumer<String, JsonValue> {
        private long size = PER_VALUE;

        @Override
        public void accept(String name, JsonValue value) {
            size += 2L * name.length() + of(value);
        }
    }
}
