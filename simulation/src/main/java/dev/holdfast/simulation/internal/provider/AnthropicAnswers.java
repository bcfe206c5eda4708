package dev.holdfast.simulation.internal.provider;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import java.util.ArrayList;
import java.util.List;

/** The documents of a healthy server of Anthropic Messages. */
final class AnthropicAnswers {
    private static final String ID = "msg_holdfast";

    private AnthropicAnswers() {}

    /** What a provider without faults answers: the last user message, or an error as Anthropic words it. */
    static Reply healthy(ProviderRequest request) {
        if (!request.method().equals("POST")) {
            return error(405, "invalid_request_error", "Method Not Allowed").withHeader("Allow", "POST");
        }
        JsonObject document = request.json().orElse(null);
        if (document == null) {
            return invalid("The request body is not valid JSON.");
        }
        if (request.headers().first("anthropic-version").isEmpty()) {
            return invalid("anthropic-version: header is required");
        }
        for (String member : List.of("model", "max_tokens", "messages")) {
            if (document.get(member).isEmpty()) {
                return invalid(member + ": Field required");
            }
        }
        if (document.list("messages").isEmpty()) {
            return invalid("messages: at least one message is required");
        }
        return answer(request, lastUserText(document));
    }

    private static Reply invalid(String message) {
        return error(400, "invalid_request_error", message);
    }

    private static Reply error(int status, String type, String message) {
        JsonObject error = JsonObject.of("type", JsonValue.of(type)).with("message", JsonValue.of(message));
        return Reply.json(status, JsonObject.of("type", JsonValue.of("error")).with("error", error));
    }

    private static String lastUserText(JsonObject document) {
        String text = "";
        for (JsonValue message : document.list("messages")) {
            JsonObject object = message.asObject().orElse(JsonObject.empty());
            if (object.text("role").filter("user"::equals).isPresent()) {
                text = OpenAiAnswers.text(object);
            }
        }
        return text;
    }

    /** A good answer in the form the request asks for. */
    static Reply answer(ProviderRequest request, String text) {
        String model =
                request.json().flatMap(document -> document.text("model")).orElse("claude-sonnet-4-5");
        return request.asksForStream()
                ? Reply.events(stream(model, OpenAiAnswers.words(text)))
                : Reply.json(200, message(model, text));
    }

    private static JsonObject message(String model, String text) {
        return head(model, JsonArray.of(block(text)), JsonValue.of("end_turn")).with("usage", usage(1));
    }

    private static JsonObject head(String model, JsonArray content, JsonValue stopReason) {
        return JsonObject.of("id", JsonValue.of(ID))
                .with("type", JsonValue.of("message"))
                .with("role", JsonValue.of("assistant"))
                .with("model", JsonValue.of(model))
                .with("content", content)
                .with("stop_reason", stopReason)
                .with("stop_sequence", JsonNull.NULL);
    }

    private static JsonObject block(String text) {
        return JsonObject.of("type", JsonValue.of("text")).with("text", JsonValue.of(text));
    }

    private static JsonObject usage(long output) {
        return JsonObject.of("input_tokens", JsonValue.of(5))
                .with("cache_creation_input_tokens", JsonValue.of(0))
                .with("cache_read_input_tokens", JsonValue.of(0))
                .with("output_tokens", JsonValue.of(output));
    }

    private static List<Chunk> stream(String model, List<String> pieces) {
        var chunks = new ArrayList<Chunk>();
        JsonObject begun = head(model, JsonArray.of(), JsonNull.NULL).with("usage", usage(0));
        chunks.add(event("message_start", JsonObject.of("message", begun)));
        chunks.add(event("content_block_start", index().with("content_block", block(""))));
        chunks.add(event("ping", JsonObject.empty()));
        for (String piece : pieces) {
            JsonObject delta = JsonObject.of("type", JsonValue.of("text_delta")).with("text", JsonValue.of(piece));
            chunks.add(event("content_block_delta", index().with("delta", delta)));
        }
        chunks.add(event("content_block_stop", index()));
        JsonObject delta =
                JsonObject.of("stop_reason", JsonValue.of("end_turn")).with("stop_sequence", JsonNull.NULL);
        chunks.add(event("message_delta", JsonObject.of("delta", delta).with("usage", usage(1))));
        chunks.add(event("message_stop", JsonObject.empty()));
        return chunks;
    }

    private static JsonObject index() {
        return JsonObject.of("index", JsonValue.of(0));
    }

    private static Chunk event(String type, JsonObject members) {
        JsonObject.Builder document = JsonObject.builder().with("type", JsonValue.of(type));
        members.members().forEach(document::with);
        return Chunk.of("event: " + type + "\ndata: " + document.build().toJson() + "\n\n");
    }
}
