package dev.holdfast.spi;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonBoolean;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.ModelRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Guesses from the shape of the text ({@link TextTokens}), with what vendors add: a few tokens for the request and for each
 * message, the schema of tools as text with the preamble that Anthropic puts before it, and images by their size.
 */
record LexicalTokenEstimator(long defaultOutput) implements TokenEstimator {
    static final LexicalTokenEstimator DEFAULT = new LexicalTokenEstimator(256);

    static final long REQUEST_HUNDREDTHS = 502;
    static final long MESSAGE_HUNDREDTHS = 400;
    private static final long TOOL_HUNDREDTHS = 800;
    /** What Anthropic says before tools; between 260 and 530 tokens by model. */
    private static final long ANTHROPIC_TOOLS_HUNDREDTHS = 40_000;

    private static final Set<String> TURNS = Set.of("messages", "contents");
    private static final Set<String> TEXTS =
            Set.of("system", "systemInstruction", "system_instruction", "input", "prompt", "instructions");
    private static final Set<String> SCHEMAS =
            Set.of("tools", "functions", "response_format", "responseSchema", "output_format");
    /** What holds a schema among settings that are no text: Anthropic's and Gemini's. */
    private static final Set<String> SETTINGS = Set.of("output_config", "generationConfig", "generation_config");

    private static final Set<String> SCHEMAS_WITHIN =
            Set.of("format", "responseSchema", "responseJsonSchema", "response_schema", "response_json_schema");
    /** What stands beside text and is not read by the model, or is no text. */
    private static final Set<String> NO_TEXT = Set.of(
            "role",
            "type",
            "id",
            "tool_call_id",
            "tool_use_id",
            "call_id",
            "cache_control",
            "signature",
            "thoughtSignature",
            "thought_signature",
            "encrypted_content",
            "media_type",
            "mimeType",
            "mime_type",
            "input_audio",
            "file",
            "file_data",
            "fileData",
            "data");

    LexicalTokenEstimator {
        if (defaultOutput < 1) {
            throw new IllegalArgumentException("defaultOutput: " + defaultOutput + " (expected: >= 1)");
        }
    }

    @Override
    public TokenEstimate estimate(ModelRequest request) {
        long hundredths = REQUEST_HUNDREDTHS;
        for (Map.Entry<String, JsonValue> member : request.document().members().entrySet()) {
            hundredths += hundredths(member.getKey(), member.getValue(), request.form());
        }
        long output = times(request.maxOutputTokens().orElse(defaultOutput), request.choices());
        return new TokenEstimate((hundredths + 50) / 100, output);
    }

    private static long hundredths(String name, JsonValue value, Form form) {
        if (TURNS.contains(name)) {
            return text(value, form) + MESSAGE_HUNDREDTHS * value.asList().size();
        }
        if (TEXTS.contains(name)) {
            return text(value, form) + MESSAGE_HUNDREDTHS;
        }
        if (SETTINGS.contains(name)) {
            return value.asObject()
                    .map(settings -> settings.members().entrySet().stream()
                            .filter(setting -> SCHEMAS_WITHIN.contains(setting.getKey()))
                            .mapToLong(setting -> schema(setting.getValue()))
                            .sum())
                    .orElse(0L);
        }
        return SCHEMAS.contains(name) ? schemas(value, form) : 0;
    }

    private static long schemas(JsonValue value, Form form) {
        if (value instanceof JsonArray tools) {
            long count = tools.elements().stream()
                    .mapToLong(LexicalTokenEstimator::functions)
                    .sum();
            long preamble = form == Form.ANTHROPIC_MESSAGES && count > 0 ? ANTHROPIC_TOOLS_HUNDREDTHS : 0;
            return preamble + count * TOOL_HUNDREDTHS + schema(value);
        }
        return schema(value);
    }

    /** Gemini declares several functions in one tool. */
    private static long functions(JsonValue tool) {
        int declared = tool.asObject()
                .map(object -> object.list("functionDeclarations").size()
                        + object.list("function_declarations").size())
                .orElse(0);
        return Math.max(1, declared);
    }

    /** Vendors show a schema to the model in a shorter notation than JSON: names and words count, brackets do not. */
    private static long schema(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> TextTokens.hundredths(text);
            case JsonArray(List<JsonValue> elements) ->
                elements.stream().mapToLong(LexicalTokenEstimator::schema).sum();
            case JsonObject object ->
                object.members().entrySet().stream()
                        .mapToLong(member -> TextTokens.hundredths(member.getKey()) + schema(member.getValue()))
                        .sum();
            case JsonNumber number -> TextTokens.hundredths(number.toJson());
            case JsonBoolean flag -> 100;
            case JsonNull none -> 100;
        };
    }

    private static long text(JsonValue value, Form form) {
        return switch (value) {
            case JsonString(String text) -> TextTokens.hundredths(text);
            case JsonArray(List<JsonValue> elements) ->
                elements.stream().mapToLong(element -> text(element, form)).sum();
            case JsonObject object -> {
                long image = ImageTokens.of(object, form);
                yield image > 0 ? image * 100 : members(object, form);
            }
            case JsonNumber number -> 100;
            default -> 0;
        };
    }

    private static long members(JsonObject object, Form form) {
        return object.members().entrySet().stream()
                .filter(member -> !NO_TEXT.contains(member.getKey()))
                .mapToLong(member -> text(member.getValue(), form))
                .sum();
    }

    private static long times(long cap, long choices) {
        return cap > Long.MAX_VALUE / choices ? Long.MAX_VALUE : cap * choices;
    }

    @Override
    public String toString() {
        return "TokenEstimator.lexical(" + defaultOutput + ")";
    }
}
