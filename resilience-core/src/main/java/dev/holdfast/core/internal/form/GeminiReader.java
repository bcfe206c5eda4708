package dev.holdfast.core.internal.form;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Conversation.CallMode;
import dev.holdfast.core.internal.form.Conversation.ForeignTool;
import dev.holdfast.core.internal.form.Conversation.FunctionTool;
import dev.holdfast.core.internal.form.Conversation.OutputFormat;
import dev.holdfast.core.internal.form.Conversation.Placed;
import dev.holdfast.core.internal.form.Conversation.Setting;
import dev.holdfast.core.internal.form.Conversation.Spelling;
import dev.holdfast.core.internal.form.Conversation.Thinking;
import dev.holdfast.core.internal.form.Conversation.ToolChoice;
import dev.holdfast.spi.DialectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads Gemini's {@code generateContent}, whose members may be spelled in camel case or with underscores. */
final class GeminiReader implements Reader {
    private static final Map<String, Setting> NUMBERS = Map.of(
            "temperature", Setting.TEMPERATURE,
            "topP", Setting.TOP_P,
            "topK", Setting.TOP_K,
            "frequencyPenalty", Setting.FREQUENCY_PENALTY,
            "presencePenalty", Setting.PRESENCE_PENALTY,
            "seed", Setting.SEED,
            "logprobs", Setting.TOP_LOGPROBS);

    @Override
    public Conversation read(ModelRequest request) throws DialectException {
        Fields fields = Fields.proto(request.document(), Place.ROOT, "an object");
        var into = new Conversation.Builder(Form.GEMINI_CONTENT);
        into.model = request.model();
        into.streaming = request.streaming();
        GeminiContents.read(fields, into);
        readTools(fields, into);
        JsonObject toolConfig = readToolConfig(fields, into);
        JsonObject config = readConfig(fields, into);
        Origin origin = Merge.with(fields.origin(), "toolConfig", toolConfig);
        return into.build(Merge.with(origin, "generationConfig", config));
    }

    private static void readTools(Fields fields, Conversation.Builder into) throws DialectException {
        List<JsonValue> tools = fields.list("tools", "an array of tools");
        for (int i = 0; i < tools.size(); i++) {
            Place place = fields.place("tools").element(i);
            Fields entry = Fields.proto(tools.get(i), place, "a tool");
            Place within = entry.place("functionDeclarations");
            List<JsonValue> declared = entry.list("functionDeclarations", "an array of declarations");
            for (int j = 0; j < declared.size(); j++) {
                into.tools.add(function(Fields.proto(declared.get(j), within.element(j), "a declaration"), i));
            }
            JsonObject rest = entry.rest();
            if (!rest.members().isEmpty()) {
                into.tools.add(new ForeignTool(rest, i, Origin.of(place)));
            }
        }
    }

    private static FunctionTool function(Fields declared, int group) throws DialectException {
        String name = declared.neededText("name", "a string");
        Optional<String> description = declared.text("description");
        boolean json = declared.has("parametersJsonSchema");
        String member = json ? "parametersJsonSchema" : "parameters";
        JsonValue schema = declared.take(member);
        if (schema != null) {
            Fields.object(schema, declared.place(member), "a schema");
        }
        return new FunctionTool(
                name,
                description,
                Optional.ofNullable(schema),
                json ? Spelling.JSON_SCHEMA : Spelling.OPEN_API,
                Optional.empty(),
                group,
                declared.origin());
    }

    private static JsonObject readToolConfig(Fields fields, Conversation.Builder into) throws DialectException {
        Fields config = fields.innerProto("toolConfig");
        if (config == null) {
            return JsonObject.empty();
        }
        Fields calling = config.innerProto("functionCallingConfig");
        if (calling != null) {
            Place place = calling.place("mode");
            String said = calling.text("mode").orElse("AUTO");
            CallMode mode =
                    switch (said.toUpperCase(Locale.ROOT)) {
                        case "AUTO", "VALIDATED", "MODE_UNSPECIFIED" -> CallMode.AUTO;
                        case "NONE" -> CallMode.NONE;
                        case "ANY" -> CallMode.REQUIRED;
                        default -> throw Fields.wrong(place, "unknown", "AUTO, ANY, NONE or VALIDATED");
                    };
            var names = new ArrayList<String>();
            List<JsonValue> allowed = calling.list("allowedFunctionNames", "an array of names");
            for (int i = 0; i < allowed.size(); i++) {
                Place at = calling.place("allowedFunctionNames").element(i);
                names.add(Fields.text(allowed.get(i), at, "a name"));
            }
            into.toolChoice = new ToolChoice(mode, names, calling.object(), calling.origin());
        }
        return config.rest();
    }

