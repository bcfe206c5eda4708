package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.Usage;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads and writes usage as Gemini counts it: cached content is part of the prompt, what tools brought in is not; thoughts come on
 * top of the candidates. Counts of zero are left out there. A part that is larger than its whole is cut to it and the usage
 * marked, as is one whose total is no sum.
 */
final class GeminiUsage {
    private static final String PROMPT = "promptTokenCount";
    private static final String CANDIDATES = "candidatesTokenCount";
    private static final String TOTAL = "totalTokenCount";
    private static final String CACHED = "cachedContentTokenCount";
    private static final String THOUGHTS = "thoughtsTokenCount";

    private GeminiUsage() {}

    static Optional<Usage> decode(JsonObject usage) {
        OptionalLong prompt = Counts.of(usage, PROMPT);
        OptionalLong total = Counts.of(usage, TOTAL);
        if (prompt.isEmpty() && total.isEmpty()) {
            return Optional.empty();
        }
        long tools = Counts.or0(usage, "toolUsePromptTokenCount");
        long thoughts = Counts.or0(usage, THOUGHTS);
        long output = Counts.or0(usage, CANDIDATES) + thoughts;
        long input = prompt.isPresent() ? prompt.getAsLong() + tools : Math.max(tools, total.getAsLong() - output);
        long cachedSaid = Counts.or0(usage, CACHED);
        long cached = Math.min(input, cachedSaid);
        boolean contradictory = cachedSaid > input || (total.isPresent() && total.getAsLong() != input + output);
        return Optional.of(new Usage(input - cached, cached, 0, output, thoughts, contradictory));
    }

    static JsonObject encode(Usage usage) {
        JsonObject.Builder document = JsonObject.builder()
                .with(PROMPT, JsonValue.of(usage.totalInput()))
                .with(CANDIDATES, JsonValue.of(Math.max(0, usage.output() - usage.reasoning())))
                .with(TOTAL, JsonValue.of(usage.total()));
        if (usage.cachedInput() > 0) {
            document.with(CACHED, JsonValue.of(usage.cachedInput()));
        }
        if (usage.reasoning() > 0) {
            document.with(THOUGHTS, JsonValue.of(usage.reasoning()));
        }
        return document.build();
    }
}
