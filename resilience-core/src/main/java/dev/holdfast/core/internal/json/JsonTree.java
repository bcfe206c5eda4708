package dev.holdfast.core.internal.json;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds a value from the inside out without recursion, so that what a cut document did say can still be taken. */
final class JsonTree {
    private final Deque<Container> open = new ArrayDeque<>();
    private @Nullable JsonValue root;

    /** An object or array whose end has not been read. */
    private sealed interface Container {
        void add(JsonValue value);

        JsonValue close();
    }

    private static final class OpenObject implements Container {
        private final JsonObject.Builder members = JsonObject.builder();
        private String name = "";

        @Override
        public void add(JsonValue value) {
            members.with(name, value);
        }

        @Override
        public JsonValue close() {
            return members.build();
        }
    }

    private static final class OpenArray implements Container {
        private final List<JsonValue> elements = new ArrayList<>();

        @Override
        public void add(JsonValue value) {
            elements.add(value);
        }

        @Override
        public JsonValue close() {
            return new JsonArray(elements);
        }
    }

    void start(boolean object) {
        open.push(object ? new OpenObject() : new OpenArray());
    }

    void end() {
        add(open.pop().close());
    }

    /** Names the next member; false if the object has one of that name already. */
    boolean name(String name) {
        if (!(open.element() instanceof OpenObject object)) {
            return false;
        }
        object.name = name;
        return !object.members.has(name);
    }

    void add(JsonValue value) {
        if (open.isEmpty()) {
            root = value;
        } else {
            open.element().add(value);
        }
    }

    boolean isWhole() {
        return root != null;
    }

    /** What has been read; every open container is closed. */
    Optional<JsonValue> take() {
        while (!open.isEmpty()) {
            end();
        }
        return Optional.ofNullable(root);
    }
}
