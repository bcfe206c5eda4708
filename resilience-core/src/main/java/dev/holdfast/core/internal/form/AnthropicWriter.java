package dev.holdfast.core.internal.form;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Conversation.CallMode;
import dev.holdfast.core.internal.form.Conversation.ForeignTool;
import dev.holdfast.core.internal.form.Conversation.FunctionTool;
import dev.holdfast.core.internal.form.Conversation.OutputFormat;
import dev.holdfast.core.internal.form.Conversation.Placed;
import dev.holdfast.core.internal.form.Conversation.Setting;
import dev.holdfast.core.internal.form.Conversation.Tool;
import dev.holdfast.core.internal.form.Conversation.ToolChoice;
import dev.holdfast.core.internal.form.Part.ToolUse;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes Anthropic's Messages (platform.claude.com, "Messages API"). */
final class AnthropicWriter implements Writer {
    /** Structured outputs came with these models. */
    private static final int STRUCTURED = 405;
    /** From here on a temperature excludes a {@code top_p}. */
    private static final int ONE_SAMPLER = 401;
    /** From here on sampling is refused. */
    private static final int NO_SAMPLER = 407;

    private static final int ANY_NUMBER = 10_000;

    @Override
    public JsonObject write(Conversation conversation, Addressee addressee, Changes changes) {
        return conversation.form() == Form.ANTHROPIC_MESSAGES
                ? AnthropicRewriter.write(conversation)
                : new Draft(conversation, addressee, changes).write();
    }

    /** One document in the making. */
    private static final class Draft {
        private final Conversation conversation;
        private final Addressee addressee;
        private final Changes changes;
        private final Settings settings;
        private final int version;
        private final JsonObject.Builder document = JsonObject.builder();

        Draft(Conversation conversation, Addressee addressee, Changes changes) {
            this.conversation = CallIds.fit(conversation, addressee, changes);
            this.addressee = addressee;
            this.changes = changes;
            this.settings = new Settings(conversation.settings(), changes);
            this.version = ModelNames.claude(addressee.model());
        }

        JsonObject write() {
            document.with("model", JsonValue.of(addressee.model()));
            boolean jsonByWords =
                    conversation.format().filter(OutputFormat::json).isPresent() && !hasStructure();
            var messages = new AnthropicTurns(conversation, changes);
            JsonValue system =
                    messages.system(jsonByWords ? wordsFor(conversation.format().get()) : Optional.empty());
            if (system != null) {
                document.with("system", system);
            }
            document.with("messages", messages.messages());
            writeTools();
            var thinking = new AnthropicThinking(conversation, addressee, changes);
            JsonObject.Builder config = JsonObject.builder();
            thinking.write(document, config, settings);
            writeFormat(jsonByWords, config);
            writeSampling(thinking.isOn());
            writeRest();
            JsonObject output = config.build();
            if (!output.members().isEmpty()) {
                document.with("output_config", output);
            }
            return document.build();
        }

        private void writeTools() {
            var tools = new ArrayList<JsonValue>();
            for (Tool tool : conversation.tools()) {
                switch (tool) {
                    case FunctionTool function -> tools.add(tool(function));
                    case ForeignTool foreign -> changes.dropped(foreign.origin().place());
                }
            }
            boolean none = tools.isEmpty();
            if (none) {
                tools.addAll(usedTools());
            }
            if (tools.isEmpty()) {
                dropToolChoice();
                return;
            }
            document.with("tools", new JsonArray(tools));
            if (none) {
                changes.note(
                        Place.ROOT.member("tools"), "added: the tools of the history, none of which may be called");
                document.with("tool_choice", JsonObject.of("type", JsonValue.of("none")));
                dropToolChoice();
            } else {
                writeToolChoice();
            }
        }

        private void dropToolChoice() {
            conversation
                    .toolChoice()
                    .ifPresent(choice -> changes.note(choice.origin().place(), "dropped: there is no tool to choose"));
        }

        /** A history with tool calls is refused unless tools are named. */
        private List<JsonValue> usedTools() {
            Set<String> names = new LinkedHashSet<>();
            conversation
                    .turns()
                    .forEach(turn -> turn.parts().forEach(part -> {
                        if (part instanceof ToolUse use) {
                            names.add(use.name());
                        }
                    }));
            return names.stream()
                    .map(name -> (JsonValue) JsonObject.builder()
                            .with("name", JsonValue.of(name))
                            .with("input_schema", Schemas.ofAnyArguments())
                            .build())
                    .toList();
        }

