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
import dev.holdfast.spi.DialectException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and writes answers that are not streamed. Of several choices the first is the answer; the document has all. */
final class OpenAiAnswers {
    private static final String CHOICE = "/choices/0";

    private OpenAiAnswers() {}

    static ModelAnswer decode(JsonObject document) throws DialectException {
        List<JsonValue> choices = document.list("choices");
        if (choices.isEmpty()) {
            throw new DialectException("/choices: missing or empty (expected: at least one)");
        }
        JsonObject choice = choices.getFirst()
                .asObject()
                .orElseThrow(() -> new DialectException(CHOICE + ": no object (expected: a choice)"));
        return answer(document, choice, message(choice));
    }

    /** Azure withholds the whole message when it filters what was in it. */
    private static JsonObject message(JsonObject choice) throws DialectException {
        Optional<JsonObject> message = choice.object("message");
        boolean filtered = choice.text("finish_reason")
                .filter(reason -> OpenAiFinish.decode(reason) == FinishReason.CONTENT_FILTER)
                .isPresent();
        if (message.isEmpty() && !filtered) {
            throw new DialectException(CHOICE + "/message: missing (expected: an object)");
        }
        return message.orElse(JsonObject.empty());
    }

    private static ModelAnswer answer(JsonObject document, JsonObject choice, JsonObject message)
            throws DialectException {
        return new ModelAnswer(
                Form.OPENAI_CHAT,
                document,
                document.text("model").filter(model -> !model.isBlank()),
                text(message),
                toolCalls(message),
                finishReason(choice, message),
                OpenAiUsage.decode(document),
                spoken(message, "refusal"),
                reasoning(message));
    }

    /** What came so far: nothing is missing that may still come. */
    static ModelAnswer decodePartial(JsonObject document) {
        JsonObject choice = document.list("choices").stream()
                .flatMap(element -> element.asObject().stream())
                .findFirst()
                .orElse(JsonObject.empty());
        JsonObject message = choice.object("message").orElse(JsonObject.empty());
        try {
            return answer(document, choice, message);
        } catch (DialectException e) {
            // A tool call without its name is no call yet.
            return answerWithoutTools(document, choice, message);
        }
    }

    private static ModelAnswer answerWithoutTools(JsonObject document, JsonObject choice, JsonObject message) {
        return new ModelAnswer(
                Form.OPENAI_CHAT,
                document,
                document.text("model"),
                text(message),
                List.of(),
                finishReason(choice, message),
                OpenAiUsage.decode(document),
                spoken(message, "refusal"),
                reasoning(message));
    }

    private static Optional<String> reasoning(JsonObject message) {
        return spoken(message, "reasoning_content")
                .or(() -> spoken(message, "reasoning"))
                .or(() -> GatheredChoice.thinking(message));
    }

    private static Optional<String> spoken(JsonObject message, String member) {
        return message.text(member).filter(text -> !text.isEmpty());
    }

    private static Optional<String> text(JsonObject message) {
        JsonValue content = message.members().get("content");
        return content == null ? Optional.empty() : textOf(content);
    }

    /** The text of content that is text, or the text of its parts; other parts (thinking, images) have none. */
    static Optional<String> textOf(JsonValue content) {
        if (!(content instanceof JsonArray(List<JsonValue> parts))) {
            return content.asText();
        }
        List<String> texts = parts.stream()
                .flatMap(part -> part.asText().or(() -> partText(part)).stream())
                .toList();
        return texts.isEmpty() ? Optional.empty() : Optional.of(String.join("", texts));
    }

    private static Optional<String> partText(JsonValue part) {
        return part.asObject()
                .filter(object -> object.text("type")
                        .filter(type -> type.endsWith("text"))
                        .isPresent())
                .flatMap(object -> object.text("text"));
    }

    private static List<ToolCall> toolCalls(JsonObject message) throws DialectException {
        var calls = new ArrayList<ToolCall>();
        List<JsonValue> elements = message.list("tool_calls");
        for (int i = 0; i < elements.size(); i++) {
            calls.add(toolCall(CHOICE + "/message/tool_calls/" + i, elements.get(i)));
        }
        if (calls.isEmpty() && message.object("function_call").isPresent()) {
            JsonObject legacy = message.object("function_call").get();
            calls.add(new ToolCall("", name(CHOICE + "/message/function_call", legacy), arguments(legacy)));
        }
        return calls;
    }

    private static ToolCall toolCall(String pointer, JsonValue element) throws DialectException {
        JsonObject call = element.asObject()
                .orElseThrow(() -> new DialectException(pointer + ": no object (expected: a tool call)"));
        String kind = call.object("custom").isPresent() ? "custom" : "function";
        JsonObject tool = call.object(kind)
                .orElseThrow(() -> new DialectException(pointer + "/function: missing (expected: an object)"));
        return new ToolCall(call.text("id").orElse(""), name(pointer + "/" + kind, tool), arguments(tool));
    }

