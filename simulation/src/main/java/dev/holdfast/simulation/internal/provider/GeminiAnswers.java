package dev.holdfast.simulation.internal.provider;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The documents of a healthy server of Gemini, at AI Studio or Vertex. */
final class GeminiAnswers {
    private static final Pattern PATH =
            Pattern.compile("/v[0-9][a-z0-9]*/.*models/([^/:]+):(?:streamG|g)enerateContent(?:\\?.*)?");

    /** What Gemini knows of a request, in its own spelling; the other spelling is taken too, and anything else refused. */
    private static final Set<String> MEMBERS = Set.of(
            "contents",
            "systemInstruction",
            "tools",
            "toolConfig",
            "safetySettings",
            "generationConfig",
            "cachedContent",
            "labels",
            "serviceTier",
            "system_instruction",
            "tool_config",
            "safety_settings",
            "generation_config",
            "cached_content");

    private GeminiAnswers() {}

    /** Whether a path is one of Gemini's for content. */
    static boolean isOne(String path) {
        return PATH.matcher(path).matches();
    }

    /** What a provider without faults answers: the last user content, or an error as Google words it. */
    static Reply healthy(ProviderRequest request) {
        JsonObject document = request.json().orElse(null);
        if (document == null) {
            return invalid("Invalid JSON payload received.");
        }
        for (String member : document.members().keySet()) {
            if (!MEMBERS.contains(member)) {
                return invalid("Invalid JSON payload received. Unknown name \"" + member + "\": Cannot find field.");
            }
        }
        if (document.list("contents").isEmpty()) {
            return invalid("* GenerateContentRequest.contents: contents is not specified");
        }
        return answer(request, lastUserText(document));
    }

    private static Reply invalid(String message) {
        JsonObject error = JsonObject.of("code", JsonValue.of(400))
                .with("message", JsonValue.of(message))
                .with("status", JsonValue.of("INVALID_ARGUMENT"));
        return Reply.json(400, JsonObject.of("error", error));
    }

    private static String lastUserText(JsonObject document) {
        String text = "";
        for (JsonValue element : document.list("contents")) {
            JsonObject content = element.asObject().orElse(JsonObject.empty());
            if (!content.text("role").orElse("user").equals("model")) {
                text = textOf(content);
            }
        }
        return text;
    }

    private static String textOf(JsonObject content) {
        var out = new StringBuilder();
        for (JsonValue part : content.list("parts")) {
            part.asObject().flatMap(object -> object.text("text")).ifPresent(out::append);
        }
        return out.toString();
    }

    /** A good answer in the form the request asks for. */
    static Reply answer(ProviderRequest request, String text) {
        Matcher path = PATH.matcher(request.path());
        String model = path.matches() ? path.group(1) : "gemini-2.5-flash";
        return request.asksForStream()
                ? Reply.events(stream(model, OpenAiAnswers.words(text)))
                : Reply.json(200, document(model, text, true));
    }

    private static JsonObject document(String model, String text, boolean last) {
        JsonObject part = JsonObject.of("text", JsonValue.of(text));
        JsonObject content = JsonObject.of("parts", JsonArray.of(part)).with("role", JsonValue.of("model"));
        JsonObject candidate = JsonObject.of("content", content);
        if (last) {
            candidate = candidate.with("finishReason", JsonValue.of("STOP"));
        }
        return JsonObject.of("candidates", JsonArray.of(candidate.with("index", JsonValue.of(0))))
                .with("usageMetadata", usage(last))
                .with("modelVersion", JsonValue.of(model))
                .with("responseId", JsonValue.of("holdfast"));
    }

    private static JsonObject usage(boolean last) {
        JsonObject usage = JsonObject.of("promptTokenCount", JsonValue.of(5));
        return last
                ? usage.with("candidatesTokenCount", JsonValue.of(1)).with("totalTokenCount", JsonValue.of(6))
                : usage.with("totalTokenCount", JsonValue.of(5));
    }

    /** Lines end as Google's do, by CRLF. */
    private static List<Chunk> stream(String model, List<String> pieces) {
        var chunks = new ArrayList<Chunk>();
        for (String piece : pieces) {
            chunks.add(data(document(model, piece, false)));
        }
        chunks.add(data(document(model, "", true)));
        return chunks;
    }

    private static Chunk data(JsonObject document) {
        return Chunk.of("data: " + document.toJson() + "\r\n\r\n");
    }
}
