package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.Finished;
import dev.holdfast.StreamEvent.ReasoningDelta;
import dev.holdfast.StreamEvent.TextDelta;
import dev.holdfast.StreamEvent.ToolCallDelta;
import dev.holdfast.ToolCall;
import dev.holdfast.spi.DialectException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One candidate of a streamed answer: puts its parts together, in linear time, and says what each of them adds. Text goes on with
 * the text before it unless one of them is signed: a signature holds for the part it came with.
 */
final class GeminiCandidate {
    private static final Set<String> RUNNING = Set.of("text", "thought");

    private final List<Part> parts = new ArrayList<>();
    private final Map<String, JsonValue> others = new LinkedHashMap<>();
    private JsonValue role = JsonValue.of("model");
    private boolean anyContent;
    private int calls;
    private Optional<String> finish = Optional.empty();

    /** A part, and its text where more may follow. */
    private record Part(JsonObject document, @Nullable StringBuilder text) {
        JsonObject toJson() {
            return text == null ? document : document.with("text", JsonValue.of(text.toString()));
        }
    }

    /** Adds a candidate of a chunk and says what it adds, in order. */
    void add(JsonObject candidate, Optional<String> responseId, List<StreamEvent> events) throws DialectException {
        Optional<JsonObject> content = candidate.object("content");
        if (content.isPresent()) {
            anyContent = true;
            role = content.get().get("role").orElse(role);
            for (JsonValue element : content.get().list("parts")) {
                element.asObject().ifPresent(part -> addPart(part, responseId, events));
            }
        }
        candidate.without("content").members().forEach(this::addOther);
        Optional<String> word = GeminiFinish.word(candidate.get("finishReason"));
        if (word.isPresent() && finish.isEmpty()) {
            GeminiAnswers.refuseBroken(word, parts.isEmpty());
            finish = word;
            events.add(new Finished(GeminiFinish.decode(word.get(), calls > 0)));
        }
    }

    private void addPart(JsonObject part, Optional<String> responseId, List<StreamEvent> events) {
        String text = part.text("text").orElse("");
        if (!text.isEmpty()) {
            events.add(GeminiParts.isThought(part) ? new ReasoningDelta(text) : new TextDelta(text));
        }
        Optional<JsonObject> call = GeminiParts.call(part);
        if (call.isPresent()) {
            ToolCall read = GeminiParts.toolCall(call.get(), responseId, calls);
            events.add(new ToolCallDelta(calls++, read.id(), read.name(), read.arguments()));
        }
        if (!goesOn(part, text)) {
            boolean running = part.text("text").isPresent()
                    && RUNNING.containsAll(part.members().keySet());
            parts.add(new Part(part, running ? new StringBuilder(text) : null));
        }
    }

    private boolean goesOn(JsonObject part, String text) {
        if (parts.isEmpty() || !RUNNING.containsAll(part.members().keySet())) {
            return false;
        }
        Part last = parts.getLast();
        if (last.text == null || GeminiParts.isThought(last.document) != GeminiParts.isThought(part)) {
            return false;
        }
        last.text.append(text);
        return true;
    }

    /** The log probabilities of a chunk are those of its own tokens; what else is said again replaces what was said. */
    private void addOther(String name, JsonValue value) {
        if (name.equals("logprobsResult")
                && others.get(name) instanceof JsonObject before
                && value instanceof JsonObject more) {
            others.put(name, Logprobs.join(before, more));
        } else {
            others.put(name, value);
        }
    }

    boolean isFinished() {
        return finish.isPresent();
    }

    JsonObject toJson() {
        JsonObject.Builder whole = JsonObject.builder();
        if (anyContent) {
            List<JsonValue> all = parts.stream().<JsonValue>map(Part::toJson).toList();
            whole.with(
                    "content",
                    all.isEmpty()
                            ? JsonObject.of("role", role)
                            : JsonObject.of("parts", new JsonArray(all)).with("role", role));
        }
        others.forEach(whole::with);
        return whole.build();
    }
}
