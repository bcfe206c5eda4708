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
import dev.holdfast.core.internal.form.Part.Refusal;
import dev.holdfast.core.internal.form.Part.Text;
import dev.holdfast.core.internal.form.Part.ToolResult;
import dev.holdfast.core.internal.form.Part.ToolUse;
import dev.holdfast.spi.DialectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the messages of OpenAI's chat completions. */
final class OpenAiMessages {
    /** How OpenRouter names who signed a detail of reasoning. */
    static final Map<String, Vendor> ISSUERS = Map.of(
            "anthropic-claude-v1", Vendor.ANTHROPIC,
            "google-gemini-v1", Vendor.GOOGLE,
            "openai-responses-v1", Vendor.OPENAI);

    private static final String ROLES = "system, developer, user, assistant, tool or function";

    private OpenAiMessages() {}

    static void read(Fields fields, Conversation.Builder into) throws DialectException {
        List<JsonValue> messages = fields.neededList("messages", "an array of messages");
        Place place = fields.place("messages");
        for (int i = 0; i < messages.size(); i++) {
            into.turns.add(turn(Fields.of(messages.get(i), place.element(i), "a message")));
        }
    }

    private static Turn turn(Fields message) throws DialectException {
        String said = message.neededText("role", ROLES);
        return switch (said) {
            case "system", "developer" -> spoken(Role.SYSTEM, said, message);
            case "user" -> spoken(Role.USER, said, message);
            case "assistant" -> assistant(said, message);
            case "tool", "function" -> result(said, message);
            default -> throw Fields.wrong(message.place("role"), "unknown", ROLES);
        };
    }

    private static Turn spoken(Role role, String said, Fields message) throws DialectException {
        boolean plain = message.object().members().get("content") instanceof JsonString;
        List<Part> parts = content(message);
        Optional<String> name = message.text("name");
        return new Turn(role, said, parts, plain, name, message.hintedOrigin());
    }

    private static Turn assistant(String said, Fields message) throws DialectException {
        boolean plain = message.object().members().get("content") instanceof JsonString;
        var parts = new ArrayList<Part>(reasoning(message));
        parts.addAll(content(message));
        Optional<String> refusal = message.text("refusal");
        refusal.ifPresent(words -> parts.add(new Refusal(words, Origin.of(message.place("refusal")))));
        List<JsonValue> calls = message.list("tool_calls", "an array of tool calls");
        for (int i = 0; i < calls.size(); i++) {
            parts.add(call(calls.get(i), message.place("tool_calls").element(i)));
        }
        Fields old = message.inner("function_call", "an object");
        if (old != null) {
            parts.add(call("", old, old.place(), Optional.empty()));
        }
        Optional<String> name = message.text("name");
        return new Turn(Role.ASSISTANT, said, parts, plain, name, message.hintedOrigin());
    }

    private static Turn result(String said, Fields message) throws DialectException {
        boolean tool = said.equals("tool");
        String id = tool ? message.neededText("tool_call_id", "the id of a tool call") : "";
        Optional<String> name = message.text("name");
        if (!tool && name.isEmpty()) {
            throw Fields.wrong(message.place("name"), "missing", "a function's name");
        }
        boolean plain = message.object().members().get("content") instanceof JsonString;
        List<Part> content = content(message);
        Origin origin = message.hintedOrigin();
        var result = new ToolResult(id, name, content, plain, Optional.empty(), Optional.empty(), origin);
        return new Turn(Role.USER, said, List.of(result), plain, Optional.empty(), Origin.of(message.place()));
    }

    private static List<Part> content(Fields message) throws DialectException {
        JsonValue content = message.take("content");
        Place place = message.place("content");
        return switch (content) {
            case null -> List.of();
            case JsonString(String text) -> List.of(new Text(text, Origin.of(place)));
            case JsonArray(List<JsonValue> elements) -> {
                var parts = new ArrayList<Part>(elements.size());
                for (int i = 0; i < elements.size(); i++) {
                    parts.add(part(elements.get(i), place.element(i)));
                }
                yield parts;
            }
            default -> throw Fields.wrong(place, "neither text nor parts", "a string or an array");
        };
    }

    private static Part part(JsonValue value, Place place) throws DialectException {
        Fields part = Fields.of(value, place, "a part of a message");
        String type = part.neededText("type", "the kind of part");
        return switch (type) {
            case "text" -> new Text(part.neededText("text", "a string"), part.hintedOrigin());
            case "refusal" -> new Refusal(part.neededText("refusal", "a string"), part.hintedOrigin());
            case "image_url" -> image(part);
            case "input_audio" -> audio(part);
            case "file" -> file(part);
            default -> new Foreign(value, Origin.of(place));
        };
    }

    private static Media image(Fields part) throws DialectException {
        if (part.object().members().get("image_url") instanceof JsonString) {
            Media.Source source = source(part.neededText("image_url", "a URL"));
            return new Media(Media.Kind.IMAGE, source, Optional.empty(), Optional.empty(), part.hintedOrigin());
        }
        Fields image = part.neededInner("image_url", "an object with a url");
        Media.Source source = source(image.neededText("url", "a URL"));
        Optional<String> detail = image.text("detail");
        Origin origin = Merge.with(part.hintedOrigin(), "image_url", image.rest());
        return new Media(Media.Kind.IMAGE, source, Optional.empty(), detail, origin);
    }

