package dev.holdfast.core.internal.dialect;

import dev.holdfast.FinishReason;
import dev.holdfast.JsonValue;
import java.util.Optional;
import java.util.Set;

/** Translates Gemini's finish reasons, which clients of Vertex may ask for as numbers ({@code enum-encoding=int}). */
final class GeminiFinish {
    /** The call that the model wrote was none: what came besides it is all there is. */
    private static final Set<String> BROKEN =
            Set.of("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE");

    private static final String UNSPECIFIED = "FINISH_REASON_UNSPECIFIED";

    private GeminiFinish() {}

    /** The reason as the document has it: a word, or a number; empty while the model goes on. */
    static Optional<String> word(Optional<JsonValue> reason) {
        return reason.flatMap(value -> value.asText()
                        .or(() -> value.asLong().isPresent()
                                ? Optional.of(Long.toString(value.asLong().getAsLong()))
                                : Optional.empty()))
                .filter(word -> !word.isEmpty() && !word.equals(UNSPECIFIED) && !word.equals("0"));
    }

    /**
     * What a reason means. The numbers of AI Studio and of Vertex part ways after 5; those that both have for a filter are 7 and
     * 8.
     *
     * @param word the reason
     * @param calls whether the answer calls tools: Gemini has no word for that
     */
    static FinishReason decode(String word, boolean calls) {
        return switch (word) {
            case "STOP", "1" -> calls ? FinishReason.TOOL_CALLS : FinishReason.STOP;
            case "MAX_TOKENS", "2" -> FinishReason.LENGTH;
            case "SAFETY",
                    "RECITATION",
                    "BLOCKLIST",
                    "PROHIBITED_CONTENT",
                    "SPII",
                    "MODEL_ARMOR",
                    "IMAGE_SAFETY",
                    "IMAGE_PROHIBITED_CONTENT",
                    "IMAGE_RECITATION",
                    "3",
                    "4",
                    "7",
                    "8" -> FinishReason.CONTENT_FILTER;
            default -> FinishReason.OTHER;
        };
    }

    static boolean isBroken(String word) {
        return BROKEN.contains(word);
    }

    static String encode(FinishReason reason) {
        return switch (reason) {
            case STOP, TOOL_CALLS -> "STOP";
            case LENGTH -> "MAX_TOKENS";
            case CONTENT_FILTER, REFUSAL -> "SAFETY";
            case OTHER -> "OTHER";
        };
    }
}