    /** What of {@code generationConfig} no other form knows. */
    private static JsonObject readConfig(Fields fields, Conversation.Builder into) throws DialectException {
        Fields config = fields.innerProto("generationConfig");
        if (config == null) {
            return JsonObject.empty();
        }
        config.set(into, Setting.MAX_TOKENS, "maxOutputTokens", config.count("maxOutputTokens", 1));
        config.set(into, Setting.CHOICES, "candidateCount", config.count("candidateCount", 1));
        for (Map.Entry<String, Setting> number : NUMBERS.entrySet()) {
            config.set(into, number.getValue(), number.getKey(), config.number(number.getKey()));
        }
        if (config.object().members().get("stopSequences") instanceof JsonString) {
            throw Fields.wrong(config.place("stopSequences"), "no array", "an array of strings");
        }
        config.set(into, Setting.STOP, "stopSequences", OpenAiReader.stop(config, "stopSequences"));
        Optional<Boolean> logprobs = config.flag("responseLogprobs");
        config.set(
                into, Setting.LOGPROBS, "responseLogprobs", logprobs.isEmpty() ? null : JsonValue.of(logprobs.get()));
        readFormat(config, into);
        JsonObject thinking = readThinking(config, into);
        return Merge.with(config.origin(), "thinkingConfig", thinking).rest();
    }

    private static void readFormat(Fields config, Conversation.Builder into) throws DialectException {
        boolean open = config.has("responseSchema");
        String member = open ? "responseSchema" : "responseJsonSchema";
        JsonValue type = config.object().members().get("responseMimeType") == null
                ? config.object().members().get("response_mime_type")
                : config.object().members().get("responseMimeType");
        String said = type == null ? "" : type.asText().orElse("");
        boolean json = said.equals("application/json");
        if (!json && !said.equals("text/plain")) {
            return;
        }
        Place place = config.place("responseMimeType");
        config.take("responseMimeType");
        JsonValue schema = config.take(member);
        if (schema != null) {
            Fields.object(schema, config.place(member), "a schema");
        }
        into.format = new OutputFormat(
                json,
                Optional.ofNullable(schema),
                open ? Spelling.OPEN_API : Spelling.JSON_SCHEMA,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Origin.of(schema == null ? place : config.place(member)));
    }

    private static JsonObject readThinking(Fields config, Conversation.Builder into) throws DialectException {
        Fields thinking = config.innerProto("thinkingConfig");
        if (thinking == null) {
            return JsonObject.empty();
        }
        JsonNumber budget = thinking.count("thinkingBudget", -1);
        Optional<Placed> effort = thinking.text("thinkingLevel")
                .map(level ->
                        new Placed(JsonValue.of(level.toLowerCase(Locale.ROOT)), thinking.place("thinkingLevel")));
        Optional<Placed> shown = thinking.flag("includeThoughts")
                .map(flag -> new Placed(JsonValue.of(flag), thinking.place("includeThoughts")));
        JsonObject rest = thinking.rest();
        Thinking.Mode mode = effort.isPresent() ? Thinking.Mode.ON : mode(budget);
        Place place = effort.isPresent()
                ? thinking.place("thinkingLevel")
                : thinking.place(budget == null ? "includeThoughts" : "thinkingBudget");
        Optional<Placed> counted =
                thinking.placed("thinkingBudget", effort.isPresent() || isMeasure(budget) ? budget : null);
        into.thinking = new Thinking(mode, effort, counted, shown, Map.of("thinkingConfig", thinking.object()), place);
        return rest;
    }

    /** 0 is off and -1 as the model likes: both are modes. */
    private static boolean isMeasure(@Nullable JsonNumber budget) {
        return mode(budget) == Thinking.Mode.ON;
    }

    private static Thinking.Mode mode(@Nullable JsonNumber budget) {
        if (budget == null) {
            return Thinking.Mode.UNSAID;
        }
        long tokens = budget.asLong().orElse(0);
        return tokens < 0 ? Thinking.Mode.ADAPTIVE : tokens == 0 ? Thinking.Mode.OFF : Thinking.Mode.ON;
    }
}
