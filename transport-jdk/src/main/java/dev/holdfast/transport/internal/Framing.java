package dev.holdfast.transport.internal;

import java.util.List;

/**
 * Where a body of HTTP/1.1 ends, by its head (RFC 9112, section 6.3). The JDK's client believes a length even if the body is chunked,
 * the first of two lengths, and waits for ever for what it cannot make sense of.
 */
final class Framing {
    private Framing() {}

    /** Whether the head names two ends, or one that the client does not understand. */
    static boolean isAmbiguous(Head head) {
        List<String> codings = head.all("Transfer-Encoding");
        List<String> lengths = head.all("Content-Length");
        if (codings.isEmpty()) {
            return lengths.stream().distinct().count() > 1
                    || lengths.stream().anyMatch(length -> length.strip().startsWith("-"));
        }
        return !lengths.isEmpty()
                || codings.size() > 1
                || !codings.getFirst().strip().equalsIgnoreCase("chunked");
    }
}
