package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.spi.DialectException;
import java.util.List;
import java.util.Set;

/** Checks what a client of Anthropic sent to a server of ours, as far as a wrong document would fail everywhere. */
final class AnthropicRequests {
    private static final Set<String> ROLES = Set.of("user", "assistant", "system");

    private AnthropicRequests() {}

    static void check(JsonObject document) throws DialectException {
        Documents.model(document);
        if (document.get("max_tokens").filter(value -> !value.isNull()).isEmpty()) {
            throw new DialectException("/max_tokens: missing (expected: a whole number >= 1)");
        }
        Documents.checkCount(document, "max_tokens");
        Documents.checkFlag(document, "stream");
        List<JsonValue> messages = Documents.some(document, "messages", "messages");
        for (int i = 0; i < messages.size(); i++) {
            checkMessage("/messages/" + i, messages.get(i));
        }
    }

    private static void checkMessage(String pointer, JsonValue value) throws DialectException {
        if (!(value instanceof JsonObject message)) {
            throw new DialectException(pointer + ": no object (expected: a message)");
        }
        if (message.text("role").filter(ROLES::contains).isEmpty()) {
            throw new DialectException(pointer + "/role: missing or unknown (expected: user or assistant)");
        }
        JsonValue content = message.members().get("content");
        if (!(content instanceof JsonString || content instanceof JsonArray)) {
            throw new DialectException(pointer + "/content: neither text nor blocks (expected: a string or an array)");
        }
        List<JsonValue> blocks = content.asList();
        for (int i = 0; i < blocks.size(); i++) {
            if (blocks.get(i).asObject().flatMap(block -> block.text("type")).isEmpty()) {
                throw new DialectException(pointer + "/content/" + i + "/type: missing (expected: a string)");
            }
        }
    }
}
