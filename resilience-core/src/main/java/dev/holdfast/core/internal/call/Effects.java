package dev.holdfast.core.internal.call;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import java.util.List;
import java.util.Set;

/**
 * Whether executing a request twice does more than cost twice: hosted or MCP tools act, {@code store} and {@code background} leave
 * something behind.
 */
final class Effects {
    /** Anthropic's own tools that the caller runs, by the beginnings of their dated types (docs.claude.com, "Tool use"). */
    private static final List<String> RUN_BY_THE_CALLER = List.of("bash_", "text_editor_", "computer_", "memory_");

    /** All that a tool of Gemini has if the caller runs it; each other member is a tool of Google's own. */
    private static final Set<String> DECLARED = Set.of("functionDeclarations", "function_declarations");

    private Effects() {}

    static boolean of(ModelRequest request) {
        JsonObject document = request.document();
        if (isTrue(document, "store")
                || isTrue(document, "background")
                || !document.list("mcp_servers").isEmpty()) {
            return true;
        }
        for (JsonValue tool : document.list("tools")) {
            if (tool.asObject()
                    .filter(each -> runsAtTheProvider(each, request.form()))
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isTrue(JsonObject document, String name) {
        JsonValue value = document.members().get(name);
        return value != null && value.isTrue();
    }

    private static boolean runsAtTheProvider(JsonObject tool, Form form) {
        return switch (form) {
            case GEMINI_CONTENT -> !DECLARED.containsAll(tool.members().keySet());
            case ANTHROPIC_MESSAGES ->
                isHosted(tool)
                        && RUN_BY_THE_CALLER.stream()
                                .noneMatch(tool.text("type").orElse("")::startsWith);
            case OPENAI_CHAT, OPAQUE -> isHosted(tool);
        };
    }

    private static boolean isHosted(JsonObject tool) {
        return tool.text("type")
                .filter(type -> !type.equals("function") && !type.equals("custom"))
                .isPresent();
    }
}
