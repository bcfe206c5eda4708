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
import dev.holdfast.core.internal.form.Conversation.Tool;
import dev.holdfast.core.internal.form.Conversation.ToolChoice;
import dev.holdfast.spi.DialectException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads Anthropic's Messages. */
final class AnthropicReader implements Reader {
    @Override
    public Conversation read(ModelRequest request) throws DialectException {
        Fields fields = Fields.of(request.document(), Place.ROOT);
        var into = new Conversation.Builder(Form.ANTHROPIC_MESSAGES);
        into.model = fields.text("model").orElse(request.model());
        AnthropicMessages.read(fields, into);
        readTools(fields, into);
        readSettings(fields, into);
        Map<String, JsonObject> untouched = readThinkingAndFormat(fields, into);
        JsonObject metadata = readUser(fields, into);
        into.streaming = request.streaming();
        Origin origin = Merge.with(fields.origin(), untouched);
        return into.build(Merge.with(origin, "metadata", metadata));
    }

    private static void readTools(Fields fields, Conversation.Builder into) throws DialectException {
        List<JsonValue> tools = fields.list("tools", "an array of tools");
        for (int i = 0; i < tools.size(); i++) {
            into.tools.add(tool(tools.get(i), fields.place("tools").element(i), i));
        }
        Fields choice = fields.inner("tool_choice", "an object");
        if (choice != null) {
            readToolChoice(choice, into);
        }
    }

    private static Tool tool(JsonValue value, Place place, int index) throws DialectException {
        Fields tool = Fields.of(value, place, "a tool");
        Optional<String> type = tool.text("type");
        if (type.isPresent() && !type.get().equals("custom")) {
            return new ForeignTool(value, index, Origin.of(place));
        }
        String name = tool.neededText("name", "a string");
        Optional<String> description = tool.text("description");
        JsonValue schema = tool.take("input_schema");
        if (schema == null) {
            throw Fields.wrong(tool.place("input_schema"), "missing", "a JSON Schema");
        }
        Fields.object(schema, tool.place("input_schema"), "a JSON Schema");
        Optional<Boolean> strict = tool.flag("strict");
        return new FunctionTool(
                name, description, Optional.of(schema), Spelling.JSON_SCHEMA, strict, index, tool.hintedOrigin());
    }

    private static void readToolChoice(Fields choice, Conversation.Builder into) throws DialectException {
        String type = choice.neededText("type", "auto, any, tool or none");
        Optional<Boolean> disabled = choice.flag("disable_parallel_tool_use");
        disabled.ifPresent(flag ->
                into.parallelCalls = new Placed(JsonValue.of(!flag), choice.place("disable_parallel_tool_use")));
        List<String> names = type.equals("tool") ? List.of(choice.neededText("name", "a tool's name")) : List.of();
        CallMode mode =
                switch (type) {
                    case "auto" -> CallMode.AUTO;
                    case "none" -> CallMode.NONE;
                    case "any", "tool" -> CallMode.REQUIRED;
                    default -> throw Fields.wrong(choice.place("type"), "unknown", "auto, any, tool or none");
                };
        into.toolChoice = new ToolChoice(mode, names, choice.object(), choice.origin());
    }

    private static void readSettings(Fields fields, Conversation.Builder into) throws DialectException {
        JsonNumber cap = fields.count("max_tokens", 1);
        if (cap == null) {
            throw Fields.wrong(fields.place("max_tokens"), "missing", ">= 1");
        }
        fields.set(into, Setting.MAX_TOKENS, "max_tokens", cap);
        fields.set(into, Setting.TEMPERATURE, "temperature", fields.number("temperature"));
        fields.set(into, Setting.TOP_P, "top_p", fields.number("top_p"));
        fields.set(into, Setting.TOP_K, "top_k", fields.number("top_k"));
        if (!(fields.object().members().get("stop_sequences") instanceof JsonString)) {
            fields.set(into, Setting.STOP, "stop_sequences", OpenAiReader.stop(fields, "stop_sequences"));
        } else {
            throw Fields.wrong(fields.place("stop_sequences"), "no array", "an array of strings");
        }
        Optional<Boolean> stream = fields.flag("stream");
        fields.set(into, Setting.STREAM, "stream", stream.isEmpty() ? null : JsonValue.of(stream.get()));
        Optional<String> tier = fields.text("service_tier");
        fields.set(into, Setting.SERVICE_TIER, "service_tier", tier.isEmpty() ? null : JsonValue.of(tier.get()));
    }

    /** What of {@code thinking} and {@code output_config} nobody has read, by the member. */
    private static Map<String, JsonObject> readThinkingAndFormat(Fields fields, Conversation.Builder into)
            throws DialectException {
        var untouched = new LinkedHashMap<String, JsonObject>();
        var said = new LinkedHashMap<String, JsonValue>();
        Thinking.Mode mode = Thinking.Mode.UNSAID;
        Optional<Placed> budget = Optional.empty();
        Optional<Placed> shown = Optional.empty();
        Place place = fields.place("thinking");
        Fields thinking = fields.inner("thinking", "an object");
        if (thinking != null) {
            said.put("thinking", thinking.object());
            mode = mode(thinking);
            budget = thinking.placed("budget_tokens", thinking.count("budget_tokens", 1));
            Optional<String> display = thinking.text("display");
            shown = display.map(word -> new Placed(JsonValue.of(!word.equals("omitted")), thinking.place("display")));
            untouched.put("thinking", thinking.rest());
        }
        Optional<Placed> effort = Optional.empty();
        Fields config = fields.inner("output_config", "an object");
        if (config != null) {
            effort = config.placedText("effort");
            effort.ifPresent(word -> said.put("effort", word.value()));
            place = effort.isPresent() && thinking == null ? config.place("effort") : place;
            readFormat(config.inner("format", "an object"), into);
            untouched.put("output_config", config.rest());
        }
        readFormat(fields.inner("output_format", "an object"), into);
        if (!said.isEmpty()) {
            into.thinking = new Thinking(mode, effort, budget, shown, said, place);
        }
        return untouched;
    }

    private static Thinking.Mode mode(Fields thinking) throws DialectException {
        return switch (thinking.neededText("type", "enabled, disabled or adaptive")) {
            case "enabled" -> Thinking.Mode.ON;
            case "disabled" -> Thinking.Mode.OFF;
            case "adaptive" -> Thinking.Mode.ADAPTIVE;
            default -> throw Fields.wrong(thinking.place("type"), "unknown", "enabled, disabled or adaptive");
        };
    }

    private static void readFormat(@Nullable Fields format, Conversation.Builder into) throws DialectException {
        if (format == null) {
            return;
        }
        if (!format.neededText("type", "json_schema").equals("json_schema")) {
            throw Fields.wrong(format.place("type"), "unknown", "json_schema");
        }
        JsonValue schema = format.take("schema");
        if (schema == null) {
            throw Fields.wrong(format.place("schema"), "missing", "a JSON Schema");
        }
        Fields.object(schema, format.place("schema"), "a JSON Schema");
        into.format = new OutputFormat(
                true,
                Optional.of(schema),
                Spelling.JSON_SCHEMA,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                format.origin());
    }

    /** What of {@code metadata} is not the user's id. */
    private static JsonObject readUser(Fields fields, Conversation.Builder into) throws DialectException {
        Fields metadata = fields.inner("metadata", "an object");
        if (metadata == null) {
            return JsonObject.empty();
        }
        Optional<String> user = metadata.text("user_id");
        metadata.set(into, Setting.USER, "user_id", user.isEmpty() ? null : JsonValue.of(user.get()));
        return metadata.rest();
    }
}
