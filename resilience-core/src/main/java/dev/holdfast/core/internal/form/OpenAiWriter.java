package dev.holdfast.core.internal.form;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonBoolean;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Conversation.ForeignTool;
import dev.holdfast.core.internal.form.Conversation.FunctionTool;
import dev.holdfast.core.internal.form.Conversation.OutputFormat;
import dev.holdfast.core.internal.form.Conversation.Placed;
import dev.holdfast.core.internal.form.Conversation.Setting;
import dev.holdfast.core.internal.form.Conversation.Thinking;
import dev.holdfast.core.internal.form.Conversation.Tool;
import dev.holdfast.core.internal.form.Conversation.ToolChoice;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes OpenAI's chat completions (platform.openai.com, "Chat Completions API"), as each vendor of that form takes them.
 */
final class OpenAiWriter implements Writer {
    private static final int MOST_STOPS = 4;

    @Override
    public JsonObject write(Conversation conversation, Addressee addressee, Changes changes) {
        return conversation.form() == Form.OPENAI_CHAT
                ? OpenAiRewriter.write(conversation)
                : new Draft(conversation, addressee, changes).write();
    }

    /** One document in the making. */
    private static final class Draft {
        private final Conversation conversation;
        private final Vendor vendor;
        private final String model;
        private final Changes changes;
        private final Settings settings;
        /** Whether it is OpenAI's own model that thinks: it takes a cap of another name, and no sampling. */
        private final boolean reasoning;

        private final boolean tools;
        private final JsonObject.Builder document = JsonObject.builder();
        private final Addressee addressee;

        Draft(Conversation conversation, Addressee addressee, Changes changes) {
            this.conversation = CallIds.fit(conversation, addressee, changes);
            this.addressee = addressee;
            this.vendor = addressee.vendor();
            this.model = addressee.model();
            this.changes = changes;
            this.settings = new Settings(conversation.settings(), changes);
            this.reasoning = OpenAiNames.isReasoning(addressee);
            this.tools = conversation.tools().stream().anyMatch(FunctionTool.class::isInstance);
        }

        JsonObject write() {
            document.with("model", JsonValue.of(model));
            document.with("messages", new OpenAiTurns(addressee, changes).messages(conversation.turns()));
            writeTools();
            writeToolChoice();
            conversation.format().ifPresent(this::writeFormat);
            conversation.thinking().ifPresent(this::writeThinking);
            settings.writeCap(OpenAiNames.cap(addressee), addressee, document);
            writeSampling();
            writeRest();
            return document.build();
        }

        private void writeTools() {
            var written = new ArrayList<JsonValue>();
            for (Tool tool : conversation.tools()) {
                switch (tool) {
                    case FunctionTool function -> written.add(tool(function));
                    case ForeignTool foreign -> changes.dropped(foreign.origin().place());
                }
            }
            if (!written.isEmpty()) {
                document.with("tools", new JsonArray(written));
            }
        }

        private JsonObject tool(FunctionTool tool) {
            JsonObject.Builder function = JsonObject.builder().with("name", JsonValue.of(tool.name()));
            tool.description().ifPresent(text -> function.with("description", JsonValue.of(text)));
            writeArguments(tool, function);
            JsonObject.Builder written =
                    JsonObject.builder().with("type", JsonValue.of("function")).with("function", function.build());
            if (vendor == Vendor.OPENROUTER) {
                tool.origin().cacheControl().ifPresent(hint -> written.with("cache_control", hint));
            } else {
                changes.droppedHint(tool.origin());
            }
            changes.dropped(tool.origin());
            return written.build();
        }

        private void writeArguments(FunctionTool tool, JsonObject.Builder function) {
            Optional<JsonValue> schema = tool.schema().map(given -> Schemas.ofArguments(given, tool.spelled()));
            if (promisesSchemas() && schema.isPresent() && tool.strict().orElse(false)) {
                writeKept("parameters", schema.get(), tool.origin().place(), function);
                return;
            }
            schema.ifPresent(given -> function.with("parameters", given));
            tool.strict().ifPresent(flag -> function.with("strict", JsonValue.of(flag)));
        }

        /** Whether the vendor keeps to a schema where it is told to, and refuses one that it cannot keep to. */
        private boolean promisesSchemas() {
            return vendor == Vendor.OPENAI || vendor == Vendor.AZURE;
        }

