package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.Other;
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
import java.util.TreeMap;

/**
 * Decodes a stream of chunks, each of which is an answer of its own. A finish reason of each candidate that was asked for completes
 * it; there is no event that ends it, so that what still follows is read.
 *
 * <p>Each chunk is passed on as it came, as {@link Other}, before what it means: signatures, grounding and code that ran have no
 * event, and a client of Gemini is to have them. An error within the stream is the classifier's to understand; it ends the stream,
 * which is then never complete.
 */
final class GeminiStreamDecoder implements StreamDecoder {
    private final Map<String, JsonValue> document = new LinkedHashMap<>();
    private final TreeMap<Long, GeminiCandidate> candidates = new TreeMap<>();
    private final long asked;
    private JsonObject usage = JsonObject.empty();
    private Optional<Usage> counted = Optional.empty();
    private boolean failed;

    /** Decodes the stream that answers this request. */
    GeminiStreamDecoder(ModelRequest request) {
        asked = request.choices();
    }

    @Override
    public List<StreamEvent> decode(ServerSentEvent event) throws DialectException {
        String data = event.data().strip();
        if (failed || data.isEmpty() || data.equals("[DONE]")) {
            return List.of();
        }
        Chunk chunk = Chunk.of(event.event(), data, "a chunk of an answer");
        failed = chunk.failed();
        if (chunk.document().isEmpty()) {
            return List.of();
        }
        var events = new ArrayList<StreamEvent>();
        events.add(new Other(chunk.document().get()));
        if (!failed) {
            read(chunk.document().get(), events);
        }
        return events;
    }

    private void read(JsonObject chunk, List<StreamEvent> events) throws DialectException {
        chunk.members().forEach((name, value) -> {
            if (!value.isNull() || !document.containsKey(name)) {
                document.put(name, value);
            }
        });
        Optional<String> id = Optional.ofNullable(document.get("responseId")).flatMap(JsonValue::asText);
        for (JsonValue element : chunk.list("candidates")) {
            if (element instanceof JsonObject candidate) {
                long index = candidate.longValue("index").orElse(0);
                GeminiCandidate gathered = candidates.computeIfAbsent(index, key -> new GeminiCandidate());
                // Events speak of the first candidate; further ones are passed on as they came.
                gathered.add(candidate, id, index == 0 ? events : new ArrayList<>());
            }
        }
        addUsage(chunk, events);
    }

    /** The counts so far, which each chunk says anew. */
    private void addUsage(JsonObject chunk, List<StreamEvent> events) {
        JsonObject.Builder all = usage.toBuilder();
        chunk.object("usageMetadata").ifPresent(said -> said.members().forEach(all::with));
        usage = all.build();
        Optional<Usage> before = counted;
        counted = GeminiUsage.decode(usage);
        if (!counted.equals(before)) {
            counted.ifPresent(tokens -> events.add(new UsageReported(tokens)));
        }
    }

    @Override
    public boolean isComplete() {
        return !failed
                && candidates.containsKey(0L)
                && candidates.size() >= asked
                && candidates.values().stream().allMatch(GeminiCandidate::isFinished);
    }

    @Override
    public boolean isFinal() {
        return failed;
    }

    @Override
    public ModelAnswer answer() {
        JsonObject whole = JsonValue.object(document)
                .with(
                        "candidates",
                        new JsonArray(candidates.values().stream()
                                .<JsonValue>map(GeminiCandidate::toJson)
                                .toList()));
        return GeminiAnswers.decodePartial(usage.members().isEmpty() ? whole : whole.with("usageMetadata", usage));
    }
}
