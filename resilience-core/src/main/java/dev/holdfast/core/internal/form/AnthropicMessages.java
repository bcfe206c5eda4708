package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.core.internal.form.Conversation.Role;
import dev.holdfast.core.internal.form.Conversation.Turn;
import dev.holdfast.core.internal.form.Origin.Signature;
import dev.holdfast.core.internal.form.Part.Foreign;
import dev.holdfast.core.internal.form.Part.Media;
import dev.holdfast.core.internal.form.Part.Reasoning;
import dev.holdfast.core.internal.form.Part.Text;
import dev.holdfast.core.internal.form.Part.ToolResult;
import dev.holdfast.core.internal.form.Part.ToolUse;
import dev.holdfast.spi.DialectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads system prompt and messages of Anthropic's Messages. */
final class AnthropicMessages {
    private AnthropicMessages() {}

    static void read(Fields fields, Conversation.Builder into) throws DialectException {
        JsonValue system = fields.take("system");
        if (system != null) {
            Place place = fields.place("system");
            List<Part> parts = content(system, place);
            boolean plain = system instanceof JsonString;
            into.turns.add(new Turn(Role.SYSTEM, "", parts, plain, Optional.empty(), Origin.of(place)));
        }
        List<JsonValue> messages = fields.neededList("messages", "an array of messages");
        for (int i = 0; i < messages.size(); i++) {
            Place place = fields.place("messages").element(i);
            into.turns.add(turn(Fields.of(messages.get(i), place, "a message")));
        }
    }

    private static Turn turn(Fields message) throws DialectException {
        String said = message.neededText("role", "user or assistant");
        Role role =
                switch (said) {
                    case "user" -> Role.USER;
                    case "assistant" -> Role.ASSISTANT;
                    case "system" -> Role.SYSTEM;
                    default -> throw Fields.wrong(message.place("role"), "unknown", "user or assistant");
                };
        JsonValue content = message.take("content");
        if (content == null) {
            throw Fields.wrong(message.place("content"), "missing", "a string or an array of blocks");
        }
        List<Part> parts = content(content, message.place("content"));
        return new Turn(role, said, parts, content instanceof JsonString, Optional.empty(), message.origin());
    }

    private static List<Part> content(JsonValue content, Place place) throws DialectException {
        return switch (content) {
            case JsonString(String text) -> List.of(new Text(text, Origin.of(place)));
            case JsonArray(List<JsonValue> elements) -> {
                var parts = new ArrayList<Part>(elements.size());
                for (int i = 0; i < elements.size(); i++) {
                    parts.add(block(elements.get(i), place.element(i)));
                }
                yield parts;
            }
            default -> throw Fields.wrong(place, "neither text nor blocks", "a string or an array of blocks");
        };
    }

    private static Part block(JsonValue value, Place place) throws DialectException {
        Fields block = Fields.of(value, place, "a block");
        String type = block.neededText("type", "the kind of block");
        return switch (type) {
            case "text" -> new Text(block.neededText("text", "a string"), block.hintedOrigin());
            case "image" -> media(block, value, Media.Kind.IMAGE);
            case "document" -> media(block, value, Media.Kind.DOCUMENT);
            case "tool_use" -> toolUse(block);
            case "tool_result" -> toolResult(block);
            case "thinking" -> thinking(block);
            case "redacted_thinking" -> {
                String data = block.neededText("data", "a string");
                var hidden = new Signature(Vendor.ANTHROPIC, data);
                yield new Reasoning("", Optional.of(hidden), block.origin());
            }
            default -> new Foreign(value, Origin.of(place));
        };
    }

    private static Part media(Fields block, JsonValue value, Media.Kind kind) throws DialectException {
        Fields source = block.neededInner("source", "an object");
        String type = source.neededText("type", "base64, url, text or file");
        Optional<Media.Source> read =
                switch (type) {
                    case "base64" ->
                        Optional.of(new Media.Inline(
                                source.neededText("media_type", "a media type"),
                                source.neededText("data", "base64 text")));
                    case "url" ->
                        Optional.of(new Media.Remote(
                                source.neededText("url", "a URL"),
                                kind == Media.Kind.DOCUMENT ? Optional.of("application/pdf") : Optional.empty()));
                    case "file" -> Optional.of(new Media.Uploaded(source.neededText("file_id", "an id")));
                    case "text" -> Optional.of(plainText(source));
                    default -> Optional.empty();
                };
        if (read.isEmpty()) {
            return new Foreign(value, Origin.of(block.place()));
        }
        Optional<String> title = block.text("title");
        Origin origin = Merge.with(block.hintedOrigin(), "source", source.rest());
        return new Media(kind, read.get(), title, Optional.empty(), origin);
    }

    private static Media.Source plainText(Fields source) throws DialectException {
        Optional<String> type = source.text("media_type");
        if (!type.orElse("text/plain").equals("text/plain")) {
            throw Fields.wrong(source.place("media_type"), "unknown", "text/plain");
        }
        return new Media.Plain(source.neededText("data", "a string"));
    }

    private static ToolUse toolUse(Fields block) throws DialectException {
        String id = block.neededText("id", "a string");
        String name = block.neededText("name", "a string");
        JsonValue input = block.take("input");
        JsonObject arguments =
                input == null ? JsonObject.empty() : Fields.object(input, block.place("input"), "an object");
        return new ToolUse(id, name, Arguments.of(arguments), block.hintedOrigin());
    }

    private static ToolResult toolResult(Fields block) throws DialectException {
        String id = block.neededText("tool_use_id", "the id of a tool use");
        JsonValue content = block.take("content");
        List<Part> parts = content == null ? List.of() : content(content, block.place("content"));
        boolean plain = content instanceof JsonString;
        Optional<Boolean> failed = block.flag("is_error");
        return new ToolResult(id, Optional.empty(), parts, plain, Optional.empty(), failed, block.hintedOrigin());
    }

    private static Reasoning thinking(Fields block) throws DialectException {
        String text = block.neededText("thinking", "a string");
        Optional<Signature> signature = block.text("signature").map(value -> new Signature(Vendor.ANTHROPIC, value));
        return new Reasoning(text, Optional.empty(), block.origin().signed(signature));
    }
}
