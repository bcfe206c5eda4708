package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.spi.DialectException;
import java.util.List;

/** Checks what a client sent to a server of ours, as far as a wrong document would fail everywhere. */
final class OpenAiRequests {
    private static final List<String> COUNTS = List.of("n", "max_tokens", "max_completion_tokens");

    private OpenAiRequests() {}

    static void check(JsonObject document) throws DialectException {
        Documents.model(document);
        List<JsonValue> messages = Documents.some(document, "messages", "messages");
        for (int i = 0; i < messages.size(); i++) {
            checkMessage("/messages/" + i, messages.get(i));
        }
        Documents.checkFlag(document, "stream");
        for (String name : COUNTS) {
            Documents.checkCount(document, name);
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
}
