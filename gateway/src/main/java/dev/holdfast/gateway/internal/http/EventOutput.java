package dev.holdfast.gateway.internal.http;

import dev.holdfast.Headers;
import dev.holdfast.spi.ServerSentEvent;
import java.io.IOException;
import java.util.List;

/** Takes the events of one answer. Used by one thread. */
public interface EventOutput {
    /**
     * Takes events, which are sent at the next {@link #flush} or before it.
     *
     * @param events the events, in order
     * @throws IOException if the client cannot be reached any more
     */
    void write(List<ServerSentEvent> events) throws IOException;

    /**
     * Takes what is known only now, as comments: people and tools that look for it read them, and clients pass over them.
     *
     * @param fields what a header field would have said
     * @throws IOException if the client cannot be reached any more
     */
    void remark(Headers fields) throws IOException;

    /**
     * Sends what was taken and not sent yet.
     *
     * @throws IOException if the client cannot be reached any more
     */
    void flush() throws IOException;

    /**
     * Sends the rest and ends the answer, so that the client knows it to be over.
     *
     * @throws IOException if the client cannot be reached any more
     */
    void end() throws IOException;
}
