package dev.holdfast.core.internal.failure;

import dev.holdfast.Failure;
import dev.holdfast.JsonValue.JsonObject;

/** What an answer turned out to be, so that a good one is read once only. */
public sealed interface Judgement {
    /**
     * A good answer by its envelope.
     *
     * @param document the answer
     */
    record Good(JsonObject document) implements Judgement {}

    /**
     * A failure.
     *
     * @param failure what went wrong
     */
    record Bad(Failure failure) implements Judgement {}
}
