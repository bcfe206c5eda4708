package dev.holdfast.simulation;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.JsonText;
import dev.holdfast.core.JsonTextException;
import java.util.Optional;

/**
 * A request as the provider received it.
 *
 * @param number which one it is, from 1, in the order of arrival at this provider
 * @param method the method: {@code "POST"}
 * @param path the path and, if there is one, the query
 * @param headers the header fields in the order they came
 * @param body the body, its transfer coding undone; empty for none
 */
public record ProviderRequest(int number, String method, String path, Headers headers, Bytes body) {
    /** Refuses a number below 1. */
    public ProviderRequest {
        if (number < 1) {
            throw new IllegalArgumentException("number: " + number + " (expected: >= 1)");
        }
    }

    /** {@return the body if it is a JSON object, else empty} */
    public Optional<JsonObject> json() {
        try {
            return JsonText.parse(body).asObject();
        } catch (JsonTextException e) {
            return Optional.empty();
        }
    }

    /** {@return whether the request asks for a stream: by {@code "stream": true}, or by Gemini's {@code :streamGenerateContent}} */
    public boolean asksForStream() {
        return path.contains(":streamGenerateContent")
                || json().flatMap(document -> document.get("stream"))
                        .map(JsonValue::isTrue)
                        .orElse(false);
    }
}
