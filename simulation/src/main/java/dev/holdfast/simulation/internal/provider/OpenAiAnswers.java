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
import org.jspecify.annotations.Nullable;

/** The documents of a healthy OpenAI-compatible provider. */
public final class OpenAiAnswers {
    private static final String ID = "chatcmpl-holdfast";
    private static final long CREATED = 1_767_225_600;
    private static final JsonValue NOTHING = JsonNull.NULL;

    private OpenAiAnswers() {}

    /** What a provider without faults answers. */
    public static Reply healthy(ProviderRequest request) {
        String path = request.path().replaceFirst("\\?.*", "");
        if (path.endsWith("/models")) {
            return request.method().equals("GET") ? Reply.json(200, models()) : wrongMethod(request, "GET");
        }
        if (!path.endsWith("/chat/completions")) {
            return Reply.error(404, "invalid_request_error", "unknown_url", "Unknown request URL: " + path);
        }
        return request.method().equals("POST") ? completionOrRefusal(request) : wrongMethod(request, "POST");
    }

    private static Reply wrongMethod(ProviderRequest request, String allowed) {
        return Reply.error(
                        405, "invalid_request_error", "method_not_supported", request.method() + " is not supported.")
                .withHeader("Allow", allowed);
    }

    private static Reply completionOrRefusal(ProviderRequest request) {
        JsonObject document = request.json().orElse(null);
        if (document == null) {
            return invalid("We could not parse the JSON body of your request.");
        }
        if (document.text("model").isEmpty()) {
            return invalid("you must provide a model parameter");
        }
        if (document.list("messages").isEmpty()) {
            return invalid("Missing required parameter: 'messages'.");
        }
        return answer(request, lastUserText(document));
    }

    private static Reply invalid(String message) {
        return Reply.json(400, error("invalid_request_error", null, message));
    }

    /** The last user message; of a message in parts, its texts. */
    private static String lastUserText(JsonObject document) {
        String text = "";
        for (JsonValue message : document.list("messages")) {
            JsonObject object = message.asObject().orElse(JsonObject.empty());
            if (object.text("role").filter("user"::equals).isPresent()) {
                text = text(object);
            }
        }
        return text;
    }

    private static String text(JsonObject message) {
        var out = new StringBuilder(message.text("content").orElse(""));
        for (JsonValue part : message.list("content")) {
            part.asObject().flatMap(object -> object.text("text")).ifPresent(out::append);
        }
        return out.toString();
    }

    /** A good answer in the form the request asks for. */
    public static Reply answer(ProviderRequest request, String text) {
        JsonObject document = request.json().orElse(JsonObject.empty());
        String model = document.text("model").orElse("gpt-4.1-mini");
        if (!request.asksForStream()) {
            return Reply.json(200, completion(model, text));
        }
        boolean usage = document.object("stream_options")
                .flatMap(options -> options.get("include_usage"))
                .map(JsonValue::isTrue)
                .orElse(false);
        return Reply.events(stream(model, words(text), usage));
    }

    /** A text cut behind its spaces, as tokens come. */
    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("(?<= )"));
    }

    /** A chat completion. */
    public static JsonObject completion(String model, String text) {
        JsonObject message = JsonObject.of("role", JsonValue.of("assistant"))
                .with("content", JsonValue.of(text))
                .with("refusal", NOTHING);
        JsonObject choice = JsonObject.of("index", JsonValue.of(0))
                .with("message", message)
                .with("logprobs", NOTHING)
                .with("finish_reason", JsonValue.of("stop"));
        return head("chat.completion", model)
                .with("choices", JsonArray.of(choice))
                .with("usage", usage());
    }

    /** The events of a whole stream. */
    public static List<Chunk> stream(String model, List<String> pieces, boolean usage) {
        var chunks = new ArrayList<Chunk>();
        JsonObject role = JsonObject.of("role", JsonValue.of("assistant")).with("content", JsonValue.of(""));
        chunks.add(event(model, delta(role, NOTHING), usage));
        for (String piece : pieces) {
            JsonObject delta = JsonObject.of("content", JsonValue.of(piece));
            chunks.add(event(model, delta(delta, NOTHING), usage));
        }
        chunks.add(event(model, delta(JsonObject.empty(), JsonValue.of("stop")), usage));
        if (usage) {
            JsonObject last = head("chat.completion.chunk", model).with("choices", JsonArray.of());
            chunks.add(data(last.with("usage", usage()).toJson()));
        }
        chunks.add(data("[DONE]"));
        return chunks;
    }

    private static Chunk event(String model, JsonObject choice, boolean usage) {
        JsonObject document = head("chat.completion.chunk", model).with("choices", JsonArray.of(choice));
        return data((usage ? document.with("usage", NOTHING) : document).toJson());
    }

    private static JsonObject delta(JsonObject delta, JsonValue finishReason) {
        return JsonObject.of("index", JsonValue.of(0))
                .with("delta", delta)
                .with("logprobs", NOTHING)
                .with("finish_reason", finishReason);
    }

    private static Chunk data(String payload) {
        return Chunk.of("data: " + payload + "\n\n");
    }

    private static JsonObject head(String object, String model) {
        return JsonObject.of("id", JsonValue.of(ID))
                .with("object", JsonValue.of(object))
                .with("created", JsonValue.of(CREATED))
                .with("model", JsonValue.of(model));
    }

    private static JsonObject usage() {
        return JsonObject.of("prompt_tokens", JsonValue.of(5))
                .with("completion_tokens", JsonValue.of(1))
                .with("total_tokens", JsonValue.of(6));
    }

    private static JsonObject models() {
        JsonObject model = JsonObject.of("id", JsonValue.of("gpt-4.1-mini"))
                .with("object", JsonValue.of("model"))
                .with("created", JsonValue.of(CREATED))
                .with("owned_by", JsonValue.of("holdfast"));
        return JsonObject.of("object", JsonValue.of("list")).with("data", JsonArray.of(model));
    }

    /** The error document that OpenAI sends with a status. */
    public static JsonObject error(int status) {
        return switch (status) {
            case 400, 409, 413, 415, 422 -> error("invalid_request_error", null, "The request is not valid.");
            case 401 -> error("invalid_request_error", "invalid_api_key", "Incorrect API key provided.");
            case 403 -> error("permission_error", "permission_denied", "You are not allowed to do this.");
            case 404 -> error("invalid_request_error", "model_not_found", "The model does not exist.");
            case 429 -> error("requests", "rate_limit_exceeded", "Rate limit reached.");
            case 503 -> error("service_unavailable_error", "server_is_overloaded", "The server is overloaded.");
            default -> error("server_error", null, "The server had an error while processing your request.");
        };
    }

    /** An error document. */
    public static JsonObject error(String type, @Nullable String code, String message) {
        JsonObject error = JsonObject.of("message", JsonValue.of(message))
                .with("type", JsonValue.of(type))
                .with("param", NOTHING)
                .with("code", code == null ? NOTHING : JsonValue.of(code));
        return JsonObject.of("error", error);
    }
}
