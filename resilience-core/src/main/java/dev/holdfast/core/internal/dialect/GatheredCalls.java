package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.StreamEvent.ToolCallDelta;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Joins the fragments of tool calls. The index joins them; an id that differs from the one at its index begins a new call,
 * since some servers number all calls 0.
 */
final class GatheredCalls {
    private final List<Call> calls = new ArrayList<>();
    private final Map<Long, Call> byIndex = new HashMap<>();

    /** One call. */
    private static final class Call {
        private final int position;
        private final Gathered.Members document = Gathered.Members.of(JsonObject.empty());
        private String id = "";
        private String name = "";

        private Call(int position) {
            this.position = position;
        }
    }

    boolean isEmpty() {
        return calls.isEmpty();
    }

    /** Adds a fragment and says what it adds. */
    ToolCallDelta add(JsonObject fragment) {
        String id = fragment.text("id").orElse("");
        Call call = find(fragment.longValue("index"), id);
        call.document.plus(fragment.without("index"));
        JsonObject tool = tool(fragment);
        String name = tool.text("name").orElse("");
        String newId = call.id.isEmpty() ? id : "";
        String newName = call.name.isEmpty() ? name : "";
        call.id += newId;
        call.name += newName;
        return new ToolCallDelta(call.position, newId, newName, OpenAiAnswers.arguments(tool));
    }

    private static JsonObject tool(JsonObject fragment) {
        return fragment.object("function").or(() -> fragment.object("custom")).orElse(JsonObject.empty());
    }

    private Call find(OptionalLong index, String id) {
        Optional<Call> atIndex = index.isPresent()
                ? Optional.ofNullable(byIndex.get(index.getAsLong()))
                : withId(id)
                        .or(() -> id.isEmpty() && !calls.isEmpty() ? Optional.of(calls.getLast()) : Optional.empty());
        Call call = atIndex.filter(found -> id.isEmpty() || found.id.isEmpty() || found.id.equals(id))
                .or(() -> atIndex.isPresent() ? withId(id) : Optional.empty())
                .orElseGet(this::begin);
        index.ifPresent(number -> byIndex.put(number, call));
        return call;
    }

    private Optional<Call> withId(String id) {
        return id.isEmpty()
                ? Optional.empty()
                : calls.stream().filter(call -> call.id.equals(id)).findFirst();
    }

    private Call begin() {
        var call = new Call(calls.size());
        calls.add(call);
        return call;
    }

    JsonValue toJson() {
        return new JsonArray(
                calls.stream().<JsonValue>map(call -> call.document.toJson()).toList());
    }
}
