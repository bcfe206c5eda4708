package dev.holdfast.core.internal.dialect;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.failure.FailureClassifier;
import dev.holdfast.core.internal.json.JsonReader;
import dev.holdfast.spi.DialectException;
import java.util.Optional;

/**
 * What an event of a stream holds.
 *
 * @param document its document; empty where it says without one that the stream failed
 * @param failed whether it says that the stream failed, by its name or in its document
 */
record Chunk(Optional<JsonObject> document, boolean failed) {
    /** Reads the data of an event, which must be a document unless the event is called an error. */
    static Chunk of(String event, String data, String expected) throws DialectException {
        boolean error = event.equalsIgnoreCase("error");
        Optional<JsonObject> document = JsonReader.tryRead(data).flatMap(JsonValue::asObject);
        if (document.isEmpty() && !error) {
            throw new DialectException("/: no JSON object (expected: " + expected + ")");
        }
        return new Chunk(
                document,
                error || document.filter(FailureClassifier::holdsError).isPresent());
    }
}
