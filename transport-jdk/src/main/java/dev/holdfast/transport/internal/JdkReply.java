package dev.holdfast.transport.internal;

import dev.holdfast.Headers;
import dev.holdfast.spi.TransportReply;
import java.io.IOException;
import java.io.InputStream;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A reply over the JDK's response. */
record JdkReply(int status, Headers headers, InputStream body, IncomingBody incoming) implements TransportReply {
    private static final Set<String> OF_THE_CODED = Set.of("content-encoding", "content-length");
    /** An error's body up to this size is worth its reading, to keep the connection. */
    private static final long SMALL = 64 << 10;

    static JdkReply of(Head response, IncomingBody incoming, long maxBytes) {
        String coding = response.headers().firstValue("Content-Encoding").orElse("");
        InputStream decoded = DecodedBody.of(incoming, coding);
        boolean plain = DecodedBody.isIdentity(coding);
        return new JdkReply(
                response.status(), headers(response, plain), new LimitedBody(decoded, maxBytes), incoming);
    }

    private static Headers headers(Head response, boolean plain) {
        return Headers.of(response.headers().map().entrySet().stream()
                .filter(field -> plain || !OF_THE_CODED.contains(field.getKey().toLowerCase(Locale.ROOT)))
                .flatMap(field -> field.getValue().stream().map(value -> entry(field.getKey(), value)))
                .toList());
    }

    private static Map.Entry<String, String> entry(String name, String value) {
        return new SimpleImmutableEntry<>(name, value);
    }

    /** Reads what is left if it is small, and closes. */
    void discard() throws IOException {
        try {
            incoming.skip(SMALL);
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        incoming.close();
    }

    @Override
    public String toString() {
        return "JdkReply[" + status + "]";
    }
}
