package dev.holdfast.gateway.internal.http;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;

/**
 * An answer with a whole body.
 *
 * @param status the status
 * @param headers the header fields, but those of the connection and the length
 * @param body the body
 */
public record HttpAnswer(int status, Headers headers, Bytes body) {
    /**
     * {@return an answer in JSON}
     *
     * @param status the status
     * @param document the document
     */
    public static HttpAnswer json(int status, JsonValue document) {
        return new HttpAnswer(status, Headers.of("Content-Type", "application/json"), Bytes.utf8(document.toJson()));
    }

    /**
     * {@return this answer with one more header field}
     *
     * @param name the name
     * @param value the value
     */
    public HttpAnswer with(String name, String value) {
        return new HttpAnswer(status, headers.with(name, value), body);
    }

    /**
     * {@return this answer with more header fields}
     *
     * @param more the fields
     */
    public HttpAnswer with(Headers more) {
        Headers all = headers;
        for (var field : more.fields()) {
            all = all.with(field.getKey(), field.getValue());
        }
        return new HttpAnswer(status, all, body);
    }
}
