package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.Finished;
import dev.holdfast.StreamEvent.Other;
import dev.holdfast.StreamEvent.RefusalDelta;
import dev.holdfast.StreamEvent.UsageReported;
import dev.holdfast.Usage;
import dev.holdfast.spi.Dialect.StreamDecoder;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.ServerSentEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Decodes a stream of blocks. A stop reason completes it, {@code message_stop} ends it.
 *
 * <p>Each event is passed on as it came, as {@link Other}, before what it means: signatures, citations and the doings of the server's
 * own tools have no event, and a client of Anthropic is to have them. An error within the stream is the classifier's to understand;
 * it ends the stream, which is then never complete.
 */
final class AnthropicStreamDecoder implements StreamDecoder {
    private final Map<String, JsonValue> message = new LinkedHashMap<>();
    private final TreeMap<Long, AnthropicBlock> blocks = new TreeMap<>();
    private JsonObject usage = JsonObject.empty();
    private Optional<Usage> counted = Optional.empty();
    private Optional<String> stopReason = Optional.empty();
    private int calls;
    private boolean done;
    private boolean failed;

    @Override
    public List<StreamEvent> decode(ServerSentEvent event) throws DialectException {
        String data = event.data().strip();
        if (done || failed || data.isEmpty()) {
            return List.of();
        }
        Chunk chunk = Chunk.of(event.event(), data, "an event of a message");
        failed = chunk.failed();
        if (chunk.document().isEmpty()) {
            return List.of();
        }
        JsonObject document = chunk.document().get();
        var events = new ArrayList<StreamEvent>();
        events.add(new Other(document));
        if (!failed) {
            read(document, document.text("type").orElse(event.event()), events);
        }
        return events;
    }

    private void read(JsonObject document, String type, List<StreamEvent> events) throws DialectException {
        switch (type) {
            case "message_start" -> begin(document.object("message").orElse(JsonObject.empty()), events);
            case "content_block_start" -> beginBlock(document, events);
            case "content_block_delta" ->
                block(document).add(document.object("delta").orElse(JsonObject.empty()), events);
            case "content_block_stop" -> block(document).end(events);
            case "message_delta" -> change(document, events);
            case "message_stop" -> done = true;
            default -> {
                // Pings, and events that are newer than this.
            }
        }
    }

    private void begin(JsonObject begun, List<StreamEvent> events) {
        message.putAll(begun.members());
        addUsage(begun, events);
    }

    private void beginBlock(JsonObject document, List<StreamEvent> events) {
        JsonObject begun = document.object("content_block").orElse(JsonObject.empty());
        boolean call = begun.text("type").filter("tool_use"::equals).isPresent();
        var block = new AnthropicBlock(begun, call ? calls++ : -1);
        blocks.put(index(document, blocks.isEmpty() ? 0 : blocks.lastKey() + 1), block);
        block.begin(events);
    }

    private static long index(JsonObject document, long otherwise) {
        OptionalLong said = document.longValue("index");
        return said.orElse(otherwise);
    }

    private AnthropicBlock block(JsonObject document) throws DialectException {
        long index = index(document, blocks.isEmpty() ? 0 : blocks.lastKey());
        AnthropicBlock block = blocks.get(index);
        if (block == null) {
            throw new DialectException("/index: " + index + " (expected: that of a block that has begun)");
        }
        return block;
    }

    private void change(JsonObject document, List<StreamEvent> events) {
        JsonObject delta = document.object("delta").orElse(JsonObject.empty());
        message.putAll(delta.members());
        Optional<String> reason = delta.text("stop_reason").filter(word -> !word.isEmpty());
        if (reason.isPresent() && stopReason.isEmpty()) {
            stopReason = reason;
            AnthropicAnswers.decodePartial(delta).refusal().ifPresent(words -> events.add(new RefusalDelta(words)));
            events.add(new Finished(AnthropicStop.decode(reason.get())));
        }
        addUsage(document, events);
    }

    /** The counts so far; those at the end lack some of those at the beginning. */
    private void addUsage(JsonObject document, List<StreamEvent> events) {
        JsonObject.Builder all = usage.toBuilder();
        document.object("usage")
                .ifPresent(said -> said.members().forEach((name, count) -> {
                    if (!count.isNull() || !all.has(name)) {
                        all.with(name, count);
                    }
                }));
        usage = all.build();
        Optional<Usage> before = counted;
        counted = AnthropicUsage.decode(usage);
        if (!counted.equals(before)) {
            counted.ifPresent(tokens -> events.add(new UsageReported(tokens)));
        }
    }

    @Override
    public boolean isComplete() {
        return !failed && (done || stopReason.isPresent());
    }

    @Override
    public boolean isFinal() {
        return done || failed;
    }

    @Override
    public ModelAnswer answer() {
        JsonObject whole = JsonValue.object(message)
                .with(
                        "content",
                        new JsonArray(blocks.values().stream()
                                .<JsonValue>map(AnthropicBlock::toJson)
                                .toList()));
        return AnthropicAnswers.decodePartial(usage.members().isEmpty() ? whole : whole.with("usage", usage));
    }
}