        /** A schema that the source's vendor keeps to. */
        private void writeKept(String member, JsonValue schema, Place place, JsonObject.Builder into) {
            Optional<JsonValue> strict = promisesSchemas() ? StrictSchema.of(schema) : Optional.empty();
            if (strict.isEmpty()) {
                into.with(member, schema);
                changes.note(place, "the target does not promise to keep to this schema");
                return;
            }
            if (!strict.get().equals(schema)) {
                changes.note(place, "objects closed by additionalProperties: false");
            }
            into.with(member, strict.get()).with("strict", JsonValue.of(true));
        }

        private void writeToolChoice() {
            conversation.toolChoice().ifPresent(choice -> {
                changes.dropped(choice.origin());
                if (tools) {
                    document.with("tool_choice", toolChoice(choice));
                } else {
                    changes.note(choice.origin().place(), "dropped: there is no tool to choose");
                }
            });
            conversation.parallelCalls().ifPresent(flag -> {
                if (tools) {
                    document.with("parallel_tool_calls", flag.value());
                }
            });
        }

        private JsonValue toolChoice(ToolChoice choice) {
            String word =
                    switch (choice.mode()) {
                        case AUTO -> "auto";
                        case NONE -> "none";
                        case REQUIRED -> vendor == Vendor.MISTRAL ? "any" : "required";
                    };
            List<JsonValue> named = choice.names().stream()
                    .map(name -> (JsonValue) JsonObject.builder()
                            .with("type", JsonValue.of("function"))
                            .with("function", JsonObject.of("name", JsonValue.of(name)))
                            .build())
                    .toList();
            if (named.isEmpty()) {
                return JsonValue.of(word);
            }
            if (named.size() == 1 && choice.mode() == Conversation.CallMode.REQUIRED) {
                return named.getFirst();
            }
            if (vendor != Vendor.OPENAI && vendor != Vendor.AZURE) {
                changes.note(choice.origin().place(), "widened to all tools: the target can name only one");
                return JsonValue.of(word);
            }
            JsonObject allowed = JsonObject.builder()
                    .with("mode", JsonValue.of(word))
                    .with("tools", new JsonArray(named))
                    .build();
            return JsonObject.builder()
                    .with("type", JsonValue.of("allowed_tools"))
                    .with("allowed_tools", allowed)
                    .build();
        }

        private void writeFormat(OutputFormat format) {
            changes.dropped(format.origin());
            if (!format.json()) {
                return;
            }
            if (format.schema().isEmpty() || vendor == Vendor.DEEPSEEK) {
                format.schema()
                        .ifPresent(schema -> changes.note(
                                format.origin().place(), "schema dropped: the target knows only JSON without one"));
                document.with("response_format", JsonObject.of("type", JsonValue.of("json_object")));
                return;
            }
            JsonObject.Builder named =
                    JsonObject.builder().with("name", JsonValue.of(format.name().orElse("answer")));
            JsonValue schema = Schemas.json(format.schema().get(), format.spelled());
            writeKept("schema", schema, format.origin().place(), named);
            document.with(
                    "response_format",
                    JsonObject.builder()
                            .with("type", JsonValue.of("json_schema"))
                            .with("json_schema", named.build())
                            .build());
        }

        private void writeThinking(Thinking thinking) {
            switch (vendor) {
                case OPENROUTER -> writeReasoning(thinking);
                case DEEPSEEK -> writeSwitch(thinking);
                default -> writeEffort(thinking);
            }
        }

        /** OpenRouter takes one measure, and none where the model is not to think. */
        private void writeReasoning(Thinking thinking) {
            boolean thinks = thinking.mode() == Thinking.Mode.ON || thinking.mode() == Thinking.Mode.ADAPTIVE;
            if (!thinks || thinking.budget().isPresent()) {
                Efforts.unused(thinking.effort(), "the target takes one measure", changes);
            }
            if (!thinks) {
                Efforts.unused(thinking.budget(), "the model is not to think", changes);
            }
            OpenAiNames.openRouter(thinking).ifPresent(said -> document.with("reasoning", said));
        }

        private void writeSwitch(Thinking thinking) {
            if (thinking.mode() == Thinking.Mode.UNSAID) {
                Efforts.dropped(thinking, Changes.DROPPED, changes);
                return;
            }
            boolean off = thinking.mode() == Thinking.Mode.OFF;
            document.with("thinking", JsonObject.of("type", JsonValue.of(off ? "disabled" : "enabled")));
            Efforts.unused(thinking.effort(), "the target takes no measure", changes);
            Efforts.unused(thinking.budget(), "the target takes no measure", changes);
            Efforts.unused(thinking.shown(), "the target shows its thoughts", changes);
        }

