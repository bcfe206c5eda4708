package dev.holdfast.core.internal.call;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.ModelRequest;

/** About how many bytes of the heap a request holds: two for each character, and some for each value. */
final class RequestSize {
    private static final long PER_VALUE = 32;

    private RequestSize() {}

    static long of(ModelRequest request) {
        return of(request.document());
    }

    private static long of(JsonValue value) {
        return PER_VALUE
                + switch (value) {
                    case JsonString(String text) -> 2L * text.length();
                    case JsonArray(var elements) ->
                        elements.stream().mapToLong(RequestSize::of).sum();
                    case JsonObject(var members) ->
                        members.entrySet().stream()
                                .mapToLong(member -> 2L * member.getKey().length() + of(member.getValue()))
                                .sum();
                    default -> 0;
                };
    }
}
