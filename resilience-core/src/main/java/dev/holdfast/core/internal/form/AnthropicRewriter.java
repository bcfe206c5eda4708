package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Conversation.ForeignTool;
import dev.holdfast.core.internal.form.Conversation.FunctionTool;
import dev.holdfast.core.internal.form.Conversation.OutputFormat;
import dev.holdfast.core.internal.form.Conversation.Placed;
import dev.holdfast.core.internal.form.Conversation.Setting;
import dev.holdfast.core.internal.form.Conversation.Tool;
import dev.holdfast.core.internal.form.Conversation.Turn;
import dev.holdfast.core.internal.form.Part.Foreign;
import dev.holdfast.core.internal.form.Part.Media;
import dev.holdfast.core.internal.form.Part.Reasoning;
import dev.holdfast.core.internal.form.Part.Refusal;
import dev.holdfast.core.internal.form.Part.Text;
import dev.holdfast.core.internal.form.Part.ToolResult;
import dev.holdfast.core.internal.form.Part.ToolUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes what was read from Anthropic's Messages as it was. */
final class AnthropicRewriter {
    private static final Map<Setting, String> NAMES = Map.of(
            Setting.MAX_TOKENS, "max_tokens",
            Setting.TEMPERATURE, "temperature",
            Setting.TOP_P, "top_p",
            Setting.TOP_K, "top_k",
            Setting.STOP, "stop_sequences",
            Setting.STREAM, "stream",
            Setting.SERVICE_TIER, "service_tier");

    private AnthropicRewriter() {}

    static JsonObject write(Conversation conversation) {
        JsonObject.Builder document = JsonObject.builder().with("model", JsonValue.of(conversation.model()));
        var messages = new ArrayList<JsonValue>();
        for (Turn turn : conversation.turns()) {
            if (turn.said().isEmpty()) {
                document.with("system", content(turn.parts(), turn.plain()));
            } else {
                JsonObject message = JsonObject.builder()
                        .with("role", JsonValue.of(turn.said()))
                        .with("content", content(turn.parts(), turn.plain()))
                        .build();
                messages.add(Merge.into(message, turn.origin().rest()));
            }
        }
        document.with("messages", new JsonArray(messages));
        if (!conversation.tools().isEmpty()) {
            document.with(
                    "tools",
                    new JsonArray(conversation.tools().stream()
                            .map(AnthropicRewriter::tool)
                            .toList()));
        }
        conversation.toolChoice().ifPresent(choice -> document.with("tool_choice", choice.said()));
        JsonObject.Builder config = JsonObject.builder();
        conversation.thinking().ifPresent(thinking -> {
            JsonValue said = thinking.said().get("thinking");
            if (said != null) {
                document.with("thinking", said);
            }
            JsonValue effort = thinking.said().get("effort");
            if (effort != null) {
                config.with("effort", effort);
            }
        });
        conversation.format().ifPresent(format -> {
            boolean before = format.origin().place().name().equals("output_format");
            (before ? document : config).with(before ? "output_format" : "format", format(format));
        });
        JsonObject output = config.build();
        if (!output.members().isEmpty()) {
            document.with("output_config", output);
        }
        conversation.settings().forEach((setting, value) -> write(setting, value, document));
        return Merge.into(document.build(), conversation.origin().rest());
    }

    private static void write(Setting setting, Placed value, JsonObject.Builder document) {
        if (setting == Setting.USER) {
            document.with("metadata", JsonObject.of("user_id", value.value()));
        } else {
            document.with(NAMES.getOrDefault(setting, setting.name()), value.value());
        }
    }

    private static JsonObject format(OutputFormat format) {
        JsonObject written = JsonObject.builder()
                .with("type", JsonValue.of("json_schema"))
                .with("schema", format.schema().orElseThrow())
                .build();
        return Merge.into(written, format.origin().rest());
    }

    private static JsonValue tool(Tool tool) {
        return switch (tool) {
            case ForeignTool foreign -> foreign.value();
            case FunctionTool function -> {
                JsonObject.Builder written = JsonObject.builder().with("name", JsonValue.of(function.name()));
                function.description().ifPresent(text -> written.with("description", JsonValue.of(text)));
                function.schema().ifPresent(schema -> written.with("input_schema", schema));
                function.strict().ifPresent(flag -> written.with("strict", JsonValue.of(flag)));
                yield complete(written, function.origin());
            }
        };
    }

    private static JsonObject complete(JsonObject.Builder written, Origin origin) {
        origin.cacheControl().ifPresent(hint -> written.with("cache_control", hint));
        return Merge.into(written.build(), origin.rest());
    }

    private static JsonValue content(List<Part> parts, boolean plain) {
        return plain && parts.getFirst() instanceof Text text
                ? JsonValue.of(text.text())
                : new JsonArray(parts.stream().map(AnthropicRewriter::block).toList());
    }

    private static JsonValue block(Part part) {
        JsonObject.Builder block = JsonObject.builder();
        switch (part) {
            case Text text -> block.with("type", JsonValue.of("text")).with("text", JsonValue.of(text.text()));
            case Refusal refusal -> block.with("type", JsonValue.of("text")).with("text", JsonValue.of(refusal.text()));
            case Media media -> {
                boolean image = media.kind() == Media.Kind.IMAGE;
                block.with("type", JsonValue.of(image ? "image" : "document")).with("source", source(media.source()));
                media.name().ifPresent(name -> block.with("title", JsonValue.of(name)));
            }
            case ToolUse use ->
                block.with("type", JsonValue.of("tool_use"))
                        .with("id", JsonValue.of(use.id()))
                        .with("name", JsonValue.of(use.name()))
                        .with("input", use.arguments().object().orElse(JsonObject.empty()));
            case ToolResult result -> {
                block.with("type", JsonValue.of("tool_result")).with("tool_use_id", JsonValue.of(result.callId()));
                if (result.plain() || !result.content().isEmpty()) {
                    block.with("content", content(result.content(), result.plain()));
                }
                result.failed().ifPresent(flag -> block.with("is_error", JsonValue.of(flag)));
            }
            case Reasoning thought -> thought(thought, block);
            case Foreign foreign -> {
                return foreign.value();
            }
        }
        return complete(block, part.origin());
    }

    private static void thought(Reasoning thought, JsonObject.Builder block) {
        if (thought.hidden().isPresent()) {
            block.with("type", JsonValue.of("redacted_thinking"))
                    .with("data", JsonValue.of(thought.hidden().get().value()));
            return;
        }
        block.with("type", JsonValue.of("thinking")).with("thinking", JsonValue.of(thought.text()));
        thought.origin().signature().ifPresent(signature -> block.with("signature", JsonValue.of(signature.value())));
    }

    private static JsonObject source(Media.Source source) {
        return switch (source) {
            case Media.Inline(String type, String data) ->
                JsonObject.builder()
                        .with("type", JsonValue.of("base64"))
                        .with("media_type", JsonValue.of(type))
                        .with("data", JsonValue.of(data))
                        .build();
            case Media.Remote(String url, var type) ->
                JsonObject.builder()
                        .with("type", JsonValue.of("url"))
                        .with("url", JsonValue.of(url))
                        .build();
            case Media.Plain(String text) ->
                JsonObject.builder()
                        .with("type", JsonValue.of("text"))
                        .with("media_type", JsonValue.of("text/plain"))
                        .with("data", JsonValue.of(text))
                        .build();
            case Media.Uploaded(String id) ->
                JsonObject.builder()
                        .with("type", JsonValue.of("file"))
                        .with("file_id", JsonValue.of(id))
                        .build();
        };
    }
}
