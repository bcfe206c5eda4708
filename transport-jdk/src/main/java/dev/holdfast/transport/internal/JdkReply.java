package dev.holdfast.transport.internal;

import dev.holdfast.Headers;
import dev.holdfast.spi.TransportReply;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A reply over the JDK's response. */
record JdkReply(int status, Headers headers, InputStream body, IncomingBody incoming) implements TransportReply {
    private static final Set<String> OF_THE_CODED = Set.of("content-encoding", "content-length");
    private static final long PACKING = 64 << 10;

    static JdkReply of(Head response, IncomingBody incoming, long maxBytes) {
        String coding = DecodedBody.coding(response.all("Content-Encoding"));
        boolean plain = coding.isEmpty();
        InputStream body = plain ? incoming : DecodedBody.of(new LimitedBody(incoming, packed(maxBytes)), coding);
        return new JdkReply(response.status(), headers(response, plain), new LimitedBody(body, maxBytes), incoming);
    }

    /** What is packed is bounded as well, since it may unpack to nothing; small parts grow by their packing. */
    private static long packed(long maxBytes) {
        return maxBytes < Long.MAX_VALUE / 2 - PACKING ? 2 * maxBytes + PACKING : Long.MAX_VALUE;
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

    /** Closes; what is left of the body is read before if it is small and there, to keep the connection. */
    void discard() throws InterruptedException {
        incoming.discard();
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
