package dev.holdfast.routing.internal.request;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds what the user asks, in each form's own place. */
public final class RequestText {
    private RequestText() {}

    /** The text of the last message of the user; empty where there is none. */
    public static String lastQuestion(ModelRequest request) {
        return switch (request.form()) {
            case OPENAI_CHAT, ANTHROPIC_MESSAGES ->
                lastOfUser(request.document().list("messages"), "content");
            case GEMINI_CONTENT -> lastOfUser(request.document().list("contents"), "parts");
            case OPAQUE -> "";
        };
    }

    private static String lastOfUser(List<JsonValue> messages, String member) {
        return messages.reversed().stream()
                .flatMap(message -> message.asObject().stream())
                .filter(message -> message.text("role").orElse("user").equals("user"))
                .map(message -> message.get(member).map(RequestText::text).orElse(""))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String text(JsonValue content) {
        return content.asText()
                .orElseGet(() -> content.asList().stream()
                        .flatMap(part -> part.asObject().flatMap(RequestText::partText).stream())
                        .collect(Collectors.joining("\n")));
    }

    private static Optional<String> partText(JsonObject part) {
        return part.text("text");
    }
}
