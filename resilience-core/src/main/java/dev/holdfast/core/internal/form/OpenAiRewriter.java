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

/** Writes what was read from OpenAI's chat completions as it was. */
final class OpenAiRewriter {
    private OpenAiRewriter() {}

    static JsonObject write(Conversation conversation) {
        JsonObject.Builder document = JsonObject.builder()
                .with("model", JsonValue.of(conversation.model()))
                .with(
                        "messages",
                        new JsonArray(conversation.turns().stream()
                                .map(OpenAiRewriter::message)
                                .toList()));
        if (!conversation.tools().isEmpty()) {
            document.with(
                    "tools",
                    new JsonArray(conversation.tools().stream()
                            .map(OpenAiRewriter::tool)
                            .toList()));
        }
        conversation.toolChoice().ifPresent(choice -> document.with("tool_choice", choice.said()));
        conversation.parallelCalls().ifPresent(flag -> document.with("parallel_tool_calls", flag.value()));
        conversation.format().ifPresent(format -> document.with("response_format", format(format)));
        conversation.thinking().ifPresent(thinking -> thinking.said().forEach(document::with));
        conversation.settings().forEach((setting, value) -> write(setting, value, document));
        return Merge.into(document.build(), conversation.origin().rest());
    }

    private static void write(Setting setting, Placed value, JsonObject.Builder document) {
        if (setting == Setting.STREAM_USAGE) {
            document.with("stream_options", JsonObject.of("include_usage", value.value()));
        } else {
            document.with(value.place().name(), value.value());
        }
    }

    private static JsonValue tool(Tool tool) {
        return switch (tool) {
            case ForeignTool foreign -> foreign.value();
            case FunctionTool function -> {
                JsonObject.Builder named = JsonObject.builder().with("name", JsonValue.of(function.name()));
                function.description().ifPresent(text -> named.with("description", JsonValue.of(text)));
                function.schema().ifPresent(schema -> named.with("parameters", schema));
                function.strict().ifPresent(flag -> named.with("strict", JsonValue.of(flag)));
                yield complete(
                        JsonObject.builder()
                                .with("type", JsonValue.of("function"))
                                .with("function", named.build()),
                        function.origin());
            }
        };
    }

    private static JsonObject format(OutputFormat format) {
        JsonObject.Builder written = JsonObject.builder();
        boolean named = format.name().isPresent() || format.schema().isPresent();
        written.with("type", JsonValue.of(!format.json() ? "text" : named ? "json_schema" : "json_object"));
        if (named) {
            JsonObject.Builder inner = JsonObject.builder();
            format.name().ifPresent(name -> inner.with("name", JsonValue.of(name)));
            format.description().ifPresent(text -> inner.with("description", JsonValue.of(text)));
            format.schema().ifPresent(schema -> inner.with("schema", schema));
            format.strict().ifPresent(flag -> inner.with("strict", JsonValue.of(flag)));
            written.with("json_schema", inner.build());
        }
        return Merge.into(written.build(), format.origin().rest());
    }

    private static JsonObject complete(JsonObject.Builder written, Origin origin) {
        origin.cacheControl().ifPresent(hint -> written.with("cache_control", hint));
        return Merge.into(written.build(), origin.rest());
    }

    private static JsonValue message(Turn turn) {
        JsonObject.Builder message = JsonObject.builder().with("role", JsonValue.of(turn.said()));
        turn.name().ifPresent(name -> message.with("name", JsonValue.of(name)));
        if (!turn.parts().isEmpty() && turn.parts().getFirst() instanceof ToolResult result) {
            return result(result, message);
        }
        var content = new ArrayList<Part>();
        var calls = new ArrayList<JsonValue>();
        for (Part part : turn.parts()) {
            switch (part) {
                case ToolUse use when use.id().isEmpty() -> message.with("function_call", function(use));
                case ToolUse use -> calls.add(call(use));
                case Reasoning thought -> thought.origin().rest().members().forEach(message::with);
                case Refusal refusal
                when refusal.origin().place().name().equals("refusal") ->
                    message.with("refusal", JsonValue.of(refusal.text()));
                default -> content.add(part);
            }
        }
        if (!content.isEmpty()) {
            message.with("content", content(content, turn.plain()));
        }
        if (!calls.isEmpty()) {
            message.with("tool_calls", new JsonArray(calls));
        }
        return complete(message, turn.origin());
    }