        private JsonObject tool(FunctionTool function) {
            JsonObject.Builder tool = JsonObject.builder().with("name", JsonValue.of(function.name()));
            function.description().ifPresent(text -> tool.with("description", JsonValue.of(text)));
            JsonObject schema = function.schema()
                    .map(given -> Schemas.ofArguments(given, function.spelled()))
                    .orElseGet(Schemas::ofAnyArguments);
            boolean strict = function.strict().orElse(false);
            if (strict && version >= STRUCTURED) {
                JsonValue closed = Schemas.closed(schema);
                if (!closed.equals(schema)) {
                    changes.note(function.origin().place(), "objects closed by additionalProperties: false");
                }
                tool.with("input_schema", closed).with("strict", JsonValue.of(true));
            } else {
                tool.with("input_schema", schema);
                if (strict) {
                    changes.note(function.origin().place(), "strict dropped: the model does not know it");
                }
            }
            function.origin().cacheControl().ifPresent(hint -> tool.with("cache_control", hint));
            changes.dropped(function.origin());
            return tool.build();
        }

        private void writeToolChoice() {
            Optional<Boolean> parallel =
                    conversation.parallelCalls().map(flag -> flag.value().isTrue());
            Optional<ToolChoice> choice = conversation.toolChoice();
            if (choice.isEmpty() && parallel.orElse(true)) {
                return;
            }
            JsonObject.Builder written = JsonObject.builder();
            CallMode mode = choice.map(ToolChoice::mode).orElse(CallMode.AUTO);
            List<String> names = choice.map(ToolChoice::names).orElse(List.of());
            boolean one = mode == CallMode.REQUIRED && names.size() == 1;
            String type =
                    switch (mode) {
                        case AUTO -> "auto";
                        case NONE -> "none";
                        case REQUIRED -> one ? "tool" : "any";
                    };
            written.with("type", JsonValue.of(type));
            if (one) {
                written.with("name", JsonValue.of(names.getFirst()));
            } else if (!names.isEmpty()) {
                changes.note(
                        choice.orElseThrow().origin().place(), "widened to all tools: the target can name only one");
            }
            if (!parallel.orElse(true) && mode != CallMode.NONE) {
                written.with("disable_parallel_tool_use", JsonValue.of(true));
            }
            choice.ifPresent(each -> changes.dropped(each.origin()));
            document.with("tool_choice", written.build());
        }

        private boolean hasStructure() {
            return version >= STRUCTURED
                    && conversation.format().flatMap(OutputFormat::schema).isPresent();
        }

        /** What the system is told where the model knows no other way to JSON. */
        private static Optional<String> wordsFor(OutputFormat format) {
            return Optional.of(format.schema()
                    .map(schema -> "Answer with JSON alone, without Markdown, that is valid by this JSON Schema:\n"
                            + Schemas.json(schema, format.spelled()).toJson())
                    .orElse("Answer with one JSON object alone, without Markdown."));
        }

        private void writeFormat(boolean byWords, JsonObject.Builder config) {
            if (conversation.format().isEmpty()) {
                return;
            }
            OutputFormat format = conversation.format().get();
            changes.dropped(format.origin());
            if (byWords) {
                changes.note(format.origin().place(), "said in the system prompt: the target has no such mode");
            } else if (format.schema().isPresent()) {
                JsonValue json = Schemas.json(format.schema().get(), format.spelled());
                JsonValue closed = Schemas.closed(json);
                if (!closed.equals(json)) {
                    changes.note(format.origin().place(), "objects closed by additionalProperties: false");
                }
                changes.droppedAbout(format);
                config.with(
                        "format",
                        JsonObject.builder()
                                .with("type", JsonValue.of("json_schema"))
                                .with("schema", closed)
                                .build());
            }
        }

        private void writeSampling(boolean thinking) {
            if (version >= NO_SAMPLER) {
                for (Setting sampler : List.of(Setting.TEMPERATURE, Setting.TOP_P, Setting.TOP_K)) {
                    settings.drop(sampler, "the model takes no sampling");
                }
                return;
            }
            if (thinking) {
                settings.drop(Setting.TEMPERATURE, "a model that thinks takes no temperature");
                settings.drop(Setting.TOP_K, "a model that thinks takes no top_k");
            }
            if (version >= ONE_SAMPLER && settings.has(Setting.TEMPERATURE)) {
                settings.drop(Setting.TOP_P, "the model takes either a temperature or a top_p");
            }
            settings.writeUpTo(Setting.TEMPERATURE, "temperature", 1, document);
            settings.writeUpTo(Setting.TOP_P, "top_p", 1, document);
            settings.write(Setting.TOP_K, "top_k", document);
        }

        private void writeRest() {
            settings.writeStops("stop_sequences", ANY_NUMBER, false, document);
            Placed user = settings.take(Setting.USER);
            if (user != null) {
                document.with("metadata", JsonObject.of("user_id", user.value()));
            }
            Placed tier = settings.take(Setting.SERVICE_TIER);
            if (tier != null) {
                String word = Map.of("auto", "auto", "default", "standard_only")
                        .getOrDefault(tier.value().asText().orElse(""), "");
                if (word.isEmpty()) {
                    changes.dropped(tier.place());
                } else {
                    document.with("service_tier", JsonValue.of(word));
                }
            }
            settings.take(Setting.STREAM);
            if (conversation.streaming()) {
                document.with("stream", JsonValue.of(true));
            }
            settings.reportRest();
            changes.dropped(conversation.origin());
        }
    }
}
