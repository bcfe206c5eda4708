package dev.holdfast.core.internal.form;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads OpenAI's chat completions, and what compatible servers have added. */
final class OpenAiReader implements Reader {
    /** Members that are a setting each, with the least value of those that are whole numbers. */
    private static final Map<String, Setting> NUMBERS = Map.of(
            "temperature", Setting.TEMPERATURE,
            "top_p", Setting.TOP_P,
            "frequency_penalty", Setting.FREQUENCY_PENALTY,
            "presence_penalty", Setting.PRESENCE_PENALTY,
            "seed", Setting.SEED,
            "top_k", Setting.TOP_K,
            "top_logprobs", Setting.TOP_LOGPROBS);

    @Override
    public Conversation read(ModelRequest request) throws DialectException {
        Fields fields = Fields.of(request.document(), Place.ROOT);
        var into = new Conversation.Builder(Form.OPENAI_CHAT);
        into.model = fields.text("model").orElse(request.model());
        OpenAiMessages.read(fields, into);
        readTools(fields, into);
        readFormat(fields, into);
        Map<String, JsonObject> untouched = readThinking(fields, into);
        readSettings(fields, into);
        into.streaming = request.streaming();
        return into.build(Merge.with(fields.origin(), untouched));
    }

    private static void readTools(Fields fields, Conversation.Builder into) throws DialectException {
        List<JsonValue> tools = fields.list("tools", "an array of tools");
        for (int i = 0; i < tools.size(); i++) {
            into.tools.add(tool(tools.get(i), fields.place("tools").element(i), i));
        }
        JsonValue choice = fields.take("tool_choice");
        if (choice != null) {
            into.toolChoice = toolChoice(choice, fields.place("tool_choice"));
        }
        Optional<Boolean> parallel = fields.flag("parallel_tool_calls");
        parallel.ifPresent(
                flag -> into.parallelCalls = new Placed(JsonValue.of(flag), fields.place("parallel_tool_calls")));
    }

    private static Tool tool(JsonValue value, Place place, int index) throws DialectException {
        Fields tool = Fields.of(value, place, "a tool");
        if (!tool.has("function")) {
            return new ForeignTool(value, index, Origin.of(place));
        }
        Optional<String> type = tool.text("type");
        if (type.isPresent() && !type.get().equals("function")) {
            return new ForeignTool(value, index, Origin.of(place));
        }
        Fields function = tool.neededInner("function", "an object");
        String name = function.neededText("name", "a string");
        Optional<String> description = function.text("description");
        JsonValue schema = function.take("parameters");
        if (schema != null) {
            Fields.object(schema, function.place("parameters"), "a JSON Schema");
        }
        Optional<Boolean> strict = function.flag("strict");
        return new FunctionTool(
                name,
                description,
                Optional.ofNullable(schema),
                Spelling.JSON_SCHEMA,
                strict,
                index,
                Merge.with(tool.hintedOrigin(), "function", function.rest()));
    }

    private static ToolChoice toolChoice(JsonValue value, Place place) throws DialectException {
        if (value instanceof JsonString(String word)) {
            return new ToolChoice(mode(word, place), List.of(), value, Origin.of(place));
        }
        Fields choice = Fields.of(value, place, "a string or an object");
        String type = choice.text("type").orElse("function");
        if (type.equals("allowed_tools")) {
            Fields allowed = choice.neededInner("allowed_tools", "an object");
            CallMode mode = mode(allowed.text("mode").orElse("auto"), allowed.place("mode"));
            return new ToolChoice(mode, names(allowed), value, Origin.of(place));
        }
        Fields named = choice.inner(type, "an object");
        String name =
                named == null ? choice.neededText("name", "a tool's name") : named.neededText("name", "a tool's name");
        return new ToolChoice(CallMode.REQUIRED, List.of(name), value, Origin.of(place));
    }