        private void writeEffort(Thinking thinking) {
            boolean takes =
                    reasoning || (vendor != Vendor.OPENAI && vendor != Vendor.AZURE && vendor != Vendor.MISTRAL);
            boolean off = thinking.mode() == Thinking.Mode.OFF;
            boolean said = off || (thinking.mode() != Thinking.Mode.UNSAID && thinking.isMeasured());
            if (!takes || !said) {
                if (takes || !off || thinking.isMeasured()) {
                    Efforts.dropped(thinking, "dropped: the model has no such setting", changes);
                }
                return;
            }
            if (off) {
                Efforts.unused(thinking.effort(), "the model is not to think", changes);
            }
            if (off || thinking.effort().isPresent()) {
                Efforts.unused(thinking.budget(), "the target takes an effort", changes);
            }
            String effort = OpenAiNames.effort(thinking, model);
            if (off || !thinking.word().orElse("").equals(effort)) {
                changes.note(off ? thinking.place() : thinking.measured(), "said as effort " + effort);
            }
            document.with("reasoning_effort", JsonValue.of(effort));
            Efforts.unused(thinking.shown(), "the target decides whether thoughts are shown", changes);
        }

        private void writeSampling() {
            if (reasoning) {
                for (Setting sampler : List.of(
                        Setting.TEMPERATURE,
                        Setting.TOP_P,
                        Setting.FREQUENCY_PENALTY,
                        Setting.PRESENCE_PENALTY,
                        Setting.LOGPROBS,
                        Setting.TOP_LOGPROBS)) {
                    dropUnlessUsual(sampler);
                }
                settings.drop(Setting.STOP, "a model that thinks takes no stop");
            }
            settings.writeUpTo(Setting.TEMPERATURE, "temperature", 2, document);
            settings.writeUpTo(Setting.TOP_P, "top_p", 1, document);
            settings.write(Setting.FREQUENCY_PENALTY, "frequency_penalty", document);
            settings.write(Setting.PRESENCE_PENALTY, "presence_penalty", document);
            settings.write(Setting.SEED, vendor == Vendor.MISTRAL ? "random_seed" : "seed", document);
            settings.write(Setting.CHOICES, "n", document);
            settings.writeStops("stop", MOST_STOPS, true, document);
            writeLogprobs();
            switch (vendor) {
                case OPENAI, AZURE, MISTRAL, DEEPSEEK, GOOGLE ->
                    settings.drop(Setting.TOP_K, "the target has no top_k");
                default -> settings.write(Setting.TOP_K, "top_k", document);
            }
        }

        /** A temperature of 1 is what such a model takes, and penalties of 0 say nothing. */
        private void dropUnlessUsual(Setting sampler) {
            Placed value = settings.take(sampler);
            if (value == null || isOff(value)) {
                return;
            }
            boolean penalty = sampler == Setting.FREQUENCY_PENALTY || sampler == Setting.PRESENCE_PENALTY;
            BigDecimal usual = penalty ? BigDecimal.ZERO : BigDecimal.ONE;
            boolean same = value.value() instanceof JsonNumber number
                    && number.decimal().compareTo(usual) == 0;
            if (!same) {
                changes.note(value.place(), "dropped: a model that thinks takes no sampling");
            }
        }

        private void writeLogprobs() {
            Placed top = settings.take(Setting.TOP_LOGPROBS);
            Placed asked = settings.take(Setting.LOGPROBS);
            if (vendor == Vendor.MISTRAL) {
                noteUnlessFalse(top);
                noteUnlessFalse(asked);
                return;
            }
            if (asked != null) {
                document.with("logprobs", asked.value());
            }
            if (top != null && asked != null && asked.value().isTrue()) {
                document.with("top_logprobs", top.value());
            } else {
                noteUnlessFalse(top);
            }
        }

        private void noteUnlessFalse(@Nullable Placed value) {
            if (value != null && !isOff(value)) {
                changes.dropped(value.place());
            }
        }

        private static boolean isOff(Placed value) {
            return value.value() instanceof JsonBoolean(boolean on) && !on;
        }

        private void writeRest() {
            if (vendor == Vendor.MISTRAL) {
                settings.drop(Setting.USER, "the target has no user");
            } else {
                settings.write(Setting.USER, "user", document);
            }
            Placed tier = settings.take(Setting.SERVICE_TIER);
            if (tier != null) {
                String word = Map.of("auto", "auto", "standard_only", "default")
                        .getOrDefault(tier.value().asText().orElse(""), "");
                boolean known = !word.isEmpty() && (vendor == Vendor.OPENAI || vendor == Vendor.AZURE);
                if (known) {
                    document.with("service_tier", JsonValue.of(word));
                } else {
                    changes.dropped(tier.place());
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
