package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
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

/** Reads system instruction and contents of Gemini's {@code generateContent}. */
final class GeminiContents {
    private static final String ROLES = "user or model";

    private GeminiContents() {}

    static void read(Fields fields, Conversation.Builder into) throws DialectException {
        JsonValue system = fields.take("systemInstruction");
        if (system instanceof JsonString(String text)) {
            Origin origin = Origin.of(fields.place("systemInstruction"));
            into.turns.add(new Turn(Role.SYSTEM, "", List.of(new Text(text, origin)), true, Optional.empty(), origin));
        } else if (system != null) {
            Fields content = Fields.proto(system, fields.place("systemInstruction"), "a content");
            String said = content.text("role").orElse("");
            into.turns.add(turn(Role.SYSTEM, said, content));
        }
        List<JsonValue> contents = fields.neededList("contents", "an array of contents");
        for (int i = 0; i < contents.size(); i++) {
            Place place = fields.place("contents").element(i);
            Fields content = Fields.proto(contents.get(i), place, "a content");
            String said = content.text("role").orElse("");
            Role role =
                    switch (said) {
                        case "user", "function", "" -> Role.USER;
                        case "model" -> Role.ASSISTANT;
                        default -> throw Fields.wrong(content.place("role"), "unknown", ROLES);
                    };
            into.turns.add(turn(role, said, content));
        }
    }

    private static Turn turn(Role role, String said, Fields content) throws DialectException {
        List<JsonValue> elements = content.list("parts", "an array of parts");
        var parts = new ArrayList<Part>(elements.size());
        for (int i = 0; i < elements.size(); i++) {
            parts.add(part(elements.get(i), content.place("parts").element(i)));
        }
        return new Turn(role, said, parts, false, Optional.empty(), content.origin());
    }

    private static Part part(JsonValue value, Place place) throws DialectException {
        Fields part = Fields.proto(value, place, "a part");
        Optional<Signature> signature = part.text("thoughtSignature").map(text -> new Signature(Vendor.GOOGLE, text));
        Optional<String> text = part.text("text");
        if (text.isPresent()) {
            Optional<Boolean> thought = part.flag("thought");
            return thought.orElse(false)
                    ? new Reasoning(text.get(), Optional.empty(), part.origin().signed(signature))
                    : new Text(text.get(), part.origin().signed(signature));
        }
        Fields data = part.innerProto("inlineData");
        if (data != null) {
            return inline(part, data, signature);
        }
        Fields file = part.innerProto("fileData");
        if (file != null) {
            return file(part, file, signature);
        }
        Fields call = part.innerProto("functionCall");
        if (call != null) {
            return call(part, call, signature);
        }
        Fields response = part.innerProto("functionResponse");
        if (response != null) {
            return response(part, response, signature);
        }
        return new Foreign(value, Origin.of(place));
    }

    private static Media inline(Fields part, Fields data, Optional<Signature> signature) throws DialectException {
        String type = data.neededText("mimeType", "a media type");
        String base64 = data.neededText("data", "base64 text");
        Optional<String> name = data.text("displayName");
        Origin origin = Merge.with(part.origin(), "inlineData", data.rest()).signed(signature);
        return new Media(Media.Kind.of(type), new Media.Inline(type, base64), name, Optional.empty(), origin);
    }

    private static Media file(Fields part, Fields file, Optional<Signature> signature) throws DialectException {
        String uri = file.neededText("fileUri", "a URI");
        Optional<String> type = file.text("mimeType");
        Optional<String> name = file.text("displayName");
        Origin origin = Merge.with(part.origin(), "fileData", file.rest()).signed(signature);
        Media.Kind kind = type.map(Media.Kind::of).orElse(Media.Kind.DOCUMENT);
        return new Media(kind, new Media.Remote(uri, type), name, Optional.empty(), origin);
    }

    private static ToolUse call(Fields part, Fields call, Optional<Signature> signature) throws DialectException {
        String name = call.neededText("name", "a string");
        JsonValue args = call.take("args");
        JsonObject arguments = args == null ? JsonObject.empty() : Fields.object(args, call.place("args"), "an object");
        String id = call.text("id").orElse("");
        Origin origin = Merge.with(part.origin(), "functionCall", call.rest()).signed(signature);
        return new ToolUse(id, name, Arguments.of(arguments), origin);
    }

    private static ToolResult response(Fields part, Fields response, Optional<Signature> signature)
            throws DialectException {
        String name = response.neededText("name", "a string");
        JsonValue value = response.take("response");
        JsonObject document =
                value == null ? JsonObject.empty() : Fields.object(value, response.place("response"), "an object");
        String id = response.text("id").orElse("");
        Origin origin =
                Merge.with(part.origin(), "functionResponse", response.rest()).signed(signature);
        return new ToolResult(id, Optional.of(name), List.of(), false, Optional.of(document), Optional.empty(), origin);
    }
}
