package dev.holdfast.core.internal.dialect;

import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.Opaque;
import dev.holdfast.StreamEvent.Other;
import dev.holdfast.spi.Dialect.StreamEncoder;
import dev.holdfast.spi.ServerSentEvent;
import java.util.List;

/** Passes a stream without a form on. Streams of named events have a last one of their own; the others end with {@code [DONE]}. */
final class OpaqueStreamEncoder implements StreamEncoder {
    private boolean named;

    @Override
    public List<ServerSentEvent> encode(StreamEvent event) {
        return switch (event) {
            case Opaque opaque -> List.of(event(opaque.event(), opaque.data().toJson()));
            case Other other ->
                List.of(event(
                        other.document().text("type").orElse(""),
                        other.document().toJson()));
            default -> List.of();
        };
    }

    private ServerSentEvent event(String type, String data) {
        named |= !type.isEmpty();
        return new ServerSentEvent(type, data, "");
    }

    @Override
    public List<ServerSentEvent> end() {
        return named ? List.of() : List.of(ServerSentEvent.ofData(OpaqueStreamDecoder.DONE));
    }
}
