package dev.holdfast.core.internal.dialect;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.Other;
import java.util.ArrayList;
import java.util.List;

/**
 * A whole answer of Anthropic's or Gemini's as the events of its own form, so that signatures and citations survive when it is
 * replayed as a stream to a client of that form.
 */
public final class OwnEvents {
    private OwnEvents() {}

    /** {@return the events in order, each as {@link Other}; empty for answers whose events say all} */
    public static List<StreamEvent> of(ModelAnswer answer) {
        if (answer.form() == Form.GEMINI_CONTENT
                && !answer.document().list("candidates").isEmpty()) {
            return List.of(new Other(answer.document()));
        }
        boolean message = answer.form() == Form.ANTHROPIC_MESSAGES
                && answer.document().get("content").isPresent();
        return message ? ofMessage(answer.document()) : List.of();
    }

    private static List<StreamEvent> ofMessage(JsonObject message) {
        var events = new ArrayList<StreamEvent>();
        JsonObject begun = message.with("content", JsonArray.of())
                .with("stop_reason", JsonNull.NULL)
                .with("stop_sequence", JsonNull.NULL);
        events.add(event("message_start").with("message", begun).toOther());
        List<JsonValue> blocks = message.list("content");
        for (int i = 0; i < blocks.size(); i++) {
            addBlock(i, blocks.get(i).asObject().orElse(JsonObject.empty()), events);
        }
        JsonObject.Builder delta = JsonObject.builder();
        for (String name : List.of("stop_reason", "stop_sequence", "stop_details", "container")) {
            message.get(name).ifPresent(value -> delta.with(name, value));
        }
        Event end = event("message_delta").with("delta", delta.build());
        events.add(message.get("usage")
                .map(usage -> end.with("usage", usage))
                .orElse(end)
                .toOther());
        events.add(event("message_stop").toOther());
        return events;
    }

    /** Each block in one piece: its beginning without what deltas say, the deltas, the end. */
    private static void addBlock(int index, JsonObject block, List<StreamEvent> events) {
        var deltas = new ArrayList<JsonObject>();
        JsonObject begun = block;
        switch (block.text("type").orElse("")) {
            case "text" -> {
                begun = emptied(begun, "text", deltas, "text_delta", "text");
                for (JsonValue citation : block.list("citations")) {
                    begun = begun.with("citations", JsonArray.of());
                    deltas.add(delta("citations_delta", "citation", citation));
                }
            }
            case "thinking" -> {
                begun = emptied(begun, "thinking", deltas, "thinking_delta", "thinking");
                begun = emptied(begun, "signature", deltas, "signature_delta", "signature");
            }
            case "tool_use", "server_tool_use", "mcp_tool_use" -> {
                JsonValue input = block.get("input").orElse(JsonObject.empty());
                begun = begun.with("input", JsonObject.empty());
                deltas.add(delta("input_json_delta", "partial_json", JsonValue.of(input.toJson())));
            }
            default -> {
                // Other blocks come whole.
            }
        }
        JsonValue number = JsonValue.of(index);
        events.add(event("content_block_start")
                .with("index", number)
                .with("content_block", begun)
                .toOther());
        deltas.forEach(delta -> events.add(event("content_block_delta")
                .with("index", number)
                .with("delta", delta)
                .toOther()));
        events.add(event("content_block_stop").with("index", number).toOther());
    }

    private static JsonObject emptied(
            JsonObject block, String name, List<JsonObject> deltas, String type, String member) {
        if (block.text(name).filter(text -> !text.isEmpty()).isEmpty()) {
            return block;
        }
        deltas.add(delta(type, member, block.get(name).orElseThrow()));
        return block.with(name, JsonValue.of(""));
    }

    private static JsonObject delta(String type, String name, JsonValue value) {
        return JsonObject.of("type", JsonValue.of(type)).with(name, value);
    }

    private static Event event(String type) {
        return new Event(JsonObject.of("type", JsonValue.of(type)));
    }

    /** An event that is being made. */
    private record Event(JsonObject document) {
        Event with(String name, JsonValue value) {
            return new Event(document.with(name, value));
        }

        Other toOther() {
            return new Other(document);
        }
    }
}
