package dev.holdfast.core.internal.dialect;

import dev.holdfast.FinishReason;

/** Translates Anthropic's stop reasons. */
final class AnthropicStop {
    private AnthropicStop() {}

    static FinishReason decode(String word) {
        return switch (word) {
            case "end_turn", "stop_sequence" -> FinishReason.STOP;
            case "max_tokens", "model_context_window_exceeded" -> FinishReason.LENGTH;
            case "tool_use" -> FinishReason.TOOL_CALLS;
            case "refusal" -> FinishReason.REFUSAL;
            default -> FinishReason.OTHER; // pause_turn: the server's own tools take longer than one turn
        };
    }

    /** A word that every client of Anthropic knows: a filter's doing is a refusal there. */
    static String encode(FinishReason reason) {
        return switch (reason) {
            case STOP, OTHER -> "end_turn";
            case LENGTH -> "max_tokens";
            case TOOL_CALLS -> "tool_use";
            case CONTENT_FILTER, REFUSAL -> "refusal";
        };
    }
}
