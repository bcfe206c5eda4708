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
import dev.holdfast.core.internal.form.Conversation.Thinking;
import dev.holdfast.core.internal.form.Conversation.Tool;
import dev.holdfast.core.internal.form.Conversation.ToolChoice;
import java.util.ArrayList;
import java.util.List;

/** Writes Gemini's {@code generateContent} (ai.google.dev, "GenerateContentRequest"). */
final class GeminiWriter implements Writer {
    private static final int MOST_STOPS = 5;
    private static final int LEVELS = 300;
    private static final int THINKING = 205;
    /** Gemini 2.5 Pro thinks at least so much. */
    private static final long LEAST_OF_PRO = 128;

    @Override
    public JsonObject write(Conversation conversation, Addressee addressee, Changes changes) {
        return conversation.form() == Form.GEMINI_CONTENT
                ? GeminiRewriter.write(conversation)
                : new Draft(conversation, addressee, changes).write();
    }

    /** One document in the making. */
    private static final class Draft {
        private final Conversation conversation;
        private final Addressee addressee;
        private final String model;
        private final int version;
        private final Changes changes;
        private final Settings settings;
        private final JsonObject.Builder document = JsonObject.builder();
        private final JsonObject.Builder config = JsonObject.builder();

        Draft(Conversation conversation, Addressee addressee, Changes changes) {
            this.conversation = CallIds.fit(conversation, addressee, changes);
            this.addressee = addressee;
            this.model = addressee.model();
            this.version = ModelNames.gemini(model);
            this.changes = changes;
            this.settings = new Settings(conversation.settings(), changes);
        }

        JsonObject write() {
            var turns = new GeminiTurns(conversation, addressee, changes);
            turns.system().ifPresent(system -> document.with("systemInstruction", system));
            document.with("contents", turns.contents());
            writeTools();
            writeToolChoice();
            settings.writeCap("maxOutputTokens", addressee, config);
            settings.writeUpTo(Setting.TEMPERATURE, "temperature", 2, config);
            settings.writeUpTo(Setting.TOP_P, "topP", 1, config);
            settings.write(Setting.TOP_K, "topK", config);
            settings.write(Setting.FREQUENCY_PENALTY, "frequencyPenalty", config);
            settings.write(Setting.PRESENCE_PENALTY, "presencePenalty", config);
            settings.write(Setting.SEED, "seed", config);
            settings.write(Setting.CHOICES, "candidateCount", config);
            settings.write(Setting.LOGPROBS, "responseLogprobs", config);
            settings.write(Setting.TOP_LOGPROBS, "logprobs", config);
            settings.writeStops("stopSequences", MOST_STOPS, true, config);
            conversation.format().ifPresent(this::writeFormat);
            conversation.thinking().ifPresent(this::writeThinking);
            settings.reportRest();
            changes.dropped(conversation.origin());
            JsonObject generation = config.build();
            if (!generation.members().isEmpty()) {
                document.with("generationConfig", generation);
            }
            return document.build();
        }

        private void writeTools() {
            var declared = new ArrayList<JsonValue>();
            for (Tool tool : conversation.tools()) {
                switch (tool) {
                    case FunctionTool function -> declared.add(declaration(function));
                    case ForeignTool foreign -> changes.dropped(foreign.origin().place());
                }
            }
            if (!declared.isEmpty()) {
                document.with("tools", JsonArray.of(JsonObject.of("functionDeclarations", new JsonArray(declared))));
            }
        }

        private JsonObject declaration(FunctionTool tool) {
            JsonObject.Builder declared = JsonObject.builder().with("name", JsonValue.of(tool.name()));
            tool.description().ifPresent(text -> declared.with("description", JsonValue.of(text)));
            tool.schema()
                    .ifPresent(schema ->
                            declared.with("parametersJsonSchema", Schemas.ofArguments(schema, tool.spelled())));
            if (tool.strict().orElse(false)) {
                changes.note(tool.origin().place(), "strict dropped: the target does not know it");
            }
            changes.droppedHint(tool.origin());
            changes.dropped(tool.origin());
            return declared.build();
        }

