package dev.holdfast.transport.internal;

import dev.holdfast.Headers;
import dev.holdfast.spi.TransportReply;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
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
        return new JdkReply(response.status(), headers(response, plain), new LimitedBody(decoded, maxBytes), incoming);
    }

    /** Without those that speak of the coding which is undone, and without HTTP/2's own, which the client shows. */
    private static Headers headers(Head response, boolean plain) {
        var fields = new ArrayList<Map.Entry<String, String>>();
        response.headers().map().forEach((name, values) -> {
            if (!name.startsWith(":") && (plain || !OF_THE_CODED.contains(name.toLowerCase(Locale.ROOT)))) {
                values.forEach(value -> fields.add(Map.entry(name, value)));
            }
        });
        return Headers.of(fields);
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
