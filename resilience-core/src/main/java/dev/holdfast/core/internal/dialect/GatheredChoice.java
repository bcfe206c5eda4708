package dev.holdfast.core.internal.dialect;

import dev.holdfast.FinishReason;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.Finished;
import dev.holdfast.StreamEvent.ReasoningDelta;
import dev.holdfast.StreamEvent.RefusalDelta;
import dev.holdfast.StreamEvent.TextDelta;
import dev.holdfast.StreamEvent.ToolCallDelta;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One choice of a streamed answer: puts the deltas together and says what each of them adds. */
final class GatheredChoice {
    private static final List<String> REASONING = List.of("reasoning_content", "reasoning");
    private static final Set<String> SAID_IN_EVENTS =
            Set.of("role", "content", "refusal", "reasoning_content", "reasoning", "tool_calls", "function_call");
    private static final Set<String> SAID_IN_CALLS = Set.of("index", "id", "type", "function", "custom");
    private static final Set<String> FRAME = Set.of("index", "finish_reason", "delta", "message");

    private final Gathered.Members message =
            Gathered.Members.of(JsonObject.of("role", JsonValue.of("assistant")).with("content", JsonNull.NULL));
    private final Gathered.Members others = Gathered.Members.of(JsonObject.empty());
    private final GatheredCalls calls = new GatheredCalls();
    private Optional<String> finishReason = Optional.empty();
    private boolean refused;

    /** Adds a choice of a chunk and says what it adds, in order. */
    List<StreamEvent> add(JsonObject choice) {
        JsonObject delta = delta(choice);
        var events = new ArrayList<StreamEvent>();
        addReasoning(delta, events);
        addText(delta, events);
        addCalls(delta, events);
        delta.members().forEach((name, value) -> {
            if (!name.equals("tool_calls")) {
                message.add(name, value);
            }
        });
        choice.without("delta")
                .without("message")
                .without("finish_reason")
                .members()
                .forEach(this::addOther);
        addFinish(choice, events);
        return events;
    }

    private void addOther(String name, JsonValue value) {
        if (value.asObject().isPresent()) {
            others.add(name, value);
        } else {
            others.replace(name, value);
        }
    }

    /** Some servers send a whole message where a delta is due. */
    private static JsonObject delta(JsonObject choice) {
        return choice.object("delta").or(() -> choice.object("message")).orElse(JsonObject.empty());
    }

    private static void addReasoning(JsonObject delta, List<StreamEvent> events) {
        REASONING.stream()
                .flatMap(name -> delta.text(name).stream())
                .filter(text -> !text.isEmpty())
                .findFirst()
                .or(() -> thinking(delta))
                .ifPresent(text -> events.add(new ReasoningDelta(text)));
    }

    /** Thinking among the parts of the content: {@code {"type":"thinking","thinking":[{"type":"text","text":"…"}]}}. */
    static Optional<String> thinking(JsonObject delta) {
        List<JsonValue> parts = delta.list("content");
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        return parts.stream()
                .flatMap(part -> part.asObject().flatMap(object -> object.get("thinking")).stream())
                .flatMap(value -> OpenAiAnswers.textOf(value).stream())
                .filter(text -> !text.isEmpty())
                .reduce(String::concat);
    }

    private void addText(JsonObject delta, List<StreamEvent> events) {
        delta.get("content")
                .flatMap(OpenAiAnswers::textOf)
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> events.add(new TextDelta(text)));
        delta.text("refusal").filter(text -> !text.isEmpty()).ifPresent(text -> {
            refused = true;
            events.add(new RefusalDelta(text));
        });
    }

    private void addCalls(JsonObject delta, List<StreamEvent> events) {
        for (JsonValue element : delta.list("tool_calls")) {
            element.asObject().ifPresent(fragment -> events.add(calls.add(fragment)));
        }
        delta.object("function_call")
                .ifPresent(legacy -> events.add(
                        new ToolCallDelta(0, "", legacy.text("name").orElse(""), OpenAiAnswers.arguments(legacy))));
    }

    private void addFinish(JsonObject choice, List<StreamEvent> events) {
        Optional<String> reason = choice.text("finish_reason").filter(word -> !word.isEmpty());
        if (reason.isPresent() && !reason.equals(finishReason)) {
            finishReason = reason;
            events.add(new Finished(meaning(OpenAiFinish.decode(reason.get()))));
        }
    }

    private FinishReason meaning(FinishReason reason) {
        return refused && reason == FinishReason.STOP ? FinishReason.REFUSAL : reason;
    }

    boolean isFinished() {
        return finishReason.isPresent();
    }

    /** The choice as an answer that is not streamed has it. */
    JsonObject toJson(long index) {
        JsonObject whole = message.toJson();
        if (!calls.isEmpty()) {
            whole = whole.with("tool_calls", calls.toJson());
        }
        JsonObject choice = JsonObject.of("index", JsonValue.of(index)).with("message", whole);
        for (var other : others.toJson().without("index").members().entrySet()) {
            choice = choice.with(other.getKey(), other.getValue());
        }
        return choice.with(
                "finish_reason", finishReason.<JsonValue>map(JsonValue::of).orElse(JsonNull.NULL));
    }

    /** What a choice of a chunk says that no event says; an empty object if nothing. */
    static JsonObject unsaid(JsonObject choice) {
        JsonObject delta = said(delta(choice), SAID_IN_EVENTS);
        List<JsonValue> callParts = delta(choice).list("tool_calls").stream()
                .flatMap(call -> call.asObject().stream())
                .filter(call -> !said(call, SAID_IN_CALLS).members().isEmpty())
                .<JsonValue>map(call -> JsonObject.of("index", call.get("index").orElse(JsonValue.of(0)))
                        .with(
                                "extra_content",
                                said(call, SAID_IN_CALLS).get("extra_content").orElse(JsonNull.NULL)))
                .toList();
        JsonObject all = callParts.isEmpty() ? delta : delta.with("tool_calls", new JsonArray(callParts));
        JsonObject rest = said(choice, FRAME);
        return all.members().isEmpty() && rest.members().isEmpty()
                ? JsonObject.empty()
                : rest.with("index", choice.get("index").orElse(JsonValue.of(0)))
                        .with("delta", all);
    }

    private static JsonObject said(JsonObject object, Set<String> names) {
        JsonObject rest = object;
        for (var member : object.members().entrySet()) {
            if (names.contains(member.getKey()) || member.getValue().isNull()) {
                rest = rest.without(member.getKey());
            }
        }
        return rest;
    }
}
