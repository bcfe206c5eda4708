package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.Usage;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads and writes usage as OpenAI counts it: cached tokens are part of the prompt, reasoning is part of the completion.
 * A part that is larger than its whole is cut to it and the usage marked, as is one whose total is no sum; a usage without its
 * prompt or completion count is none.
 */
final class OpenAiUsage {
    private OpenAiUsage() {}

    static Optional<Usage> decode(JsonObject document) {
        return document.object("usage").flatMap(OpenAiUsage::decodeUsage);
    }

    static Optional<Usage> decodeUsage(JsonObject usage) {
        OptionalLong prompt = first(usage, "prompt_tokens", "input_tokens");
        OptionalLong completion = completion(usage, prompt);
        if (prompt.isEmpty() || completion.isEmpty()) {
            return Optional.empty();
        }
        long whole = prompt.getAsLong();
        long cachedSaid = cached(usage);
        long writtenSaid = detail(usage, "prompt_tokens_details", "cache_write_tokens");
        long cached = Math.min(whole, cachedSaid);
        long written = Math.min(whole - cached, writtenSaid);
        long reasoning = Math.max(
                detail(usage, "completion_tokens_details", "reasoning_tokens"),
                detail(usage, "output_tokens_details", "reasoning_tokens"));
        long output = withReasoning(completion.getAsLong(), reasoning, whole, Counts.of(usage, "total_tokens"));
        boolean contradictory = cachedSaid + writtenSaid > whole
                || reasoning > output
                || !isSum(Counts.of(usage, "total_tokens"), whole, output);
        return Optional.of(new Usage(
                whole - cached - written, cached, written, output, Math.min(reasoning, output), contradictory));
    }

    private static boolean isSum(OptionalLong total, long prompt, long output) {
        return total.isEmpty() || total.getAsLong() == prompt + output;
    }

    /** Embeddings have a prompt and a total only. */
    private static OptionalLong completion(JsonObject usage, OptionalLong prompt) {
        OptionalLong completion = first(usage, "completion_tokens", "output_tokens");
        OptionalLong total = Counts.of(usage, "total_tokens");
        boolean derivable = completion.isEmpty() && total.isPresent() && prompt.isPresent();
        return derivable ? OptionalLong.of(Math.max(0, total.getAsLong() - prompt.getAsLong())) : completion;
    }

    /** Some servers (xAI) count reasoning beside the completion; their own total gives them away. */
    private static long withReasoning(long completion, long reasoning, long prompt, OptionalLong total) {
        boolean beside = reasoning > 0 && total.isPresent() && total.getAsLong() == prompt + completion + reasoning;
        return beside ? completion + reasoning : completion;
    }

    private static long cached(JsonObject usage) {
        return Math.max(
                Math.max(
                        detail(usage, "prompt_tokens_details", "cached_tokens"),
                        detail(usage, "input_tokens_details", "cached_tokens")),
                Counts.of(usage, "prompt_cache_hit_tokens").orElse(0));
    }

    private static long detail(JsonObject usage, String group, String name) {
        return usage.object(group)
                .map(details -> Counts.of(details, name).orElse(0))
                .orElse(0L);
    }

    private static OptionalLong first(JsonObject usage, String name, String otherName) {
        OptionalLong count = Counts.of(usage, name);
        return count.isPresent() ? count : Counts.of(usage, otherName);
    }

    static JsonObject encode(Usage usage) {
        JsonObject prompt = JsonObject.of("cached_tokens", JsonValue.of(usage.cachedInput()));
        if (usage.cacheWrite() > 0) {
            prompt = prompt.with("cache_write_tokens", JsonValue.of(usage.cacheWrite()));
        }
        return JsonObject.of("prompt_tokens", JsonValue.of(usage.totalInput()))
                .with("completion_tokens", JsonValue.of(usage.output()))
                .with("total_tokens", JsonValue.of(usage.total()))
                .with("prompt_tokens_details", prompt)
                .with("completion_tokens_details", JsonObject.of("reasoning_tokens", JsonValue.of(usage.reasoning())));
    }
}
