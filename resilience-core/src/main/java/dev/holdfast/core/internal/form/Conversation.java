package dev.holdfast.core.internal.form;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A request that belongs to no form: what every form is translated to and from. It keeps beside what forms have in common also
 * what only its source's form knows, so that the source can be written again, and where each thing stood, so that what another
 * form cannot say can be named. Immutable.
 *
 * @param form the form it was read from
 * @param model the model asked for
 * @param streaming whether a stream is asked for
 * @param turns what was said, in order; what the system is told too
 * @param tools the tools, in order
 * @param toolChoice which tools the model may or must call
 * @param parallelCalls whether the model may call several tools at once
 * @param format what the answer must look like
 * @param thinking how much the model is to think first
 * @param settings everything else that more than one form can say
 * @param origin the members of the document that only its form knows
 */
public record Conversation(
        Form form,
        String model,
        boolean streaming,
        List<Turn> turns,
        List<Tool> tools,
        Optional<ToolChoice> toolChoice,
        Optional<Placed> parallelCalls,
        Optional<OutputFormat> format,
        Optional<Thinking> thinking,
        Map<Setting, Placed> settings,
        Origin origin) {
    /** Copies lists and map. */
    public Conversation {
        turns = List.copyOf(turns);
        tools = List.copyOf(tools);
        settings = Map.copyOf(settings);
    }

    /** Who speaks. */
    public enum Role {
        /** What the model is told by who runs it. */
        SYSTEM,
        /** The user, and tools. */
        USER,
        /** The model. */
        ASSISTANT
    }

    /**
     * One turn.
     *
     * @param role who speaks
     * @param said the source's word for the role; empty where it had none
     * @param parts what was said
     * @param plain whether the content was one string, not a list of parts
     * @param name the speaker's name
     * @param origin where it stood
     */
    public record Turn(Role role, String said, List<Part> parts, boolean plain, Optional<String> name, Origin origin) {
        /** Copies the list. */
        public Turn {
            parts = List.copyOf(parts);
        }

        Turn with(List<Part> changed) {
            return new Turn(role, said, changed, plain, name, origin);
        }
    }

    /**
     * A value and where it stood.
     *
     * @param value the value
     * @param place where it stood
     */
    public record Placed(JsonValue value, Place place) {}

    /** What more than one form can be told by a single value. */
    public enum Setting {
        /** The most tokens of an answer: a number. */
        MAX_TOKENS,
        /** A number from 0. */
        TEMPERATURE,
        /** A number from 0 to 1. */
        TOP_P,
        /** A whole number. */
        TOP_K,
        /** A number. */
        FREQUENCY_PENALTY,
        /** A number. */
        PRESENCE_PENALTY,
        /** A whole number. */
        SEED,
        /** How many answers: a whole number. */
        CHOICES,
        /** Texts that end the answer: an array of strings. */
        STOP,
        /** Whether the answer's tokens come with their probabilities: a boolean. */
        LOGPROBS,
        /** How many likely tokens at each place: a whole number. */
        TOP_LOGPROBS,
        /** Who the end user is: an opaque string. */
        USER,
        /** How urgent it is: OpenAI's word. */
        SERVICE_TIER,
        /** What the source itself says of streaming: a boolean. */
        STREAM,
        /** Whether a stream ends with the usage: a boolean. */
        STREAM_USAGE
    }

    /** A tool. */
    public sealed interface Tool {
        /** Where it stood. */
        Origin origin();

        /** Which entry of the source's list of tools it belongs to: Gemini has several tools in one. */
        int group();
    }

    /**
     * A function of the user's.
     *
     * @param name its name
     * @param description what it does
     * @param schema its arguments as JSON Schema; empty where none was given
     * @param spelled the member the schema stood in, and whether it was the OpenAPI subset
     * @param strict whether the model must keep to the schema
     * @param group the entry it belongs to
     * @param origin where it stood
     */
    public record FunctionTool(
            String name,
            Optional<String> description,
            Optional<JsonValue> schema,
            Spelling spelled,
            Optional<Boolean> strict,
            int group,
            Origin origin)
            implements Tool {}

    /**
     * A tool that only one form knows, as those that run at the provider.
     *
     * @param value the tool as it was
     * @param group the entry it belongs to
     * @param origin where it stood
     */
    public record ForeignTool(JsonValue value, int group, Origin origin) implements Tool {}

    /** In which language a schema was written. */
    public enum Spelling {
        /** JSON Schema. */
        JSON_SCHEMA,
        /** Gemini's subset of OpenAPI's. */
        OPEN_API
    }

    /** Whether tools are called. */
    public enum CallMode {
        /** As the model likes. */
        AUTO,
        /** Never. */
        NONE,
        /** At least one. */
        REQUIRED
    }

    /**
     * Which tools the model may or must call.
     *
     * @param mode whether it calls any
     * @param names which it is limited to; empty for all
     * @param said the source's word or object, written again in its form
     * @param origin where it stood
     */
    public record ToolChoice(CallMode mode, List<String> names, JsonValue said, Origin origin) {
        /** Copies the list. */
        public ToolChoice {
            names = List.copyOf(names);
        }
    }

    /**
     * What the answer must look like.
     *
     * @param json whether it must be JSON
     * @param schema the schema it must fit
     * @param spelled the schema's language
     * @param name the schema's name
     * @param description what the schema is for
     * @param strict whether the model must keep to it
     * @param origin where it stood
     */
    public record OutputFormat(
            boolean json,
            Optional<JsonValue> schema,
            Spelling spelled,
            Optional<String> name,
            Optional<String> description,
            Optional<Boolean> strict,
            Origin origin) {}

    /**
     * How much the model is to think before it answers.
     *
     * @param mode whether it thinks
     * @param effort how much, in a word
     * @param budget how much, in tokens: a number
     * @param shown whether the thoughts are to be shown: a boolean
     * @param said the source's members that said so, written again in its form
     * @param place where the mode stood; the measures may stand elsewhere
     */
    public record Thinking(
            Mode mode,
            Optional<Placed> effort,
            Optional<Placed> budget,
            Optional<Placed> shown,
            Map<String, JsonValue> said,
            Place place) {
        /** Copies the map. */
        public Thinking {
            said = Map.copyOf(said);
        }

        /** The effort's word; empty where none was said. */
        Optional<String> word() {
            return effort.flatMap(each -> each.value().asText());
        }

        /** The budget in tokens; empty where none was said. */
        OptionalLong tokens() {
            return budget.isEmpty()
                    ? OptionalLong.empty()
                    : budget.get().value().asLong();
        }

        boolean isMeasured() {
            return effort.isPresent() || budget.isPresent();
        }

        /** Where it was said how much: the mode's place where it was not. */
        Place measured() {
            return effort.or(() -> budget).map(Placed::place).orElse(place);
        }

        /** Whether the model thinks. */
        public enum Mode {
            /** Not at all. */
            OFF,
            /** As much as was said. */
            ON,
            /** As the model likes. */
            ADAPTIVE,
            /** Nothing was said but whether thoughts are shown. */
            UNSAID
        }
    }

    Conversation withTurns(List<Turn> changed) {
        return new Conversation(
                form, model, streaming, changed, tools, toolChoice, parallelCalls, format, thinking, settings, origin);
    }

    Conversation withToolChoice(ToolChoice changed) {
        return new Conversation(
                form,
                model,
                streaming,
                turns,
                tools,
                Optional.of(changed),
                parallelCalls,
                format,
                thinking,
                settings,
                origin);
    }

    /** Gathers a conversation while a document is read. Used by one thread. */
    static final class Builder {
        final Form form;
        final List<Turn> turns = new ArrayList<>();
        final List<Tool> tools = new ArrayList<>();
        final Map<Setting, Placed> settings = new EnumMap<>(Setting.class);
        String model = "";
        boolean streaming;

        @Nullable
        ToolChoice toolChoice;

        @Nullable
        Placed parallelCalls;

        @Nullable
        OutputFormat format;

        @Nullable
        Thinking thinking;

        Builder(Form form) {
            this.form = form;
        }

        Conversation build(Origin origin) {
            return new Conversation(
                    form,
                    model,
                    streaming,
                    turns,
                    tools,
                    Optional.ofNullable(toolChoice),
                    Optional.ofNullable(parallelCalls),
                    Optional.ofNullable(format),
                    Optional.ofNullable(thinking),
                    settings,
                    origin);
        }
    }
}