        private void writeToolChoice() {
            boolean tools = conversation.tools().stream().anyMatch(FunctionTool.class::isInstance);
            conversation
                    .parallelCalls()
                    .filter(flag -> tools && !flag.value().isTrue())
                    .ifPresent(flag ->
                            changes.note(flag.place(), "dropped: the target always may call several tools at once"));
            if (conversation.toolChoice().isEmpty()) {
                return;
            }
            ToolChoice choice = conversation.toolChoice().get();
            changes.dropped(choice.origin());
            if (!tools) {
                changes.note(choice.origin().place(), "dropped: there is no tool to choose");
                return;
            }
            boolean limited = !choice.names().isEmpty();
            String mode =
                    switch (choice.mode()) {
                        case AUTO -> limited ? "VALIDATED" : "AUTO";
                        case NONE -> "NONE";
                        case REQUIRED -> "ANY";
                    };
            JsonObject.Builder calling = JsonObject.builder().with("mode", JsonValue.of(mode));
            if (limited && choice.mode() != CallMode.NONE) {
                List<JsonValue> names = choice.names().stream()
                        .map(name -> (JsonValue) JsonValue.of(name))
                        .toList();
                calling.with("allowedFunctionNames", new JsonArray(names));
            }
            document.with("toolConfig", JsonObject.of("functionCallingConfig", calling.build()));
        }

        private void writeFormat(OutputFormat format) {
            changes.dropped(format.origin());
            if (!format.json()) {
                return;
            }
            config.with("responseMimeType", JsonValue.of("application/json"));
            changes.droppedAbout(format);
            format.schema()
                    .ifPresent(schema -> config.with("responseJsonSchema", Schemas.json(schema, format.spelled())));
        }

        private void writeThinking(Thinking thinking) {
            if (version > 0 && version < THINKING) {
                if (thinking.mode() != Thinking.Mode.OFF) {
                    Efforts.dropped(thinking, "dropped: the model does not think", changes);
                }
                return;
            }
            JsonObject.Builder written = JsonObject.builder();
            if (version >= LEVELS) {
                writeLevel(thinking, written);
            } else {
                writeBudget(thinking, written);
            }
            thinking.shown().ifPresent(shown -> written.with("includeThoughts", shown.value()));
            JsonObject said = written.build();
            if (!said.members().isEmpty()) {
                config.with("thinkingConfig", said);
            }
        }

        /** Gemini 3 knows levels, and cannot be kept from thinking: Pro knows only low and high. */
        private void writeLevel(Thinking thinking, JsonObject.Builder written) {
            boolean off = thinking.mode() == Thinking.Mode.OFF;
            if (!off && !thinking.isMeasured()) {
                return;
            }
            if (off) {
                Efforts.unused(thinking.effort(), "the model is not to think", changes);
            }
            if (off || thinking.effort().isPresent()) {
                Efforts.unused(thinking.budget(), "the target takes a level", changes);
            }
            boolean pro = model.contains("pro");
            String word = off ? "minimal" : Efforts.word(thinking);
            String level =
                    switch (word) {
                        case "minimal" -> pro ? "low" : word;
                        case "medium" -> pro ? "high" : word;
                        case "low", "high" -> word;
                        default -> "high";
                    };
            if (off || !thinking.word().orElse("").equals(level)) {
                changes.note(off ? thinking.place() : thinking.measured(), "said as level " + level);
            }
            written.with("thinkingLevel", JsonValue.of(level));
        }

        private void writeBudget(Thinking thinking, JsonObject.Builder written) {
            long budget =
                    switch (thinking.mode()) {
                        case OFF -> 0;
                        case ADAPTIVE -> -1;
                        case ON, UNSAID -> Efforts.budget(thinking).orElse(-1);
                    };
            boolean byEffort = thinking.mode() == Thinking.Mode.ON
                    && thinking.effort().isPresent()
                    && thinking.budget().isEmpty();
            if (!byEffort) {
                Efforts.unused(thinking.effort(), "the target takes a budget", changes);
            }
            if (thinking.mode() == Thinking.Mode.OFF) {
                Efforts.unused(thinking.budget(), "the model is not to think", changes);
            }
            if (thinking.mode() == Thinking.Mode.UNSAID) {
                return;
            }
            long told = budget >= 0 && model.contains("pro") ? Math.max(LEAST_OF_PRO, budget) : budget;
            if (byEffort) {
                changes.note(thinking.measured(), "said as a budget of " + told + " tokens");
            } else if (told != budget) {
                Place place = thinking.budget().map(Placed::place).orElse(thinking.place());
                changes.note(place, "said as a budget of " + told + " tokens, the model's least");
            }
            written.with("thinkingBudget", JsonValue.of(told));
        }
    }
}
