package dev.holdfast.benchmarks.jmh;

import dev.holdfast.CallOptions;
import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.Target;
import dev.holdfast.Usage;
import dev.holdfast.spi.Interceptor.Call;
import java.util.List;
import java.util.Optional;

/** Requests of a size, as a chat is: a few messages of prose, a tool, some numbers. And answers to them. */
final class CacheRequests {
    private static final String PROSE =
            "The Rhine rises in the Alps, runs through six countries and ends in the North Sea near Rotterdam. ";

    private CacheRequests() {}

    /** A request whose document, written as JSON, is exactly that long. */
    static ModelRequest ofBytes(int bytes) {
        int missing = bytes - lengthOf(with(bytes, 0));
        ModelRequest request = with(bytes, missing);
        if (lengthOf(request) != bytes) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: a few hundred at least)");
        }
        return request;
    }

    private static int lengthOf(ModelRequest request) {
        return request.document().toJson().length();
    }

    /** The last text is longer by so much than its share. */
    private static ModelRequest with(int bytes, int more) {
        JsonObject parameters = JsonObject.of("type", JsonValue.of("object"))
                .with("properties", JsonObject.of("city", JsonObject.of("type", JsonValue.of("string"))));
        JsonObject tool = JsonObject.of("type", JsonValue.of("function"))
                .with("function", JsonObject.of("name", JsonValue.of("weather")).with("parameters", parameters));
        ModelRequest.Builder builder = ModelRequest.chat("gpt-4.1")
                .system("You are a careful guide to the rivers of Europe.")
                .temperature(0)
                .maxTokens(512)
                .with("tools", JsonArray.of(tool));
        int left = bytes - 450;
        int turns = Math.max(1, Math.min(20, left / 400));
        for (int i = 0; i < turns; i++) {
            int length = Math.max(1, left / turns - 35 + (i == turns - 1 ? more : 0));
            String text = PROSE.repeat(length / PROSE.length() + 1).substring(0, length);
            if (i % 2 == 0) {
                builder.user(text);
            } else {
                builder.assistant(text);
            }
        }
        return builder.build();
    }

    static Call call(ModelRequest request) {
        return new Call("call", request, CallOptions.none(), 0, Long.MAX_VALUE / 4, event -> {});
    }

    static ModelResponse response(int textLength) {
        String text = PROSE.repeat(textLength / PROSE.length() + 1).substring(0, textLength);
        JsonObject message = JsonObject.of("role", JsonValue.of("assistant")).with("content", JsonValue.of(text));
        JsonObject choice = JsonObject.of("index", JsonValue.of(0))
                .with("message", message)
                .with("finish_reason", JsonValue.of("stop"));
        JsonObject usage = JsonObject.of("prompt_tokens", JsonValue.of(12))
                .with("completion_tokens", JsonValue.of(textLength / 4))
                .with("total_tokens", JsonValue.of(12 + textLength / 4));
        JsonObject document = JsonObject.of("id", JsonValue.of("chatcmpl-1"))
                .with("object", JsonValue.of("chat.completion"))
                .with("created", JsonValue.of(1_767_225_600))
                .with("model", JsonValue.of("gpt-4.1"))
                .with("choices", JsonArray.of(choice))
                .with("usage", usage);
        var answer = new ModelAnswer(
                Form.OPENAI_CHAT,
                document,
                Optional.of("gpt-4.1"),
                Optional.of(text),
                List.of(),
                Optional.of(FinishReason.STOP),
                Optional.of(Usage.of(12, textLength / 4)));
        return new ModelResponse(
                answer,
                Optional.of(new Target("gpt-4.1", "p1")),
                List.of(),
                Optional.empty(),
                false,
                false,
                Optional.empty(),
                "call",
                Optional.empty(),
                List.of());
    }
}
