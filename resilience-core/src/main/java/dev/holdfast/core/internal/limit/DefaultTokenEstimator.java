package dev.holdfast.core.internal.limit;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.TokenEstimator;
import java.util.Map;
import java.util.Set;

/**
 * A guess that needs no vendor's tokenizer: a token for every four characters of text going in, and the explicit cap for
 * each answer coming out.
 *
 * <p>Four characters a token is a rule of thumb for English. Korean, Japanese and Chinese take nearer a token for each one or two
 * characters: there the guess is low until the real usage settles it, and an estimator of one's own is worth having. Images
 * and files are not counted.
 */
public record DefaultTokenEstimator(long defaultOutput) implements TokenEstimator {
    private static final long CHARACTERS_PER_TOKEN = 4;
    private static final Set<String> PROMPTS =
            Set.of("messages", "system", "contents", "systemInstruction", "tools", "input", "prompt", "instructions");
    private static final Set<String> NO_TEXT = Set.of(
            "role",
            "type",
            "id",
            "tool_call_id",
            "url",
            "image_url",
            "data",
            "inlineData",
            "inline_data",
            "file_data",
            "signature");

    /** {@return an estimator that reckons with 256 output tokens where the request names no cap} */
    public static DefaultTokenEstimator defaults() {
        return new DefaultTokenEstimator(256);
    }

    public DefaultTokenEstimator {
        if (defaultOutput < 1) {
            throw new IllegalArgumentException("defaultOutput: " + defaultOutput + " (expected: >= 1)");
        }
    }

    @Override
    public TokenEstimate estimate(ModelRequest request) {
        long characters = request.document().members().entrySet().stream()
                .filter(member -> PROMPTS.contains(member.getKey()))
                .mapToLong(member -> characters(member.getValue()))
                .sum();
        long input = (characters + CHARACTERS_PER_TOKEN - 1) / CHARACTERS_PER_TOKEN;
        return new TokenEstimate(input, times(request.maxOutputTokens().orElse(defaultOutput), request.choices()));
    }

    private static long characters(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> text.length();
            case JsonArray(var elements) ->
                elements.stream().mapToLong(DefaultTokenEstimator::characters).sum();
            case JsonObject(var members) ->
                members.entrySet().stream()
                        .filter(member -> !NO_TEXT.contains(member.getKey()))
                        .mapToLong(DefaultTokenEstimator::characters)
                        .sum();
            default -> 0;
        };
    }

    private static long characters(Map.Entry<String, JsonValue> member) {
        return characters(member.getValue());
    }

    private static long times(long cap, long choices) {
        return cap > Long.MAX_VALUE / choices ? Long.MAX_VALUE : cap * choices;
    }
}
