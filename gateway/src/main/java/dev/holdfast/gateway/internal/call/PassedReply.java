package dev.holdfast.gateway.internal.call;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.spi.TransportReply;
import java.io.IOException;
import java.util.Optional;

/**
 * What an endpoint answered to a request that was passed on.
 *
 * @param status the status
 * @param headers the header fields
 * @param head the body, or how it begins
 * @param rest brings what follows of the body; empty where nothing does
 */
record PassedReply(int status, Headers headers, Bytes head, Optional<TransportReply> rest) implements AutoCloseable {
    /** What has no more bytes is held in memory, and can be had again. */
    private static final int WHOLE = 256 << 10;

    static PassedReply of(TransportReply reply) throws IOException {
        byte[] head = reply.body().readNBytes(WHOLE);
        boolean more = head.length == WHOLE;
        return new PassedReply(
                reply.status(), reply.headers(), Bytes.of(head), more ? Optional.of(reply) : Optional.empty());
    }

    @Override
    public void close() {
        rest.ifPresent(TransportReply::close);
    }
}
