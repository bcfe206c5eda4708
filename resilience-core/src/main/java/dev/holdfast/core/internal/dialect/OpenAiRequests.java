package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonBoolean;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.spi.DialectException;
import java.util.List;

/** Checks what a client sent to a server of ours, as far as a wrong document would fail everywhere. */
final class OpenAiRequests {
    private static final List<String> COUNTS = List.of("n", "max_tokens", "max_completion_tokens");

    private OpenAiRequests() {}

    static String model(JsonObject document) throws DialectException {
        return document.text("model")
                .filter(model -> !model.isBlank())
                .orElseThrow(() -> new DialectException("/model: missing (expected: a string)"));
    }

    static void check(JsonObject document) throws DialectException {
        model(document);
        List<JsonValue> messages = document.list("messages");
        if (messages.isEmpty()) {
            throw new DialectException("/messages: missing or empty (expected: an array of messages)");
        }
        for (int i = 0; i < messages.size(); i++) {
            checkMessage("/messages/" + i, messages.get(i));
        }
        checkFlag(document, "stream");
        for (String name : COUNTS) {
            checkCount(document, name);
        }
    }

    private static void checkMessage(String pointer, JsonValue value) throws DialectException {
        if (!(value instanceof JsonObject message)) {
            throw new DialectException(pointer + ": no object (expected: a message)");
        }
        if (message.text("role").filter(role -> !role.isBlank()).isEmpty()) {
            throw new DialectException(pointer + "/role: missing (expected: a string)");
        }
        JsonValue content = message.members().get("content");
        boolean readable =
                content == null || content.isNull() || content instanceof JsonString || content instanceof JsonArray;
        if (!readable) {
            throw new DialectException(pointer + "/content: neither text nor parts (expected: a string or an array)");
        }
    }

    private static void checkFlag(JsonObject document, String name) throws DialectException {
        JsonValue value = document.members().get(name);
        if (value != null && !value.isNull() && !(value instanceof JsonBoolean)) {
            throw new DialectException("/" + name + ": no boolean (expected: true or false)");
        }
    }

    private static void checkCount(JsonObject document, String name) throws DialectException {
        JsonValue value = document.members().get(name);
        boolean wrong = value != null
                && !value.isNull()
                && !(value instanceof JsonNumber number && number.asLong().orElse(0) >= 1);
        if (wrong) {
            throw new DialectException("/" + name + ": no positive whole number (expected: >= 1)");
        }
    }
}