    private static Media audio(Fields part) throws DialectException {
        Fields audio = part.neededInner("input_audio", "an object with data and format");
        String data = audio.neededText("data", "base64 text");
        String format = audio.neededText("format", "wav or mp3");
        Origin origin = Merge.with(part.hintedOrigin(), "input_audio", audio.rest());
        var source = new Media.Inline("audio/" + format, data);
        return new Media(Media.Kind.AUDIO, source, Optional.empty(), Optional.empty(), origin);
    }

    private static Part file(Fields part) throws DialectException {
        Fields file = part.neededInner("file", "an object with file_data or file_id");
        Optional<String> data = file.text("file_data");
        Optional<String> id = data.isPresent() ? Optional.empty() : file.text("file_id");
        Optional<String> name = file.text("filename");
        if (data.isEmpty() && id.isEmpty()) {
            throw Fields.wrong(file.place(), "neither file_data nor file_id", "one of them");
        }
        Media.Source source = data.map(OpenAiMessages::source).orElseGet(() -> new Media.Uploaded(id.orElse("")));
        Origin origin = Merge.with(part.hintedOrigin(), "file", file.rest());
        return new Media(Media.Kind.DOCUMENT, source, name, Optional.empty(), origin);
    }

    /** A data URL (RFC 2397) in base64 is its bytes. */
    static Media.Source source(String url) {
        int comma = url.startsWith("data:") ? url.indexOf(',') : -1;
        if (comma < 0 || !url.substring(0, comma).endsWith(";base64")) {
            return new Media.Remote(url, Optional.empty());
        }
        String type = url.substring("data:".length(), comma - ";base64".length());
        return new Media.Inline(type, url.substring(comma + 1));
    }

    private static Part call(JsonValue value, Place place) throws DialectException {
        Fields call = Fields.of(value, place, "a tool call");
        String type = call.text("type").orElse("function");
        if (!type.equals("function") && !type.equals("custom")) {
            throw Fields.wrong(call.place("type"), "unknown", "function or custom");
        }
        String id = call.neededText("id", "a string");
        Fields called = call.neededInner(type, "an object");
        Optional<Signature> signature = signature(call);
        ToolUse use = type.equals("custom") ? custom(id, called) : call(id, called, place, signature);
        Origin origin = Merge.with(call.origin(), type, use.origin().rest());
        return new ToolUse(id, use.name(), use.arguments(), origin.signed(signature));
    }

    private static ToolUse custom(String id, Fields called) throws DialectException {
        String name = called.neededText("name", "a string");
        Arguments words = Arguments.ofWords(called.neededText("input", "a string"));
        return new ToolUse(id, name, words, called.origin());
    }

    private static ToolUse call(String id, Fields function, Place at, Optional<Signature> signature)
            throws DialectException {
        String name = function.neededText("name", "a string");
        JsonValue arguments = function.take("arguments");
        Place place = function.place("arguments");
        Arguments read =
                switch (arguments) {
                    case null -> Arguments.of("");
                    case JsonString(String text) -> Arguments.of(text);
                    case JsonObject object -> Arguments.of(object);
                    default -> throw Fields.wrong(place, "no text", "JSON text");
                };
        return new ToolUse(id, name, read, Origin.of(at, function.rest()).signed(signature));
    }

    /** As Google's OpenAI-compatible path has it. */
    private static Optional<Signature> signature(Fields call) {
        Optional<String> signed = call.object()
                .object("extra_content")
                .flatMap(extra -> extra.object("google"))
                .flatMap(google -> google.text("thought_signature"));
        if (signed.isPresent()) {
            call.take("extra_content");
        }
        return signed.map(value -> new Signature(Vendor.GOOGLE, value));
    }

    /** DeepSeek's {@code reasoning_content}, OpenRouter's {@code reasoning} and {@code reasoning_details}. */
    private static List<Part> reasoning(Fields message) throws DialectException {
        JsonObject.Builder raw = JsonObject.builder();
        Optional<String> text = message.text("reasoning_content");
        text.ifPresent(words -> raw.with("reasoning_content", JsonValue.of(words)));
        Optional<String> other = message.text("reasoning");
        other.ifPresent(words -> raw.with("reasoning", JsonValue.of(words)));
        List<JsonValue> details = message.list("reasoning_details", "an array");
        if (!details.isEmpty()) {
            raw.with("reasoning_details", new JsonArray(details));
        }
        JsonObject said = raw.build();
        if (said.members().isEmpty()) {
            return List.of();
        }
        var parts = new ArrayList<Part>();
        for (int i = 0; i < details.size(); i++) {
            Fields detail =
                    Fields.of(details.get(i), message.place("reasoning_details").element(i), "an object");
            parts.add(detail(detail, parts.isEmpty() ? said : JsonObject.empty()));
        }
        if (parts.isEmpty()) {
            Place place = message.place(text.isPresent() ? "reasoning_content" : "reasoning");
            parts.add(new Reasoning(text.or(() -> other).orElse(""), Optional.empty(), Origin.of(place, said)));
        }
        return parts;
    }

    private static Part detail(Fields detail, JsonObject raw) throws DialectException {
        Vendor issuer = ISSUERS.getOrDefault(detail.text("format").orElse(""), Vendor.OTHER);
        String text =
                detail.text("text").or(() -> detail.object().text("summary")).orElse("");
        Optional<Signature> signature = detail.text("signature").map(value -> new Signature(issuer, value));
        Optional<Signature> hidden = detail.text("data").map(value -> new Signature(issuer, value));
        return new Reasoning(text, hidden, Origin.of(detail.place(), raw).signed(signature));
    }
}
