package dev.holdfast.core.internal.dialect;

import dev.holdfast.FinishReason;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.Finished;
import dev.holdfast.StreamEvent.Opaque;
import dev.holdfast.StreamEvent.Other;
import dev.holdfast.StreamEvent.ReasoningDelta;
import dev.holdfast.StreamEvent.RefusalDelta;
import dev.holdfast.StreamEvent.TextDelta;
import dev.holdfast.StreamEvent.ToolCallDelta;
import dev.holdfast.StreamEvent.UsageReported;
import dev.holdfast.Usage;
import dev.holdfast.spi.Dialect.StreamEncoder;
import dev.holdfast.spi.ServerSentEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encodes a stream of chunks: the role, the deltas, the finish reason, the usage where the client asked for it, and
 * {@code [DONE]}. Id, time and model are those of the first document that came from a server of this form.
 */
final class OpenAiStreamEncoder implements StreamEncoder {
    private final boolean includeUsage;
    private JsonObject envelope;
    private Optional<Usage> usage = Optional.empty();
    private Optional<FinishReason> reason = Optional.empty();
    private boolean begun;
    private boolean spoken;

    OpenAiStreamEncoder(ModelRequest request) {
        this.includeUsage = request.document()
                .object("stream_options")
                .flatMap(options -> options.get("include_usage"))
                .filter(JsonValue::isTrue)
                .isPresent();
        this.envelope = JsonObject.of(
                        "id",
                        JsonValue.of("chatcmpl-"
                                + Documents.digest(request.document().toJson())))
                .with("object", JsonValue.of("chat.completion.chunk"))
                .with("created", JsonValue.of(0))
                .with("model", JsonValue.of(request.model()));
    }

    @Override
    public List<ServerSentEvent> encode(StreamEvent event) {
        var chunks = new ArrayList<ServerSentEvent>();
        switch (event) {
            case TextDelta(String text) -> addDelta("content", JsonValue.of(text), chunks);
            case ReasoningDelta(String text) -> addDelta("reasoning_content", JsonValue.of(text), chunks);
            case RefusalDelta(String text) -> addDelta("refusal", JsonValue.of(text), chunks);
            case ToolCallDelta call -> addDelta("tool_calls", JsonArray.of(toolCall(call)), chunks);
            case UsageReported(Usage counted) -> usage = Optional.of(counted);
            case Finished(FinishReason why) -> reason = Optional.of(why);
            case Other(JsonObject document) -> addOther(document, chunks);
            case Opaque opaque -> opaque.data().asObject().ifPresent(document -> addOther(document, chunks));
        }
        return chunks;
    }

    @Override
    public List<ServerSentEvent> end() {
        var chunks = new ArrayList<ServerSentEvent>();
        reason.ifPresent(why -> add(choice(JsonObject.empty(), JsonValue.of(word(why))), chunks));
        if (includeUsage && usage.isPresent()) {
            chunks.add(event(envelope.with("choices", JsonArray.of()).with("usage", OpenAiUsage.encode(usage.get()))));
        }
        chunks.add(ServerSentEvent.ofData("[DONE]"));
        return chunks;
    }

    /** A refusal without words would look like an answer that is empty. */
    private String word(FinishReason why) {
        return OpenAiFinish.encode(why == FinishReason.REFUSAL && !spoken ? FinishReason.CONTENT_FILTER : why);
    }

    private void addDelta(String name, JsonValue value, List<ServerSentEvent> chunks) {
        spoken |= !name.equals("reasoning_content");
        add(choice(JsonObject.of(name, value), JsonNull.NULL), chunks);
    }

    private void add(JsonObject choice, List<ServerSentEvent> chunks) {
        if (!begun) {
            begun = true;
            JsonObject role = JsonObject.of("role", JsonValue.of("assistant")).with("content", JsonValue.of(""));
            chunks.add(chunk(choice(role, JsonNull.NULL)));
        }
        chunks.add(chunk(choice));
    }

    /** What a server of this form said besides goes on; of other documents the id and log probabilities. */
    private void addOther(JsonObject document, List<ServerSentEvent> chunks) {
        if (document.get("choices").isEmpty()) {
            addForeign(document, chunks);
            return;
        }
        if (!begun) {
            for (String name : List.of("id", "created", "model")) {
                document.get(name).ifPresent(value -> envelope = envelope.with(name, value));
            }
        }
        for (JsonValue element : document.list("choices")) {
            element.asObject().filter(choice -> isNews(choice)).ifPresent(choice -> add(choice, chunks));
        }
    }

    private void addForeign(JsonObject document, List<ServerSentEvent> chunks) {
        Optional<String> id =
                Documents.ownId(document).or(() -> document.object("message").flatMap(Documents::ownId));
        if (!begun && id.isPresent()) {
            envelope = envelope.with("id", JsonValue.of(id.get()));
        }
        Logprobs.ofGemini(document)
                .ifPresent(logprobs ->
                        add(choice(JsonObject.empty(), JsonNull.NULL).with("logprobs", logprobs), chunks));
    }

    private static boolean isNews(JsonObject choice) {
        return choice.longValue("index").orElse(0) != 0
                || !GatheredChoice.unsaid(choice).members().isEmpty();
    }

    private static JsonObject choice(JsonObject delta, JsonValue finishReason) {
        return JsonObject.of("index", JsonValue.of(0)).with("delta", delta).with("finish_reason", finishReason);
    }

    private static JsonObject toolCall(ToolCallDelta call) {
        JsonObject function =
                call.name().isEmpty() ? JsonObject.empty() : JsonObject.of("name", JsonValue.of(call.name()));
        JsonObject fragment = JsonObject.of("index", JsonValue.of(call.index()));
        if (!call.id().isEmpty()) {
            fragment = fragment.with("id", JsonValue.of(call.id())).with("type", JsonValue.of("function"));
        }
        return fragment.with("function", function.with("arguments", JsonValue.of(call.arguments())));
    }

    private ServerSentEvent chunk(JsonObject choice) {
        JsonObject chunk = envelope.with("choices", JsonArray.of(choice));
        return event(includeUsage ? chunk.with("usage", JsonNull.NULL) : chunk);
    }

    private static ServerSentEvent event(JsonObject chunk) {
        return ServerSentEvent.ofData(chunk.toJson());
    }
}
