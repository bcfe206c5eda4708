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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Decodes a stream of chunks. A finish reason of each choice that was asked for, or {@code [DONE]}, completes it: some servers send the
 * choices one after the other.
 *
 * <p>An error within the stream is the classifier's to understand; here it is passed on as {@link Other} and ends the
 * stream: what follows is not read, and it is never complete.
 */
final class OpenAiStreamDecoder implements StreamDecoder {
    private static final String DONE = "[DONE]";

    /** Padding against eavesdroppers, and what is put together elsewhere. */
    private static final Set<String> NOT_KEPT = Set.of("object", "choices", "usage", "obfuscation", "p");

    /** Members that the first chunk with a value decides, since later chunks may lack them. */
    private static final Set<String> ENVELOPE = Set.of("id", "created", "model");

    private final Gathered.Members document = Gathered.Members.of(JsonObject.empty());
    private final TreeMap<Long, GatheredChoice> choices = new TreeMap<>();
    private Optional<JsonObject> usage = Optional.empty();
    private Optional<Usage> counted = Optional.empty();
    private final long asked;
    private boolean done;
    private boolean failed;

    /** Decodes the stream that answers this request. */
    OpenAiStreamDecoder(ModelRequest request) {
        asked = request.choices();
    }

    @Override
    public List<StreamEvent> decode(ServerSentEvent event) throws DialectException {
        String data = event.data().strip();
        if (done || failed || data.isEmpty()) {
            return List.of();
        }
        if (data.equals(DONE)) {
            done = true;
            return List.of();
        }
        Chunk chunk = Chunk.of(event.event(), data, "a chunk of a completion");
        failed = chunk.failed();
        return chunk.document()
                .map(each -> failed ? List.<StreamEvent>of(new Other(each)) : read(each))
                .orElse(List.of());
    }

    private List<StreamEvent> read(JsonObject chunk) {
        var events = new ArrayList<StreamEvent>();
        chunk.members().forEach(this::addEnvelope);
        var unsaid = new ArrayList<JsonValue>();
        for (JsonValue element : chunk.list("choices")) {
            element.asObject().ifPresent(choice -> addChoice(choice, events, unsaid));
        }
        addUsage(chunk).ifPresent(tokens -> events.add(new UsageReported(tokens)));
        if (events.isEmpty()) {
            events.add(new Other(chunk));
        } else if (!unsaid.isEmpty()) {
            events.add(new Other(chunk.without("usage").with("choices", new JsonArray(unsaid))));
        }
        return events;
    }

    /** Events speak of the first choice; further ones are passed on as they came. */
    private void addChoice(JsonObject choice, List<StreamEvent> events, List<JsonValue> unsaid) {
        long index = choice.longValue("index").orElse(0);
        List<StreamEvent> said =
                choices.computeIfAbsent(index, key -> new GatheredChoice()).add(choice);
        if (index != 0) {
            unsaid.add(choice);
            return;
        }
        events.addAll(said);
        JsonObject rest = GatheredChoice.unsaid(choice);
        if (!rest.members().isEmpty()) {
            unsaid.add(rest);
        }
    }

    private void addEnvelope(String name, JsonValue value) {
        if (NOT_KEPT.contains(name)) {
            return;
        }
        boolean hollow = value.isNull() || value.asLong().orElse(1) == 0;
        Gathered before = document.members().get(name);
        boolean known = before != null && isSaid(before);
        if (!ENVELOPE.contains(name)) {
            addOther(name, value);
        } else if (!known && !hollow) {
            document.replace(name, value);
        }
    }

    private void addOther(String name, JsonValue value) {
        if (value.asObject().isPresent()) {
            document.add(name, value);
        } else {
            document.replace(name, value);
        }
    }

    private static boolean isSaid(Gathered value) {
        return !(value instanceof Gathered.Text(StringBuilder text)) || !text.isEmpty();
    }

    /** Groq put the usage into a member of its own. Some servers repeat it with every chunk. */
    private Optional<Usage> addUsage(JsonObject chunk) {
        Optional<JsonObject> said =
                chunk.object("usage").or(() -> chunk.object("x_groq").flatMap(own -> own.object("usage")));
        if (said.isEmpty()) {
            return Optional.empty();
        }
        usage = said;
        Optional<Usage> before = counted;
        counted = said.flatMap(OpenAiUsage::decodeUsage);
        return counted.equals(before) ? Optional.empty() : counted;
    }

    @Override
    public boolean isComplete() {
        boolean finished = choices.containsKey(0L)
                && choices.size() >= asked
                && choices.values().stream().allMatch(GatheredChoice::isFinished);
        return !failed && (done || finished);
    }

    @Override
    public boolean isFinal() {
        return done || failed;
    }

    @Override
    public ModelAnswer answer() {
        JsonObject whole = document.toJson().with("object", JsonValue.of("chat.completion"));
        var all = new ArrayList<JsonValue>();
        choices.forEach((index, choice) -> all.add(choice.toJson(index)));
        whole = whole.with("choices", new JsonArray(all));
        return OpenAiAnswers.decodePartial(usage.isPresent() ? whole.with("usage", usage.get()) : whole);
    }
}
