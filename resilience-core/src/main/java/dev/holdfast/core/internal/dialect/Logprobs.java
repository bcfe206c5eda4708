package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Log probabilities of tokens, from OpenAI's words into Gemini's and back. Anthropic has none. Gemini tells the ids of tokens and
 * OpenAI their bytes; ids are left out, and bytes are those of the text.
 */
final class Logprobs {
    private Logprobs() {}

    /** Gemini's of an answer in OpenAI's form. */
    static Optional<JsonObject> ofOpenAi(ModelAnswer answer) {
        return ofOpenAiChunk(answer.document());
    }

    /** Gemini's of the first choice of a document or a chunk in OpenAI's form. */
    static Optional<JsonObject> ofOpenAiChunk(JsonObject document) {
        return first(document, "choices")
                .flatMap(choice -> choice.object("logprobs"))
                .map(logprobs -> logprobs.list("content"))
                .filter(content -> !content.isEmpty())
                .map(Logprobs::toGemini);
    }

    /** OpenAI's of the first candidate of a document or a chunk in Gemini's form. */
    static Optional<JsonObject> ofGemini(JsonObject document) {
        return first(document, "candidates")
                .flatMap(candidate -> candidate.object("logprobsResult"))
                .filter(result -> !result.list("chosenCandidates").isEmpty())
                .map(Logprobs::toOpenAi);
    }

    private static Optional<JsonObject> first(JsonObject document, String name) {
        return document.list(name).stream()
                .flatMap(element -> element.asObject().stream())
                .filter(element -> element.longValue("index").orElse(0) == 0)
                .findFirst();
    }

    private static JsonObject toGemini(List<JsonValue> content) {
        var chosen = new ArrayList<JsonValue>();
        var top = new ArrayList<JsonValue>();
        for (JsonValue element : content) {
            JsonObject token = element.asObject().orElse(JsonObject.empty());
            chosen.add(renamed(token, "logprob", "logProbability"));
            List<JsonValue> others = token.list("top_logprobs").stream()
                    .flatMap(each -> each.asObject().stream())
                    .<JsonValue>map(each -> renamed(each, "logprob", "logProbability"))
                    .toList();
            top.add(JsonObject.of("candidates", new JsonArray(others)));
        }
        return JsonObject.of("topCandidates", new JsonArray(top)).with("chosenCandidates", new JsonArray(chosen));
    }

    private static JsonObject toOpenAi(JsonObject result) {
        List<JsonValue> chosen = result.list("chosenCandidates");
        List<JsonValue> top = result.list("topCandidates");
        var content = new ArrayList<JsonValue>();
        for (int i = 0; i < chosen.size(); i++) {
            List<JsonValue> others = i < top.size()
                    ? top.get(i).asObject().map(each -> each.list("candidates")).orElse(List.of())
                    : List.of();
            JsonObject token = chosen.get(i).asObject().orElse(JsonObject.empty());
            content.add(openAiToken(token)
                    .with(
                            "top_logprobs",
                            new JsonArray(others.stream()
                                    .flatMap(each -> each.asObject().stream())
                                    .<JsonValue>map(Logprobs::openAiToken)
                                    .toList())));
        }
        return JsonObject.of("content", new JsonArray(content)).with("refusal", JsonNull.NULL);
    }

    private static JsonObject openAiToken(JsonObject token) {
        return renamed(token, "logProbability", "logprob")
                .with("bytes", bytes(token.text("token").orElse("")));
    }

    private static JsonObject renamed(JsonObject token, String from, String to) {
        return JsonObject.of("token", JsonValue.of(token.text("token").orElse("")))
                .with(to, token.get(from).orElse(JsonNull.NULL));
    }

    private static JsonValue bytes(String token) {
        var bytes = new ArrayList<JsonValue>();
        for (byte each : token.getBytes(StandardCharsets.UTF_8)) {
            bytes.add(JsonValue.of(each & 0xFF));
        }
        return new JsonArray(bytes);
    }

    /** Gemini's of one chunk and then of the next. */
    static JsonObject join(JsonObject earlier, JsonObject later) {
        JsonObject joined = earlier;
        for (String name : List.of("topCandidates", "chosenCandidates")) {
            var all = new ArrayList<>(earlier.list(name));
            all.addAll(later.list(name));
            if (!all.isEmpty()) {
                joined = joined.with(name, new JsonArray(all));
            }
        }
        return joined;
    }
}
