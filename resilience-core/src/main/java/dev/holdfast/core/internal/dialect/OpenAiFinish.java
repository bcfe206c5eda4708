package dev.holdfast.core.internal.dialect;

import dev.holdfast.FinishReason;
import java.util.Locale;

/** Translates finish reasons, those of the many servers that speak almost like OpenAI included. */
final class OpenAiFinish {
    private OpenAiFinish() {}

    static FinishReason decode(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "stop", "eos", "eos_token", "end_turn", "stop_sequence", "completed" -> FinishReason.STOP;
            case "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded" ->
                FinishReason.LENGTH;
            case "tool_calls", "function_call", "tool_use" -> FinishReason.TOOL_CALLS;
            case "content_filter", "sensitive", "safety", "recitation", "prohibited_content" ->
                FinishReason.CONTENT_FILTER;
            case "refusal" -> FinishReason.REFUSAL;
            default -> FinishReason.OTHER;
        };
    }

    /** A word that every client of OpenAI knows: it has none for a refusal, which is text of its own, and for others. */
    static String encode(FinishReason reason) {
        return switch (reason) {
            case STOP, REFUSAL, OTHER -> "stop";
            case LENGTH, TOOL_CALLS, CONTENT_FILTER -> reason.wireName();
        };
    }
}
