package dev.holdfast.core.internal.dialect;

import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ToolCall;
import dev.holdfast.spi.DialectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and writes Gemini's answers that are not streamed. Of several candidates the first is the answer; the document has all. */
final class GeminiAnswers {
    private static final String CANDIDATE = "/candidates/0";

    private GeminiAnswers() {}

    static ModelAnswer decode(JsonObject document) throws DialectException {
        List<JsonValue> candidates = document.list("candidates");
        if (candidates.isEmpty()) {
            throw new DialectException("/candidates: missing or empty (expected: at least one)");
        }
        JsonObject candidate = candidates
                .getFirst()
                .asObject()
                .orElseThrow(() -> new DialectException(CANDIDATE + ": no object (expected: a candidate)"));
        List<JsonValue> parts = parts(candidate);
        Optional<String> word = GeminiFinish.word(candidate.get("finishReason"));
        if (word.isEmpty() && candidate.object("content").isEmpty()) {
            throw new DialectException(CANDIDATE + "/content: missing (expected: an object)");
        }
        for (int i = 0; i < parts.size(); i++) {
            check(CANDIDATE + "/content/parts/" + i, parts.get(i));
        }
        refuseBroken(word, parts.isEmpty());
        return decodePartial(document);
    }

    private static void check(String pointer, JsonValue value) throws DialectException {
        if (!(value instanceof JsonObject part)) {
            throw new DialectException(pointer + ": no object (expected: a part)");
        }
        Optional<JsonObject> call = GeminiParts.call(part);
        if (call.isPresent() && call.get().text("name").isEmpty()) {
            throw new DialectException(pointer + "/functionCall/name: missing (expected: a string)");
        }
    }

    /** A call that Gemini itself could not read, and nothing else, is no answer; another attempt may bring one. */
    static void refuseBroken(Optional<String> word, boolean empty) throws DialectException {
        if (empty && word.filter(GeminiFinish::isBroken).isPresent()) {
            throw new DialectException(
                    CANDIDATE + "/finishReason: " + word.get() + " and no content (expected: an answer)");
        }
    }

    private static List<JsonValue> parts(JsonObject candidate) {
        return candidate.object("content").map(content -> content.list("parts")).orElse(List.of());
    }

    /** What came so far: nothing is missing that may still come. */
    static ModelAnswer decodePartial(JsonObject document) {
        JsonObject candidate = document.list("candidates").stream()
                .flatMap(element -> element.asObject().stream())
                .findFirst()
                .orElse(JsonObject.empty());
        var texts = new ArrayList<String>();
        var thoughts = new ArrayList<String>();
        var calls = new ArrayList<ToolCall>();
        for (JsonValue element : parts(candidate)) {
            JsonObject part = element.asObject().orElse(JsonObject.empty());
            part.text("text").ifPresent(GeminiParts.isThought(part) ? thoughts::add : texts::add);
            GeminiParts.call(part)
                    .ifPresent(call -> calls.add(GeminiParts.toolCall(call, Documents.ownId(document), calls.size())));
        }
        String thought = String.join("", thoughts);
        return new ModelAnswer(
                Form.GEMINI_CONTENT,
                document,
                document.text("modelVersion").filter(model -> !model.isBlank()),
                texts.isEmpty() ? Optional.empty() : Optional.of(String.join("", texts)),
                calls,
                GeminiFinish.word(candidate.get("finishReason"))
                        .map(word -> GeminiFinish.decode(word, !calls.isEmpty())),
                document.object("usageMetadata").flatMap(GeminiUsage::decode),
                Optional.empty(),
                thought.isEmpty() ? Optional.empty() : Optional.of(thought));
    }

    /**
     * The document for a client. One that is in this form already is kept as it is; of another form the parts that every
     * form has are said.
     */
    static JsonObject encode(ModelAnswer answer, String model) {
        boolean own = answer.form() == Form.OPAQUE
                || (answer.form() == Form.GEMINI_CONTENT
                        && !answer.document().list("candidates").isEmpty());
        return own ? answer.document() : translated(answer, model);
    }

    private static JsonObject translated(ModelAnswer answer, String model) {
        FinishReason reason = answer.finishReason().orElse(FinishReason.STOP);
        JsonObject candidate = candidate(parts(answer)).with("finishReason", JsonValue.of(GeminiFinish.encode(reason)));
        JsonObject said = Logprobs.ofOpenAi(answer)
                .map(logprobs -> candidate.with("logprobsResult", logprobs))
                .orElse(candidate);
        JsonObject.Builder document = JsonObject.builder().with("candidates", JsonArray.of(said));
        answer.usage().ifPresent(usage -> document.with("usageMetadata", GeminiUsage.encode(usage)));
        return document.with("modelVersion", JsonValue.of(model))
                .with("responseId", JsonValue.of(Documents.id(answer, "resp_")))
                .build();
    }

    /** The first candidate of an answer or of a chunk; one without parts has no list of them. */
    static JsonObject candidate(List<JsonValue> parts) {
        JsonObject role = JsonObject.of("role", JsonValue.of("model"));
        JsonObject content = parts.isEmpty()
                ? role
                : JsonObject.of("parts", new JsonArray(parts)).with("role", JsonValue.of("model"));
        return JsonObject.of("content", content).with("index", JsonValue.of(0));
    }

    /** Gemini has no word for a refusal; it says so like anything else. */
    private static List<JsonValue> parts(ModelAnswer answer) {
        var parts = new ArrayList<JsonValue>();
        answer.reasoning().ifPresent(words -> parts.add(GeminiParts.thought(words)));
        answer.text().filter(words -> !words.isEmpty()).ifPresent(words -> parts.add(GeminiParts.text(words)));
        answer.refusal().ifPresent(words -> parts.add(GeminiParts.text(words)));
        for (ToolCall call : answer.toolCalls()) {
            parts.add(GeminiParts.functionCall(call.id(), call.name(), Documents.arguments(call.arguments())));
        }
        return parts;
    }
}