    private static JsonObject result(ToolResult result, JsonObject.Builder message) {
        if (!result.callId().isEmpty()) {
            message.with("tool_call_id", JsonValue.of(result.callId()));
        }
        result.name().ifPresent(name -> message.with("name", JsonValue.of(name)));
        if (!result.content().isEmpty()) {
            message.with("content", content(result.content(), result.plain()));
        }
        return complete(message, result.origin());
    }

    private static JsonObject function(ToolUse use) {
        return JsonObject.builder()
                .with("name", JsonValue.of(use.name()))
                .with(
                        use.arguments().isWords() ? "input" : "arguments",
                        JsonValue.of(use.arguments().text()))
                .build();
    }

    private static JsonValue call(ToolUse use) {
        String type = use.arguments().isWords() ? "custom" : "function";
        JsonObject.Builder call = JsonObject.builder()
                .with("id", JsonValue.of(use.id()))
                .with("type", JsonValue.of(type))
                .with(type, function(use));
        use.origin().signature().ifPresent(signature -> {
            JsonObject signed = JsonObject.of("thought_signature", JsonValue.of(signature.value()));
            call.with("extra_content", JsonObject.of("google", signed));
        });
        return complete(call, use.origin());
    }

    private static JsonValue content(List<Part> parts, boolean plain) {
        return plain && parts.getFirst() instanceof Text text
                ? JsonValue.of(text.text())
                : new JsonArray(parts.stream().map(OpenAiRewriter::part).toList());
    }

    private static JsonValue part(Part part) {
        return switch (part) {
            case Text text -> complete(OpenAiParts.text(text.text()).toBuilder(), text.origin());
            case Refusal refusal ->
                complete(
                        JsonObject.builder()
                                .with("type", JsonValue.of("refusal"))
                                .with("refusal", JsonValue.of(refusal.text())),
                        refusal.origin());
            case Media media -> media(media);
            case Foreign foreign -> foreign.value();
            default -> throw new IllegalStateException("no part of a message's content");
        };
    }

    private static JsonObject media(Media media) {
        JsonObject.Builder inner = JsonObject.builder();
        String type =
                switch (media.kind()) {
                    case IMAGE -> "image_url";
                    case AUDIO -> "input_audio";
                    case DOCUMENT, VIDEO -> "file";
                };
        switch (media.source()) {
            case Media.Inline(String mime, String data)
            when media.kind() == Media.Kind.AUDIO ->
                inner.with("data", JsonValue.of(data)).with("format", JsonValue.of(mime.substring("audio/".length())));
            case Media.Inline inline ->
                inner.with(
                        media.kind() == Media.Kind.IMAGE ? "url" : "file_data",
                        JsonValue.of(OpenAiParts.dataUrl(inline)));
            case Media.Remote(String url, var mime) ->
                inner.with(media.kind() == Media.Kind.IMAGE ? "url" : "file_data", JsonValue.of(url));
            case Media.Uploaded(String id) -> inner.with("file_id", JsonValue.of(id));
            case Media.Plain(String text) -> inner.with("file_data", JsonValue.of(text));
        }
        media.name().ifPresent(name -> inner.with("filename", JsonValue.of(name)));
        media.detail().ifPresent(detail -> inner.with("detail", JsonValue.of(detail)));
        return complete(
                JsonObject.builder().with("type", JsonValue.of(type)).with(type, inner.build()), media.origin());
    }
}
