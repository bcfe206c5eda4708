package dev.holdfast.core.internal.dialect;

import dev.holdfast.FinishReason;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Encodes a stream of blocks for a client of Anthropic. The events of a server of Anthropic go on as they came; of any other stream
 * each change from reasoning to text to a tool begins a block.
 */
final class AnthropicStreamEncoder implements StreamEncoder {
    private final ModelRequest request;
    private final Map<Integer, Integer> blockOfCall = new HashMap<>();
    private final StringBuilder refusal = new StringBuilder();
    private Optional<String> id = Optional.empty();
    private Usage usage = Usage.NONE;
    private FinishReason reason = FinishReason.STOP;
    private Open open = Open.NOTHING;
    private int blocks;
    private boolean begun;
    private boolean own;
    private boolean stopped;

    /** What the open block holds. */
    private enum Open {
        NOTHING,
        TEXT,
        THINKING,
        TOOL
    }

    AnthropicStreamEncoder(ModelRequest request) {
        this.request = request;
    }

    @Override
    public List<ServerSentEvent> encode(StreamEvent event) {
        var out = new ArrayList<ServerSentEvent>();
        if (event instanceof Other(JsonObject document)) {
            addOther(document, out);
        } else if (!own) {
            add(event, out);
        }
        return out;
    }

    private void add(StreamEvent event, List<ServerSentEvent> out) {
        switch (event) {
            case TextDelta(String text) -> {
                open(Open.TEXT, AnthropicAnswers.text(""), out);
                addDelta(blocks - 1, "text_delta", "text", text, out);
            }
            case ReasoningDelta(String text) -> {
                open(Open.THINKING, AnthropicAnswers.thinking(""), out);
                addDelta(blocks - 1, "thinking_delta", "thinking", text, out);
            }
            case RefusalDelta(String text) -> refusal.append(text);
            case ToolCallDelta call -> addCall(call, out);
            case UsageReported(Usage counted) -> usage = counted;
            case Finished(FinishReason why) -> reason = why;
            default -> {
                // What has no form is no part of a message.
            }
        }
    }

    /** What a server of Anthropic sent is told by its types; of another's documents only the id is of use. */
    private void addOther(JsonObject document, List<ServerSentEvent> out) {
        String type = document.text("type").orElse("");
        if (!begun && type.equals("message_start")) {
            own = true;
        }
        if (own) {
            stopped |= type.equals("message_stop");
            out.add(event(document, type));
        } else if (id.isEmpty()) {
            id = Documents.ownId(document);
        }
    }

    private void addCall(ToolCallDelta call, List<ServerSentEvent> out) {
        Integer known = blockOfCall.get(call.index());
        if (known == null) {
            close(out);
            String callId = call.id().isEmpty() ? Documents.madeCallId(call.name(), call.index()) : call.id();
            blockOfCall.put(call.index(), blocks);
            open(Open.TOOL, AnthropicAnswers.toolUse(callId, call.name(), JsonObject.empty()), out);
        }
        if (!call.arguments().isEmpty()) {
            int block = blockOfCall.getOrDefault(call.index(), blocks - 1);
            addDelta(block, "input_json_delta", "partial_json", call.arguments(), out);
        }
    }

    private void open(Open kind, JsonObject block, List<ServerSentEvent> out) {
        begin(out);
        if (open == kind && kind != Open.TOOL) {
            return;
        }
        close(out);
        JsonObject start = ofType("content_block_start")
                .with("index", JsonValue.of(blocks))
                .with("content_block", block);
        out.add(event(start));
        open = kind;
        blocks++;
    }

    private void close(List<ServerSentEvent> out) {
        if (open != Open.NOTHING) {
            out.add(event(ofType("content_block_stop").with("index", JsonValue.of(blocks - 1))));
            open = Open.NOTHING;
        }
    }

    private void begin(List<ServerSentEvent> out) {
        if (begun) {
            return;
        }
        begun = true;
        String made =
                id.orElseGet(() -> "msg_" + Documents.digest(request.document().toJson()));
        JsonObject message = AnthropicAnswers.envelope(made, request.model())
                .with("content", JsonArray.of())
                .with("stop_reason", JsonNull.NULL)
                .with("stop_sequence", JsonNull.NULL)
                .with("usage", AnthropicUsage.encode(usage))
                .build();
        out.add(event(ofType("message_start").with("message", message)));
    }

    private static void addDelta(int block, String type, String name, String more, List<ServerSentEvent> out) {
        JsonObject delta = ofType(type).with(name, JsonValue.of(more));
        out.add(event(
                ofType("content_block_delta").with("index", JsonValue.of(block)).with("delta", delta)));
    }

    @Override
    public List<ServerSentEvent> end() {
        var out = new ArrayList<ServerSentEvent>();
        if (own) {
            if (!stopped) {
                out.add(event(ofType("message_stop")));
            }
            return out;
        }
        begin(out);
        close(out);
        Optional<String> words = refusal.isEmpty() ? Optional.empty() : Optional.of(refusal.toString());
        FinishReason why = words.isPresent() && reason == FinishReason.STOP ? FinishReason.REFUSAL : reason;
        JsonObject delta = JsonObject.of("stop_reason", JsonValue.of(AnthropicStop.encode(why)))
                .with("stop_sequence", JsonNull.NULL)
                .with("stop_details", AnthropicAnswers.stopDetails(why, words));
        out.add(event(ofType("message_delta").with("delta", delta).with("usage", AnthropicUsage.encode(usage))));
        out.add(event(ofType("message_stop")));
        return out;
    }

    private static JsonObject ofType(String type) {
        return JsonObject.of("type", JsonValue.of(type));
    }

    private static ServerSentEvent event(JsonObject document) {
        return event(document, document.text("type").orElse(""));
    }

    private static ServerSentEvent event(JsonObject document, String type) {
        return new ServerSentEvent(type, document.toJson(), "");
    }
}
