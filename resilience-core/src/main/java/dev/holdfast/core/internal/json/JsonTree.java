package dev.holdfast.core.internal.json;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds a value from the inside out without recursion, so that what a cut document did say can still be taken. */
final class JsonTree {
    private final Deque<Container> open = new ArrayDeque<>();
    private @Nullable JsonValue root;

    /** An object or array whose end has not been read. */
    private static final class Container {
        private final @Nullable LinkedHashMap<String, JsonValue> members;
        private final List<JsonValue> elements = new ArrayList<>();
        private String name = "";

        private Container(boolean object) {
            this.members = object ? new LinkedHashMap<>() : null;
        }

        private void add(JsonValue value) {
            if (members == null) {
                elements.add(value);
            } else {
                members.put(name, value);
            }
        }

        private JsonValue close() {
            return members == null ? new JsonArray(elements) : new JsonObject(members);
        }
    }

    void start(boolean object) {
        open.push(new Container(object));
    }

    void end() {
        add(open.pop().close());
    }

    /** Names the next member; false if the object has one of that name already. */
    boolean name(String name) {
        Container container = open.element();
        container.name = name;
        return container.members != null && !container.members.containsKey(name);
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
