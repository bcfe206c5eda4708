package dev.holdfast;

import dev.holdfast.JsonValue.JsonObject;

/**
 * One step of a streamed answer. The first meaningful one commits the stream. Later versions add kinds: a switch over them keeps
 * a default branch.
 */
public sealed interface StreamEvent {
    /**
     * More of the text.
     *
     * @param text the characters to append
     */
    record TextDelta(String text) implements StreamEvent {
        @Override
        public String toString() {
            return "TextDelta[" + text.length() + " characters]";
        }
    }

    /**
     * More of the model's reasoning.
     *
     * @param text the characters to append
     */
    record ReasoningDelta(String text) implements StreamEvent {
        @Override
        public String toString() {
            return "ReasoningDelta[" + text.length() + " characters]";
        }
    }

    /**
     * More of a refusal.
     *
     * @param text the characters to append
     */
    record RefusalDelta(String text) implements StreamEvent {
        @Override
        public String toString() {
            return "RefusalDelta[" + text.length() + " characters]";
        }
    }

    /**
     * More of a call of a tool.
     *
     * @param index which call of the answer
     * @param id its id; empty but in the call's first event
     * @param name the tool; empty but in the call's first event
     * @param arguments the characters to append to the arguments
     */
    record ToolCallDelta(int index, String id, String name, String arguments) implements StreamEvent {
        @Override
        public String toString() {
            return "ToolCallDelta[" + index + ", " + id + ", " + name + "]";
        }
    }

    /**
     * The tokens so far, or in all.
     *
     * @param usage the tokens
     */
    record UsageReported(Usage usage) implements StreamEvent {}

    /**
     * The model stopped.
     *
     * @param reason why
     */
    record Finished(FinishReason reason) implements StreamEvent {}

    /**
     * Anything else the server sent: pings, roles, members we do not know.
     *
     * @param document what it sent
     */
    record Other(JsonObject document) implements StreamEvent {}

    /**
     * An event of a stream without a form, as the server sent it: part of the answer, whatever it means.
     *
     * @param event the event's type; empty where the stream named none
     * @param data the event's data
     */
    record Opaque(String event, JsonValue data) implements StreamEvent {
        @Override
        public String toString() {
            return "Opaque[" + event + "]";
        }
    }

    /** {@return whether this event is part of the answer, so that after it nothing can be tried again unseen} */
    default boolean isMeaningful() {
        return !(this instanceof Other || this instanceof UsageReported);
    }
}