    private static String name(String pointer, JsonObject tool) throws DialectException {
        return tool.text("name")
                .orElseThrow(() -> new DialectException(pointer + "/name: missing (expected: a string)"));
    }

    /** Text by the schema; some servers send the object itself, and tools that are no functions call it input. */
    static String arguments(JsonObject tool) {
        return tool.get("arguments")
                .or(() -> tool.get("input"))
                .map(value -> switch (value) {
                    case JsonString(String text) -> text;
                    case JsonNull.NULL -> "";
                    default -> value.toJson();
                })
                .orElse("");
    }

    private static Optional<FinishReason> finishReason(JsonObject choice, JsonObject message) {
        Optional<FinishReason> reason = choice.text("finish_reason").map(OpenAiFinish::decode);
        boolean refused =
                message.text("refusal").filter(text -> !text.isEmpty()).isPresent();
        return refused && reason.orElse(FinishReason.STOP) == FinishReason.STOP
                ? Optional.of(FinishReason.REFUSAL)
                : reason;
    }

    /**
     * The document for a client. One that is in this form already is kept as it is; of another form the parts that every
     * form has are said. A dialect has no clock: {@code created} is then 0 for the server to set.
     */
    static JsonObject encode(ModelAnswer answer, String model) {
        boolean own = answer.form() == Form.OPAQUE
                || (answer.form() == Form.OPENAI_CHAT
                        && !answer.document().list("choices").isEmpty());
        return own ? answer.document() : translated(answer, model);
    }

    private static JsonObject translated(ModelAnswer answer, String model) {
        JsonObject choice = JsonObject.of("index", JsonValue.of(0))
                .with("message", message(answer))
                .with(
                        "logprobs",
                        Logprobs.ofGemini(answer.document())
                                .<JsonValue>map(each -> each)
                                .orElse(JsonNull.NULL))
                .with("finish_reason", JsonValue.of(finishWord(answer)));
        JsonObject document = JsonObject.of("id", JsonValue.of(Documents.id(answer, "chatcmpl-")))
                .with("object", JsonValue.of("chat.completion"))
                .with("created", JsonValue.of(created(answer.document())))
                .with("model", JsonValue.of(model))
                .with("choices", JsonArray.of(choice));
        return answer.usage()
                .map(usage -> document.with("usage", OpenAiUsage.encode(usage)))
                .orElse(document);
    }

    /** A refusal without words would look like an answer that is empty. */
    private static String finishWord(ModelAnswer answer) {
        FinishReason reason = answer.finishReason().orElse(FinishReason.STOP);
        boolean silent = answer.text()
                .or(answer::refusal)
                .filter(words -> !words.isEmpty())
                .isEmpty();
        return OpenAiFinish.encode(reason == FinishReason.REFUSAL && silent ? FinishReason.CONTENT_FILTER : reason);
    }

    /** Vertex says when it answered; the others leave it to the server that passes the answer on. */
    private static long created(JsonObject document) {
        try {
            return document.text("createTime")
                    .map(time -> Instant.parse(time).getEpochSecond())
                    .orElse(0L);
        } catch (DateTimeParseException e) {
            return 0;
        }
    }

    private static JsonObject message(ModelAnswer answer) {
        boolean refused =
                answer.finishReason().filter(FinishReason.REFUSAL::equals).isPresent();
        Optional<String> words = answer.refusal().or(() -> refused ? answer.text() : Optional.empty());
        Optional<String> content = refused && answer.refusal().isEmpty() ? Optional.empty() : answer.text();
        JsonObject message = JsonObject.of("role", JsonValue.of("assistant"))
                .with("content", textOrNull(content))
                .with("refusal", textOrNull(words));
        if (answer.reasoning().isPresent()) {
            message = message.with("reasoning_content", textOrNull(answer.reasoning()));
        }
        List<ToolCall> calls = answer.toolCalls();
        var encoded = new ArrayList<JsonValue>();
        for (int i = 0; i < calls.size(); i++) {
            encoded.add(encodeCall(calls.get(i), Documents.callId(calls.get(i), i)));
        }
        return encoded.isEmpty() ? message : message.with("tool_calls", new JsonArray(encoded));
    }

    private static JsonValue textOrNull(Optional<String> words) {
        return words.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }

    private static JsonValue encodeCall(ToolCall call, String id) {
        return JsonObject.of("id", JsonValue.of(id))
                .with("type", JsonValue.of("function"))
                .with(
                        "function",
                        JsonObject.of("name", JsonValue.of(call.name()))
                                .with("arguments", JsonValue.of(call.arguments())));
    }
}
