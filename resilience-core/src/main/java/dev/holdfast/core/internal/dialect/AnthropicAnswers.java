package dev.holdfast.core.internal.dialect;

import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ToolCall;
import dev.holdfast.Usage;
import dev.holdfast.spi.DialectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and writes Anthropic's messages that are not streamed. */
final class AnthropicAnswers {
    static final String REFUSAL = "refusal";

    private AnthropicAnswers() {}

    static ModelAnswer decode(JsonObject document) throws DialectException {
        if (document.get("content").filter(JsonArray.class::isInstance).isEmpty()) {
            throw new DialectException("/content: missing (expected: an array of blocks)");
        }
        List<JsonValue> blocks = document.list("content");
        for (int i = 0; i < blocks.size(); i++) {
            check("/content/" + i, blocks.get(i));
        }
        return decodePartial(document);
    }

    private static void check(String pointer, JsonValue value) throws DialectException {
        if (!(value instanceof JsonObject block)) {
            throw new DialectException(pointer + ": no object (expected: a block)");
        }
        if (is(block, "tool_use") && block.text("name").isEmpty()) {
            throw new DialectException(pointer + "/name: missing (expected: a string)");
        }
    }

    /** What came so far: nothing is missing that may still come. */
    static ModelAnswer decodePartial(JsonObject document) {
        var texts = new ArrayList<String>();
        var thoughts = new ArrayList<String>();
        var calls = new ArrayList<ToolCall>();
        for (JsonValue element : document.list("content")) {
            JsonObject block = element.asObject().orElse(JsonObject.empty());
            switch (block.text("type").orElse("")) {
                case "text" -> block.text("text").ifPresent(texts::add);
                case "thinking" -> block.text("thinking").ifPresent(thoughts::add);
                case "tool_use" -> calls.add(call(block));
                default -> {
                    // What the server's own tools did, and what is sealed, stands in the document.
                }
            }
        }
        return new ModelAnswer(
                Form.ANTHROPIC_MESSAGES,
                document,
                document.text("model").filter(model -> !model.isBlank()),
                joined(texts, true),
                calls,
                document.text("stop_reason").map(AnthropicStop::decode),
                document.object("usage").flatMap(AnthropicUsage::decode),
                refusal(document),
                joined(thoughts, false));
    }

    private static boolean is(JsonObject block, String type) {
        return block.text("type").filter(type::equals).isPresent();
    }

    private static Optional<String> joined(List<String> texts, boolean evenIfEmpty) {
        String all = String.join("", texts);
        return texts.isEmpty() || (all.isEmpty() && !evenIfEmpty) ? Optional.empty() : Optional.of(all);
    }

    private static ToolCall call(JsonObject block) {
        return new ToolCall(block.text("id").orElse(""), block.text("name").orElse(""), arguments(block));
    }

    /** An object by the schema; what broke off within a stream is kept as the text it was. */
    static String arguments(JsonObject block) {
        return block.get("input")
                .map(input -> input instanceof JsonString(String text) ? text : input.toJson())
                .orElse("{}");
    }

    private static Optional<String> refusal(JsonObject document) {
        return document.text("stop_reason")
                .filter(REFUSAL::equals)
                .flatMap(reason -> document.object("stop_details"))
                .flatMap(details -> details.text("explanation"))
                .filter(words -> !words.isBlank());
    }

    /**
     * The document for a client. One that is in this form already is kept as it is; of another form the parts that every
     * form has are said.
     */
    static JsonObject encode(ModelAnswer answer, String model) {
        boolean own = answer.form() == Form.OPAQUE
                || (answer.form() == Form.ANTHROPIC_MESSAGES
                        && answer.document().get("content").isPresent());
        return own ? answer.document() : translated(answer, model);
    }

    private static JsonObject translated(ModelAnswer answer, String model) {
        FinishReason reason = answer.finishReason().orElse(FinishReason.STOP);
        return envelope(Documents.id(answer, "msg_"), model)
                .with("content", new JsonArray(blocks(answer)))
                .with("stop_reason", JsonValue.of(AnthropicStop.encode(reason)))
                .with("stop_sequence", JsonNull.NULL)
                .with("stop_details", stopDetails(reason, answer.refusal()))
                .with("usage", AnthropicUsage.encode(answer.usage().orElse(Usage.NONE)))
                .build();
    }

    /** What a message begins with, streamed or not. */
    static JsonObject.Builder envelope(String id, String model) {
        return JsonObject.builder()
                .with("id", JsonValue.of(id))
                .with("type", JsonValue.of("message"))
                .with("role", JsonValue.of("assistant"))
                .with("model", JsonValue.of(model));
    }

    static JsonValue stopDetails(FinishReason reason, Optional<String> refusal) {
        return reason == FinishReason.REFUSAL || reason == FinishReason.CONTENT_FILTER
                ? JsonObject.of("type", JsonValue.of(REFUSAL))
                        .with("category", JsonNull.NULL)
                        .with(
                                "explanation",
                                refusal.<JsonValue>map(JsonValue::of).orElse(JsonNull.NULL))
                : JsonNull.NULL;
    }

    /** Reasoning first, as Anthropic has it; nobody signed it. */
    private static List<JsonValue> blocks(ModelAnswer answer) {
        var blocks = new ArrayList<JsonValue>();
        answer.reasoning().ifPresent(words -> blocks.add(thinking(words)));
        answer.text().filter(words -> !words.isEmpty()).ifPresent(words -> blocks.add(text(words)));
        List<ToolCall> calls = answer.toolCalls();
        for (int i = 0; i < calls.size(); i++) {
            ToolCall call = calls.get(i);
            String id = Documents.callId(call, i);
            blocks.add(toolUse(id, call.name(), Documents.arguments(call.arguments())));
        }
        return blocks;
    }

    static JsonObject text(String words) {
        return JsonObject.of("type", JsonValue.of("text")).with("text", JsonValue.of(words));
    }

    static JsonObject thinking(String words) {
        return JsonObject.of("type", JsonValue.of("thinking"))
                .with("thinking", JsonValue.of(words))
                .with("signature", JsonValue.of(""));
    }

    static JsonObject toolUse(String id, String name, JsonObject input) {
        return JsonObject.of("type", JsonValue.of("tool_use"))
                .with("id", JsonValue.of(id))
                .with("name", JsonValue.of(name))
                .with("input", input);
    }
}
