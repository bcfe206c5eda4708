package dev.holdfast.clients;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.JsonText;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Good answers of a provider in the forms of OpenAI and of Anthropic: the question again; where there are tools, a call of the first one
 * with the question as its argument; and after a tool's result, that result.
 */
final class Answers {
    static final String CALL_ID = "call_1";
    private static final JsonObject NOTHING = JsonObject.empty();

    private Answers() {}

    static Reply of(ProviderRequest request) {
        JsonObject document = request.json().orElse(NOTHING);
        boolean anthropic = request.path().endsWith("/messages");
        Optional<String> result = result(document);
        if (result.isPresent()) {
            return Reply.completion(request, result.get());
        }
        if (document.list("tools").isEmpty()) {
            return FaultScript.healthy().reply(request);
        }
        String arguments =
                JsonObject.of("question", JsonValue.of(question(document))).toJson();
        String model = document.text("model").orElse("");
        if (anthropic) {
            return request.asksForStream()
                    ? Reply.events(anthropicStream(model, arguments))
                    : Reply.json(200, anthropic(model, arguments));
        }
        return request.asksForStream()
                ? Reply.events(openAiStream(model, arguments))
                : Reply.json(200, openAi(model, arguments));
    }

    /** What a tool said, if that is the last message; of either form. */
    private static Optional<String> result(JsonObject document) {
        List<JsonValue> messages = document.list("messages");
        JsonObject last =
                messages.isEmpty() ? NOTHING : messages.getLast().asObject().orElse(NOTHING);
        if (last.text("role").filter("tool"::equals).isPresent()) {
            return Optional.of(text(last));
        }
        for (JsonValue part : last.list("content")) {
            JsonObject block = part.asObject().orElse(NOTHING);
            if (block.text("type").filter("tool_result"::equals).isPresent()) {
                return Optional.of(text(block));
            }
        }
        return Optional.empty();
    }

    private static String question(JsonObject document) {
        return document.list("messages").stream()
                .map(message -> message.asObject().orElse(NOTHING))
                .filter(message -> message.text("role").filter("user"::equals).isPresent())
                .map(Answers::text)
                .reduce("", (first, second) -> second);
    }

    private static String text(JsonObject message) {
        var text = new StringBuilder(message.text("content").orElse(""));
        message.list("content")
                .forEach(part ->
                        part.asObject().flatMap(block -> block.text("text")).ifPresent(text::append));
        return text.toString();
    }

    private static JsonObject openAi(String model, String arguments) {
        JsonObject message = JsonObject.of("role", JsonValue.of("assistant"))
                .with("content", JsonNull.NULL)
                .with("tool_calls", JsonArray.of(toolCall(arguments)));
        JsonObject choice = JsonObject.of("index", JsonValue.of(0))
                .with("message", message)
                .with("finish_reason", JsonValue.of("tool_calls"));
        return head("chat.completion", model)
                .with("choices", JsonArray.of(choice))
                .with(
                        "usage",
                        JsonObject.of("prompt_tokens", JsonValue.of(5))
                                .with("completion_tokens", JsonValue.of(3))
                                .with("total_tokens", JsonValue.of(8)));
    }

    private static JsonObject toolCall(String arguments) {
        return JsonObject.of("id", JsonValue.of(CALL_ID))
                .with("type", JsonValue.of("function"))
                .with(
                        "function",
                        JsonObject.of("name", JsonValue.of("answer")).with("arguments", JsonValue.of(arguments)));
    }

    private static JsonObject head(String object, String model) {
        return JsonObject.of("id", JsonValue.of("chatcmpl-1"))
                .with("object", JsonValue.of(object))
                .with("created", JsonValue.of(1_767_225_600))
                .with("model", JsonValue.of(model));
    }

    /** The arguments come in two pieces, as they do where a model writes them. */
    private static List<Chunk> openAiStream(String model, String arguments) {
        int half = arguments.length() / 2;
        JsonObject first = toolCall(arguments.substring(0, half)).with("index", JsonValue.of(0));
        JsonObject second = JsonObject.of("index", JsonValue.of(0))
                .with("function", JsonObject.of("arguments", JsonValue.of(arguments.substring(half))));
        var chunks = new ArrayList<Chunk>();
        chunks.add(openAiChunk(model, JsonObject.of("role", JsonValue.of("assistant")), JsonNull.NULL));
        chunks.add(openAiChunk(model, JsonObject.of("tool_calls", JsonArray.of(first)), JsonNull.NULL));
        chunks.add(openAiChunk(model, JsonObject.of("tool_calls", JsonArray.of(second)), JsonNull.NULL));
        chunks.add(openAiChunk(model, NOTHING, JsonValue.of("tool_calls")));
        chunks.add(Chunk.of("data: [DONE]\n\n"));
        return chunks;
    }

    private static Chunk openAiChunk(String model, JsonObject delta, JsonValue finish) {
        JsonObject choice =
                JsonObject.of("index", JsonValue.of(0)).with("delta", delta).with("finish_reason", finish);
        return Chunk.of("data: "
                + head("chat.completion.chunk", model)
                        .with("choices", JsonArray.of(choice))
                        .toJson()
                + "\n\n");
    }

    private static JsonObject anthropic(String model, String arguments) {
        return JsonObject.of("id", JsonValue.of("msg_1"))
                .with("type", JsonValue.of("message"))
                .with("role", JsonValue.of("assistant"))
                .with("model", JsonValue.of(model))
                .with("content", JsonArray.of(toolUse(arguments)))
                .with("stop_reason", JsonValue.of("tool_use"))
                .with("stop_sequence", JsonNull.NULL)
                .with("usage", usage());
    }

    private static JsonObject toolUse(String arguments) {
        return JsonObject.of("type", JsonValue.of("tool_use"))
                .with("id", JsonValue.of("toolu_1"))
                .with("name", JsonValue.of("answer"))
                .with("input", arguments.isEmpty() ? NOTHING : JsonText.parse(arguments));
    }

    private static JsonObject usage() {
        return JsonObject.of("input_tokens", JsonValue.of(5)).with("output_tokens", JsonValue.of(3));
    }

    private static List<Chunk> anthropicStream(String model, String arguments) {
        JsonObject message = JsonObject.of("id", JsonValue.of("msg_1"))
                .with("type", JsonValue.of("message"))
                .with("role", JsonValue.of("assistant"))
                .with("model", JsonValue.of(model))
                .with("content", JsonArray.of())
                .with("stop_reason", JsonNull.NULL)
                .with("stop_sequence", JsonNull.NULL)
                .with("usage", usage());
        JsonObject delta =
                JsonObject.of("type", JsonValue.of("input_json_delta")).with("partial_json", JsonValue.of(arguments));
        JsonObject stop = JsonObject.of("stop_reason", JsonValue.of("tool_use")).with("stop_sequence", JsonNull.NULL);
        return List.of(
                event("message_start", JsonObject.of("message", message)),
                event("content_block_start", block().with("content_block", toolUse(""))),
                event("content_block_delta", block().with("delta", delta)),
                event("content_block_stop", block()),
                event(
                        "message_delta",
                        JsonObject.of("delta", stop).with("usage", JsonObject.of("output_tokens", JsonValue.of(3)))),
                event("message_stop", NOTHING));
    }

    private static JsonObject block() {
        return JsonObject.of("index", JsonValue.of(0));
    }

    private static Chunk event(String name, JsonObject data) {
        return Chunk.of("event: " + name + "\ndata: "
                + data.with("type", JsonValue.of(name)).toJson() + "\n\n");
    }
}