    /** The names of the tools that are allowed; that of a tool without one is blank. */
    private static List<String> names(Fields allowed) throws DialectException {
        var names = new ArrayList<String>();
        List<JsonValue> tools = allowed.list("tools", "an array of tools");
        for (int i = 0; i < tools.size(); i++) {
            Fields tool = Fields.of(tools.get(i), allowed.place("tools").element(i), "an object");
            Fields named = tool.inner(tool.neededText("type", "the kind of tool"), "an object");
            names.add(named == null ? "" : named.neededText("name", "a tool's name"));
        }
        return names;
    }

    private static CallMode mode(String word, Place place) throws DialectException {
        return switch (word) {
            case "auto" -> CallMode.AUTO;
            case "none" -> CallMode.NONE;
            case "required", "any" -> CallMode.REQUIRED;
            default -> throw Fields.wrong(place, "unknown", "auto, none, required or an object");
        };
    }

    private static void readFormat(Fields fields, Conversation.Builder into) throws DialectException {
        JsonValue value = fields.object().members().get("response_format");
        if (value == null || value.isNull()) {
            return;
        }
        Fields format = Fields.of(value, fields.place("response_format"), "an object");
        String type = format.neededText("type", "text, json_object or json_schema");
        switch (type) {
            case "text" -> into.format = plainFormat(format, false);
            case "json_object" -> into.format = plainFormat(format, true);
            case "json_schema" -> into.format = schemaFormat(format);
            default -> {
                // A grammar or the like: it stays among what only this form knows.
                return;
            }
        }
        fields.take("response_format");
    }

    private static OutputFormat plainFormat(Fields format, boolean json) {
        return new OutputFormat(
                json,
                Optional.empty(),
                Spelling.JSON_SCHEMA,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                format.origin());
    }

    private static OutputFormat schemaFormat(Fields format) throws DialectException {
        Fields named = format.neededInner("json_schema", "an object");
        JsonValue schema = named.take("schema");
        if (schema != null) {
            Fields.object(schema, named.place("schema"), "a JSON Schema");
        }
        return new OutputFormat(
                true,
                Optional.ofNullable(schema),
                Spelling.JSON_SCHEMA,
                named.text("name"),
                named.text("description"),
                named.flag("strict"),
                Merge.with(format.origin(), "json_schema", named.rest()));
    }

    /**
     * {@code reasoning_effort} is OpenAI's, {@code reasoning} OpenRouter's, {@code thinking} DeepSeek's. An effort in
     * {@code reasoning} goes before the other. Gives what of the last two nobody has read, by the member.
     */
    private static Map<String, JsonObject> readThinking(Fields fields, Conversation.Builder into)
            throws DialectException {
        var untouched = new LinkedHashMap<String, JsonObject>();
        var said = new LinkedHashMap<String, JsonValue>();
        Fields reasoning = fields.inner("reasoning", "an object");
        Optional<Placed> effort = reasoning != null && reasoning.has("effort")
                ? reasoning.placedText("effort")
                : fields.placedText("reasoning_effort");
        boolean byName = effort.isPresent() && effort.get().place().name().equals("reasoning_effort");
        if (byName) {
            said.put("reasoning_effort", effort.get().value());
        }
        Thinking.Mode mode = effort.map(OpenAiReader::modeOf).orElse(Thinking.Mode.UNSAID);
        Place place = effort.map(Placed::place).orElse(fields.place("reasoning"));
        Optional<Placed> budget = Optional.empty();
        Optional<Placed> shown = Optional.empty();
        if (reasoning != null) {
            said.put("reasoning", reasoning.object());
            budget = reasoning.placed("max_tokens", reasoning.count("max_tokens", 0));
            shown = reasoning
                    .flag("exclude")
                    .map(excluded -> new Placed(JsonValue.of(!excluded), reasoning.place("exclude")));
            Optional<Boolean> enabled = reasoning.flag("enabled");
            place = reasoning.place();
            boolean off = !enabled.orElse(true);
            mode = off ? Thinking.Mode.OFF : effort.isPresent() ? mode : Thinking.Mode.ON;
            untouched.put("reasoning", reasoning.rest());
        }
        Fields thinking = fields.inner("thinking", "an object");
        if (thinking != null) {
            said.put("thinking", thinking.object());
            Thinking.Mode own = modeOf(thinking);
            boolean off = own == Thinking.Mode.OFF;
            mode = off || mode == Thinking.Mode.UNSAID ? own : mode;
            place = off || said.size() == 1 ? thinking.place() : place;
            untouched.put("thinking", thinking.rest());
        }
        if (!said.isEmpty()) {
            into.thinking = new Thinking(mode, effort.filter(OpenAiReader::isMeasure), budget, shown, said, place);
        }
        return untouched;
    }

