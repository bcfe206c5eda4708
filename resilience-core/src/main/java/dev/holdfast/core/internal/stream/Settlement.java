package dev.holdfast.core.internal.stream;

import dev.holdfast.CallTrail;
import dev.holdfast.Failure;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelResponse;

/**
 * What a begun stream holds of its call, and how it gives it back. The first three tell and change nothing; of the last three, one
 * is called, once.
 */
public interface Settlement {
    /** The response, if the stream ended now with this answer. */
    ModelResponse response(ModelAnswer answer);

    /** A failure as it counts for a stream that had begun. */
    Failure afterBeginning(Failure failure);

    /** What the call did, if the stream ended now with this failure. */
    CallTrail trail(Failure failure);

    /** The stream came to its good end. */
    void completed(ModelResponse response);

    /** The stream came to a bad end. */
    void failed(Failure failure, CallTrail trail);

    /** Nobody wanted the rest. */
    void cancelled(Failure why, CallTrail trail);
}
