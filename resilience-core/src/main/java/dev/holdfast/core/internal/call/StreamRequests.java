package dev.holdfast.core.internal.call;

import dev.holdfast.ModelRequest;

/** Makes of a request one that asks for a stream. */
final class StreamRequests {
    private StreamRequests() {}

    static ModelRequest of(ModelRequest request) {
        return request.withStreaming(true);
    }
}
