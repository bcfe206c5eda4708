package dev.holdfast.core.internal.dialect;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.Opaque;
import dev.holdfast.StreamEvent.Other;
import dev.holdfast.StreamEvent.UsageReported;
import dev.holdfast.Usage;
import dev.holdfast.core.internal.failure.FailureClassifier;
import dev.holdfast.core.internal.json.JsonReader;
import dev.holdfast.spi.Dialect.StreamDecoder;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.ServerSentEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Passes a stream without a form through. What it looks at is what tells its end: {@code [DONE]} ends any stream; events of OpenAI's
 * Responses and of Anthropic's messages, and chunks with choices, promise an end of their own, and a stream of them that lacks it is
 * truncated. Of any other stream nothing is known but that its body ended as HTTP has it.
 *
 * <p>Errors within the stream are the classifier's to understand, as in {@link OpenAiStreamDecoder}.
 */
final class OpaqueStreamDecoder implements StreamDecoder {
    static final String DONE = "[DONE]";

    /** Types of events that say no more than that the server is there. */
    private static final Set<String> HOLLOW =
            Set.of("ping", "response.created", "response.queued", "response.in_progress", "message_start");

    private static final Set<String> LAST = Set.of("response.completed", "response.incomplete", "message_stop");

    private final long asked;
    /** Of each choice seen, whether it has its finish reason. */
    private final Map<Long, Boolean> finished = new HashMap<>();

    private JsonObject last = JsonObject.empty();
    private @Nullable JsonObject response;
    private Optional<Usage> counted = Optional.empty();
    private boolean any;
    private boolean promises;
    private boolean done;
    private boolean failed;

    OpaqueStreamDecoder(ModelRequest request) {
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
        JsonValue value = JsonReader.tryRead(data)
                .orElseThrow(() -> new DialectException("/: no JSON (expected: an event in JSON)"));
        Optional<JsonObject> document = value.asObject();
        if (document.filter(FailureClassifier::holdsError).isPresent()) {
            failed = true;
            return List.of(new Other(document.get()));
        }
        any = true;
        String type = document.flatMap(object -> object.text("type")).orElse(event.event());
        var events = new ArrayList<StreamEvent>(2);
        document.ifPresent(object -> read(type, object).ifPresent(usage -> events.add(new UsageReported(usage))));
        boolean hollow = HOLLOW.contains(type) && document.isPresent();
        events.addFirst(hollow ? new Other(document.get()) : new Opaque(event.event(), value));
        done = LAST.contains(type);
        return events;
    }

    /** Notes what the event says of the answer as a whole; the usage, where it is news. */
    private Optional<Usage> read(String type, JsonObject document) {
        last = document;
        document.object("response").ifPresent(whole -> response = whole);
        List<JsonValue> choices = document.list("choices");
        promises |= type.startsWith("response.") || type.equals("message_start") || !choices.isEmpty();
        for (JsonValue element : choices) {
            element.asObject().ifPresent(this::readChoice);
        }
        Optional<Usage> said = OpenAiUsage.decode(document)
                .or(() -> document.object("response").flatMap(OpenAiUsage::decode));
        boolean news = said.isPresent() && !said.equals(counted);
        counted = said.or(() -> counted);
        return news ? said : Optional.empty();
    }

    private void readChoice(JsonObject choice) {
        boolean ends = choice.text("finish_reason").isPresent();
        finished.merge(choice.longValue("index").orElse(0), ends, Boolean::logicalOr);
    }

    @Override
    public boolean isComplete() {
        boolean allFinished = finished.size() >= asked && !finished.containsValue(false);
        return !failed && (done || allFinished);
    }

    @Override
    public boolean isFinal() {
        return done || failed;
    }

    @Override
    public boolean mayEndHere() {
        return any && !promises && !failed;
    }

    /** The response where an event held it, as the last one of OpenAI's Responses does; else the last event. */
    @Override
    public ModelAnswer answer() {
        JsonObject document = response == null ? last : response;
        return new ModelAnswer(
                Form.OPAQUE,
                document,
                document.text("model"),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                OpenAiUsage.decode(document).or(() -> counted));
    }
}
