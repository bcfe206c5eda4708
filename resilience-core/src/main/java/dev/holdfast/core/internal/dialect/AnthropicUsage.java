package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.Usage;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads and writes usage as Anthropic counts it: what was read from and written to the prompt cache comes on top of
 * {@code input_tokens}; thinking is part of {@code output_tokens}. A part that is larger than its whole is cut to it and the
 * usage marked, as is one whose cache writes by lifetime are not what was written.
 */
final class AnthropicUsage {
    private static final String READ = "cache_read_input_tokens";
    private static final String WRITTEN = "cache_creation_input_tokens";

    private AnthropicUsage() {}

    /** Whether a usage is counted Anthropic's way: only there is the cache said beside the input. */
    static boolean isOwn(JsonObject usage) {
        return usage.get(READ).isPresent() || usage.get(WRITTEN).isPresent();
    }

    static Optional<Usage> decode(JsonObject usage) {
        OptionalLong input = Counts.of(usage, "input_tokens");
        OptionalLong output = Counts.of(usage, "output_tokens");
        if (input.isEmpty() || output.isEmpty()) {
            return Optional.empty();
        }
        OptionalLong saidWritten = Counts.of(usage, WRITTEN);
        long byLifetime = usage.object("cache_creation")
                .map(written -> Counts.or0(written, "ephemeral_5m_input_tokens")
                        + Counts.or0(written, "ephemeral_1h_input_tokens"))
                .orElse(0L);
        long written = saidWritten.orElse(byLifetime);
        long thinking = usage.object("output_tokens_details")
                .map(details -> Counts.or0(details, "thinking_tokens"))
                .orElse(0L);
        boolean contradictory = (byLifetime > 0 && byLifetime != written) || thinking > output.getAsLong();
        return Optional.of(new Usage(
                input.getAsLong(),
                Counts.or0(usage, READ),
                written,
                output.getAsLong(),
                Math.min(thinking, output.getAsLong()),
                contradictory));
    }

    static JsonObject encode(Usage usage) {
        JsonObject.Builder document = JsonObject.builder()
                .with("input_tokens", JsonValue.of(usage.input()))
                .with(WRITTEN, JsonValue.of(usage.cacheWrite()))
                .with(READ, JsonValue.of(usage.cachedInput()))
                .with("output_tokens", JsonValue.of(usage.output()));
        if (usage.reasoning() > 0) {
            document.with("output_tokens_details", JsonObject.of("thinking_tokens", JsonValue.of(usage.reasoning())));
        }
        return document.build();
    }
}