    private static Thinking.Mode modeOf(Fields thinking) throws DialectException {
        return switch (thinking.text("type").orElse("enabled")) {
            case "enabled" -> Thinking.Mode.ON;
            case "disabled" -> Thinking.Mode.OFF;
            case "adaptive", "auto" -> Thinking.Mode.ADAPTIVE;
            default -> throw Fields.wrong(thinking.place("type"), "unknown", "enabled, disabled or auto");
        };
    }

    private static boolean isMeasure(Placed effort) {
        return modeOf(effort) == Thinking.Mode.ON;
    }

    private static Thinking.Mode modeOf(Placed effort) {
        return effort.value().asText().filter("none"::equals).isPresent() ? Thinking.Mode.OFF : Thinking.Mode.ON;
    }

    private static void readSettings(Fields fields, Conversation.Builder into) throws DialectException {
        String cap = fields.has("max_completion_tokens") ? "max_completion_tokens" : "max_tokens";
        fields.set(into, Setting.MAX_TOKENS, cap, fields.count(cap, 1));
        for (Map.Entry<String, Setting> number : NUMBERS.entrySet()) {
            fields.set(into, number.getValue(), number.getKey(), fields.number(number.getKey()));
        }
        fields.set(into, Setting.CHOICES, "n", fields.count("n", 1));
        fields.set(into, Setting.STOP, "stop", stop(fields, "stop"));
        setFlag(fields, into, Setting.LOGPROBS, "logprobs");
        setFlag(fields, into, Setting.STREAM, "stream");
        String user = fields.has("user") ? "user" : "safety_identifier";
        setText(fields, into, Setting.USER, user);
        setText(fields, into, Setting.SERVICE_TIER, "service_tier");
        Optional<JsonObject> options = fields.object().object("stream_options");
        if (options.filter(each ->
                        each.members().size() == 1 && each.get("include_usage").isPresent())
                .isPresent()) {
            Fields usage = fields.neededInner("stream_options", "an object");
            setFlag(usage, into, Setting.STREAM_USAGE, "include_usage");
        }
    }

    private static void setFlag(Fields fields, Conversation.Builder into, Setting setting, String name)
            throws DialectException {
        Optional<Boolean> flag = fields.flag(name);
        fields.set(into, setting, name, flag.isEmpty() ? null : JsonValue.of(flag.get()));
    }

    private static void setText(Fields fields, Conversation.Builder into, Setting setting, String name)
            throws DialectException {
        Optional<String> text = fields.text(name);
        fields.set(into, setting, name, text.isEmpty() ? null : JsonValue.of(text.get()));
    }

    /** One text or a list of them. */
    static @Nullable JsonValue stop(Fields fields, String name) throws DialectException {
        JsonValue stop = fields.take(name);
        if (stop == null || stop instanceof JsonString) {
            return stop;
        }
        List<JsonValue> texts = Fields.array(stop, fields.place(name), "a string or an array of strings");
        for (int i = 0; i < texts.size(); i++) {
            Fields.text(texts.get(i), fields.place(name).element(i), "a string");
        }
        return stop;
    }
}
