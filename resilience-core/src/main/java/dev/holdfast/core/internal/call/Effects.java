package dev.holdfast.core.internal.call;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;

/** Whether executing a request twice does more than cost twice: hosted or MCP tools act, {@code store} and {@code background} leave something behind. */
final class Effects {
    private Effects() {}

    static boolean of(ModelRequest request) {
        JsonObject document = request.document();
        return isTrue(document, "store")
                || isTrue(document, "background")
                || document.list("tools").stream().anyMatch(Effects::runsAtTheProvider);
    }

    private static boolean isTrue(JsonObject document, String name) {
        return document.get(name).map(JsonValue::isTrue).orElse(false);
    }

    private static boolean runsAtTheProvider(JsonValue tool) {
        return tool.asObject()
                .flatMap(object -> object.text("type"))
                .filter(type -> !type.equals("function") && !type.equals("custom"))
                .isPresent();
    }
}
