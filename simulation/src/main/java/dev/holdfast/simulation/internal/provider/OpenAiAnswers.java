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
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The documents of a healthy OpenAI-compatible provider. */
public final class OpenAiAnswers {
    private static final String ID = "chatcmpl-holdfast";
    private static final long CREATED = 1_767_225_600;
    private static final int MOST_CHOICES = 128;
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
        if (document.get("n").isPresent() && choices(document).isEmpty()) {
            return invalid("Invalid 'n': expected a whole number from 1 to " + MOST_CHOICES + ".");
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

    static String text(JsonObject message) {
        var out = new StringBuilder(message.text("content").orElse(""));
        for (JsonValue part : message.list("content")) {
            part.asObject().flatMap(object -> object.text("text")).ifPresent(out::append);
        }
        return out.toString();
    }

    /** How many choices are asked for, if that is a number a provider takes. */
    private static Optional<Integer> choices(JsonObject document) {
        return document.get("n")
                .map(JsonValue::toJson)
                .filter(text -> text.matches("[1-9][0-9]{0,2}"))
                .map(Integer::parseInt)
                .filter(n -> n <= MOST_CHOICES);
    }

    /** A good answer in the form the request asks for, in as many choices. */
    public static Reply answer(ProviderRequest request, String text) {
        JsonObject document = request.json().orElse(JsonObject.empty());
        String model = document.text("model").orElse("gpt-4.1-mini");
        int choices = choices(document).orElse(1);
        if (!request.asksForStream()) {
            return Reply.json(200, completion(model, text, choices));
        }
        boolean usage = document.object("stream_options")
                .flatMap(options -> options.get("include_usage"))
                .map(JsonValue::isTrue)
                .orElse(false);
        return Reply.events(stream(model, words(text), choices, usage));
    }

    /** A text cut behind its spaces, as tokens come. */
    static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("(?<= )"));
    }

    /** A chat completion. */
    public static JsonObject completion(String model, String text) {
        return completion(model, text, 1);
    }

    private static JsonObject completion(String model, String text, int choices) {
        JsonObject message = JsonObject.of("role", JsonValue.of("assistant"))
                .with("content", JsonValue.of(text))
                .with("refusal", NOTHING);
        List<JsonValue> all = IntStream.range(0, choices)
                .mapToObj(index -> (JsonValue) JsonObject.of("index", JsonValue.of(index))
                        .with("message", message)
                        .with("logprobs", NOTHING)
                        .with("finish_reason", JsonValue.of("stop")))
                .toList();
        return head("chat.completion", model)
                .with("choices", new JsonArray(all))
                .with("usage", usage());
    }

    /** The events of a whole stream. */
    public static List<Chunk> stream(String model, List<String> pieces, boolean usage) {
        return stream(model, pieces, 1, usage);
    }

    /** The choices take turns, as they do where a provider works on them side by side. */
    private static List<Chunk> stream(String model, List<String> pieces, int choices, boolean usage) {
        var chunks = new ArrayList<Chunk>();
        JsonObject role = JsonObject.of("role", JsonValue.of("assistant")).with("content", JsonValue.of(""));
        addToEach(chunks, model, choices, role, NOTHING, usage);
        for (String piece : pieces) {
            addToEach(chunks, model, choices, JsonObject.of("content", JsonValue.of(piece)), NOTHING, usage);
        }
        addToEach(chunks, model, choices, JsonObject.empty(), JsonValue.of("stop"), usage);
        if (usage) {
            JsonObject last = head("chat.completion.chunk", model).with("choices", JsonArray.of());
            chunks.add(data(last.with("usage", usage()).toJson()));
        }
        chunks.add(data("[DONE]"));
        return chunks;
    }

    private static void addToEach(
            List<Chunk> chunks, String model, int choices, JsonObject delta, JsonValue finishReason, boolean usage) {
        for (int index = 0; index < choices; index++) {
            JsonObject choice = JsonObject.of("index", JsonValue.of(index))
                    .with("delta", delta)
                    .with("logprobs", NOTHING)
                    .with("finish_reason", finishReason);
            JsonObject document = head("chat.completion.chunk", model).with("choices", JsonArray.of(choice));
            chunks.add(data((usage ? document.with("usage", NOTHING) : document).toJson()));
        }
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
