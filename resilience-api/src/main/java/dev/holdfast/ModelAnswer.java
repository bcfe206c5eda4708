package dev.holdfast;

import dev.holdfast.JsonValue.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * What a model answered, decoded: the document as the server sent it and the parts that every form has. It is what a
 * cache stores; how it was come by stands in {@link ModelResponse}.
 *
 * @param form the form of the document
 * @param document the document, kept as it came
 * @param model the model the server says answered
 * @param text the answer's text; empty where there is none, as beside tool calls
 * @param toolCalls the tools to call, in order
 * @param finishReason why the model stopped; empty for opaque forms
 * @param usage the tokens; empty where the server did not say
 * @param refusal why the model declined, in its words; empty where it did not
 * @param reasoning the reasoning that the server showed; empty where it showed none
 */
public record ModelAnswer(
        Form form,
        JsonObject document,
        Optional<String> model,
        Optional<String> text,
        List<ToolCall> toolCalls,
        Optional<FinishReason> finishReason,
        Optional<Usage> usage,
        Optional<String> refusal,
        Optional<String> reasoning) {
    /** Copies the tool calls. */
    public ModelAnswer {
        toolCalls = List.copyOf(toolCalls);
    }

    /**
     * An answer without refusal and reasoning.
     *
     * @param form the form of the document
     * @param document the document, kept as it came
     * @param model the model the server says answered
     * @param text the answer's text
     * @param toolCalls the tools to call, in order
     * @param finishReason why the model stopped
     * @param usage the tokens
     */
    public ModelAnswer(
            Form form,
            JsonObject document,
            Optional<String> model,
            Optional<String> text,
            List<ToolCall> toolCalls,
            Optional<FinishReason> finishReason,
            Optional<Usage> usage) {
        this(form, document, model, text, toolCalls, finishReason, usage, Optional.empty(), Optional.empty());
    }

    /**
     * {@return an answer of text alone, as a degraded reply or a test needs it}
     *
     * @param text the text
     */
    public static ModelAnswer ofText(String text) {
        return new ModelAnswer(
                Form.OPENAI_CHAT,
                JsonObject.empty(),
                Optional.empty(),
                Optional.of(text),
                List.of(),
                Optional.of(FinishReason.STOP),
                Optional.empty());
    }

    @Override
    public String toString() {
        return "ModelAnswer[" + form + ", finishReason="
                + finishReason.map(Enum::name).orElse("none") + "]";
    }
}
