package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ToolCall;
import java.util.Optional;

/** What the parts of Gemini's content say. Its servers take and its clients send both spellings of names. */
final class GeminiParts {
    static final String SIGNATURE = "thoughtSignature";

    private GeminiParts() {}

    static boolean isThought(JsonObject part) {
        return part.get("thought").filter(JsonValue::isTrue).isPresent();
    }

    static Optional<JsonObject> call(JsonObject part) {
        return part.object("functionCall").or(() -> part.object("function_call"));
    }

    /**
     * A call of a tool. Gemini seldom gives it an id: one is made of the answer's own id.
     *
     * @param call the call
     * @param responseId the answer's own id; empty if it has none
     * @param position which call of the answer it is
     */
    static ToolCall toolCall(JsonObject call, Optional<String> responseId, int position) {
        String id = call.text("id")
                .filter(own -> !own.isEmpty())
                .orElseGet(() -> Documents.madeCallId(responseId.orElseGet(call::toJson), position));
        return new ToolCall(id, call.text("name").orElse(""), arguments(call));
    }

    private static String arguments(JsonObject call) {
        return call.get("args")
                .filter(args -> !args.isNull())
                .map(JsonValue::toJson)
                .orElse("{}");
    }

    static JsonObject text(String words) {
        return JsonObject.of("text", JsonValue.of(words));
    }

    static JsonObject thought(String words) {
        return text(words).with("thought", JsonValue.of(true));
    }

    static JsonObject functionCall(String id, String name, JsonObject arguments) {
        JsonObject.Builder call = JsonObject.builder();
        if (!id.isEmpty()) {
            call.with("id", JsonValue.of(id));
        }
        return JsonObject.of(
                "functionCall",
                call.with("name", JsonValue.of(name)).with("args", arguments).build());
    }
}
