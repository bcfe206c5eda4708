package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.ReasoningDelta;
import dev.holdfast.StreamEvent.TextDelta;
import dev.holdfast.StreamEvent.ToolCallDelta;
import dev.holdfast.core.internal.json.JsonReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** One block of a streamed message: puts its deltas together, in linear time, and says what each of them adds. */
final class AnthropicBlock {
    private final JsonObject begun;
    private final int call;
    private final Map<String, StringBuilder> texts = new LinkedHashMap<>();
    private final StringBuilder input = new StringBuilder();
    private final List<JsonValue> citations = new ArrayList<>();
    private final Gathered.Members others = Gathered.Members.of(JsonObject.empty());

    /**
     * Begins a block.
     *
     * @param begun the block as it began
     * @param call which of the answer's tool calls it is; -1 if none
     */
    AnthropicBlock(JsonObject begun, int call) {
        this.begun = begun;
        this.call = call;
    }

    /** What the beginning says. */
    void begin(List<StreamEvent> events) {
        if (call >= 0) {
            events.add(new ToolCallDelta(
                    call, begun.text("id").orElse(""), begun.text("name").orElse(""), ""));
        }
        switch (begun.text("type").orElse("")) {
            case "text" -> append("text", begun, TextDelta::new, events);
            case "thinking" -> append("thinking", begun, ReasoningDelta::new, events);
            default -> {
                // Other blocks say nothing at their beginning.
            }
        }
    }

    void add(JsonObject delta, List<StreamEvent> events) {
        switch (delta.text("type").orElse("")) {
            case "text_delta" -> append("text", delta, TextDelta::new, events);
            case "thinking_delta" -> append("thinking", delta, ReasoningDelta::new, events);
            case "signature_delta" -> others.replace("signature", signature(delta));
            case "citations_delta" -> delta.get("citation").ifPresent(citations::add);
            case "input_json_delta" -> addInput(delta.text("partial_json").orElse(""), events);
            default -> others.plus(delta.without("type"));
        }
    }

    private static JsonValue signature(JsonObject delta) {
        return delta.get("signature").orElse(JsonValue.of(""));
    }

    private void append(
            String name, JsonObject from, Function<String, ? extends StreamEvent> event, List<StreamEvent> events) {
        String more = from.text(name).orElse("");
        texts.computeIfAbsent(name, key -> new StringBuilder()).append(more);
        if (!more.isEmpty()) {
            events.add(event.apply(more));
        }
    }

    private void addInput(String json, List<StreamEvent> events) {
        input.append(json);
        if (call >= 0 && !json.isEmpty()) {
            events.add(new ToolCallDelta(call, "", "", json));
        }
    }

    /** A call without arguments says nothing of them until its end. */
    void end(List<StreamEvent> events) {
        if (call >= 0 && input.isEmpty()) {
            String whole = AnthropicAnswers.arguments(begun);
            input.append(whole);
            events.add(new ToolCallDelta(call, "", "", whole));
        }
    }

    /** The block as a message that is not streamed has it. */
    JsonObject toJson() {
        JsonObject.Builder whole = begun.toBuilder();
        texts.forEach((name, text) -> whole.with(name, JsonValue.of(text.toString())));
        if (!input.isEmpty()) {
            whole.with("input", readInput());
        }
        if (!citations.isEmpty()) {
            whole.with("citations", new JsonArray(citations));
        }
        others.toJson().members().forEach(whole::with);
        return whole.build();
    }

    private JsonValue readInput() {
        String text = input.toString();
        return JsonReader.tryRead(text).orElseGet(() -> JsonValue.of(text));
    }
}
