package dev.holdfast.core.internal.dialect;

import dev.holdfast.FinishReason;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.Finished;
import dev.holdfast.StreamEvent.Other;
import dev.holdfast.StreamEvent.ReasoningDelta;
import dev.holdfast.StreamEvent.RefusalDelta;
import dev.holdfast.StreamEvent.TextDelta;
import dev.holdfast.StreamEvent.ToolCallDelta;
import dev.holdfast.StreamEvent.UsageReported;
import dev.holdfast.Usage;
import dev.holdfast.spi.Dialect.StreamEncoder;
import dev.holdfast.spi.ServerSentEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Encodes a stream of chunks for a client of Gemini. The chunks of a server of Gemini go on as they came; of any other stream each
 * step is a chunk, and tool calls, which Gemini sends whole, come at the end.
 */
final class GeminiStreamEncoder implements StreamEncoder {
    private final ModelRequest request;
    private final Map<Integer, Call> calls = new TreeMap<>();
    private Optional<String> id = Optional.empty();
    private Optional<Usage> usage = Optional.empty();
    private FinishReason reason = FinishReason.STOP;
    private boolean refused;
    private boolean own;
    private boolean begun;

    /** A call whose arguments are still coming. */
    private static final class Call {
        private final StringBuilder arguments = new StringBuilder();
        private String id = "";
        private String name = "";

        private JsonObject toJson() {
            return GeminiParts.functionCall(id, name, Documents.arguments(arguments.toString()));
        }
    }

    GeminiStreamEncoder(ModelRequest request) {
        this.request = request;
    }

    @Override
    public List<ServerSentEvent> encode(StreamEvent event) {
        if (event instanceof Other(JsonObject document)) {
            return other(document);
        }
        return own ? List.of() : said(event);
    }

    private List<ServerSentEvent> said(StreamEvent event) {
        switch (event) {
            case TextDelta(String text) -> {
                return List.of(chunk(GeminiParts.text(text)));
            }
            case ReasoningDelta(String text) -> {
                return List.of(chunk(GeminiParts.thought(text)));
            }
            case RefusalDelta(String text) -> {
                refused = true;
                return List.of(chunk(GeminiParts.text(text)));
            }
            case ToolCallDelta fragment -> addCall(fragment);
            case UsageReported(Usage counted) -> usage = Optional.of(counted);
            case Finished(FinishReason why) -> reason = why;
            default -> {
                // What has no form is no part of an answer.
            }
        }
        return List.of();
    }

    private List<ServerSentEvent> other(JsonObject document) {
        boolean chunk = document.get("candidates").isPresent()
                || document.get("usageMetadata").isPresent();
        own |= !begun && chunk;
        if (own) {
            return List.of(ServerSentEvent.ofData(document.toJson()));
        }
        if (id.isEmpty()) {
            id = Documents.ownId(document);
        }
        return Logprobs.ofOpenAiChunk(document)
                .map(logprobs ->
                        List.of(event(GeminiAnswers.candidate(List.of()).with("logprobsResult", logprobs))))
                .orElse(List.of());
    }

    private void addCall(ToolCallDelta fragment) {
        Call call = calls.computeIfAbsent(fragment.index(), key -> new Call());
        call.id += fragment.id();
        call.name += fragment.name();
        call.arguments.append(fragment.arguments());
    }

    private ServerSentEvent chunk(JsonObject part) {
        return event(GeminiAnswers.candidate(List.of(part)));
    }

    private ServerSentEvent event(JsonObject candidate) {
        begun = true;
        return ServerSentEvent.ofData(document(candidate).build().toJson());
    }

    private JsonObject.Builder document(JsonObject candidate) {
        String made =
                id.orElseGet(() -> "resp_" + Documents.digest(request.document().toJson()));
        return JsonObject.builder()
                .with("candidates", JsonArray.of(candidate))
                .with("modelVersion", JsonValue.of(request.model()))
                .with("responseId", JsonValue.of(made));
    }

    @Override
    public List<ServerSentEvent> end() {
        if (own) {
            return List.of();
        }
        List<JsonValue> parts =
                calls.values().stream().<JsonValue>map(Call::toJson).toList();
        FinishReason why = refused && reason == FinishReason.STOP ? FinishReason.REFUSAL : reason;
        JsonObject candidate =
                GeminiAnswers.candidate(parts).with("finishReason", JsonValue.of(GeminiFinish.encode(why)));
        JsonObject.Builder last = document(candidate);
        usage.ifPresent(counted -> last.with("usageMetadata", GeminiUsage.encode(counted)));
        return List.of(ServerSentEvent.ofData(last.build().toJson()));
    }
}
