package dev.holdfast.simulation.internal.provider;

import dev.holdfast.Bytes;
import dev.holdfast.simulation.Ending;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import dev.holdfast.simulation.Reply.Framing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/** Plays a reply on a socket, in the order that {@link Reply} describes. */
final class ReplyWriter {
    private static final Map<Integer, String> REASONS = Map.ofEntries(
            Map.entry(200, "OK"),
            Map.entry(301, "Moved Permanently"),
            Map.entry(302, "Found"),
            Map.entry(307, "Temporary Redirect"),
            Map.entry(308, "Permanent Redirect"),
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(413, "Content Too Large"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(431, "Request Header Fields Too Large"),
            Map.entry(500, "Internal Server Error"),
            Map.entry(503, "Service Unavailable"));

    private final Incoming in;
    private final Wire wire;
    private final RequestReader.Read request;

    ReplyWriter(Incoming in, Wire wire, RequestReader.Read request) {
        this.in = in;
        this.wire = wire;
        this.request = request;
    }

    /** Whether another request may follow on this connection. */
    boolean play(Reply reply) throws IOException, InterruptedException {
        in.pause(reply.delay());
        if (!reply.ending().beforeHead()) {
            writeHead(reply);
            if (hasBody(reply)) {
                writeBody(reply);
            }
        }
        return end(reply);
    }

    private boolean hasBody(Reply reply) {
        return !request.method().equals("HEAD") && reply.status() != 204 && reply.status() != 304;
    }

    private void writeHead(Reply reply) throws IOException {
        if (reply.framing() == Framing.RAW) {
            return;
        }
        for (Reply.Interim interim : reply.interim()) {
            writeInterim(interim);
        }
        Instant now = Instant.now();
        var head = new StringBuilder("HTTP/1.1 " + reply.status() + " " + REASONS.getOrDefault(reply.status(), ""));
        reply.headersAt(now).fields().forEach(field -> line(head, field.getKey(), field.getValue()));
        if (reply.headers().first("Date").isEmpty()) {
            line(head, "Date", Durations.httpDate(now.truncatedTo(ChronoUnit.SECONDS)));
        }
        writeFraming(reply, head);
        head.append("\r\n\r\n");
        send(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private void writeInterim(Reply.Interim interim) throws IOException {
        var head = new StringBuilder("HTTP/1.1 " + interim.status() + " ");
        interim.headers().fields().forEach(field -> line(head, field.getKey(), field.getValue()));
        send(head.append("\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    private void writeFraming(Reply reply, StringBuilder head) {
        switch (reply.framing()) {
            case CONTENT_LENGTH -> {
                if (reply.headers().first("Content-Length").isEmpty() && reply.status() != 204) {
                    line(head, "Content-Length", Integer.toString(reply.body().size()));
                }
            }
            case CHUNKED -> line(head, "Transfer-Encoding", "chunked");
            case UNTIL_CLOSE, RAW -> {}
        }
        if (!keepsConnection(reply) && reply.headers().first("Connection").isEmpty()) {
            line(head, "Connection", "close");
        }
    }

    private static void line(StringBuilder head, String name, String value) {
        head.append("\r\n").append(name).append(": ").append(value);
    }

    private void writeBody(Reply reply) throws IOException, InterruptedException {
        for (Chunk chunk : reply.played()) {
            in.pause(chunk.pause());
            send(framed(chunk.bytes(), reply.framing()));
        }
        if (reply.framing() == Framing.CHUNKED && reply.ending().isWhole()) {
            send("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** An empty chunk would say that the body is over. */
    private static byte[] framed(Bytes bytes, Framing framing) {
        if (framing != Framing.CHUNKED || bytes.size() == 0) {
            return bytes.toByteArray();
        }
        var chunk = new ByteArrayOutputStream();
        chunk.writeBytes((Integer.toHexString(bytes.size()) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        chunk.writeBytes(bytes.toByteArray());
        chunk.writeBytes(new byte[] {'\r', '\n'});
        return chunk.toByteArray();
    }

    private void send(byte[] bytes) throws IOException {
        OutputStream out = wire.socket().getOutputStream();
        out.write(bytes);
        out.flush();
    }

    private boolean end(Reply reply) throws IOException {
        switch (reply.ending().kind()) {
            case COMPLETE -> {
                return keepsConnection(reply);
            }
            case HANG -> in.awaitEnd();
            case RESET -> wire.reset();
            case CUT, REFUSED, GO_AWAY -> {}
        }
        return false;
    }

    private boolean keepsConnection(Reply reply) {
        boolean saysClose = reply.headers().first("Connection").stream().anyMatch("close"::equalsIgnoreCase);
        boolean goesAway = reply.ending().kind() == Ending.Kind.GO_AWAY;
        return request.keepsConnection()
                && !saysClose
                && !goesAway
                && reply.framing() != Framing.UNTIL_CLOSE
                && isTrue(reply);
    }

    /** After a body that is shorter or longer than it says, no client could find the next answer. */
    private static boolean isTrue(Reply reply) {
        Optional<String> said = reply.headers().first("Content-Length");
        return reply.framing() != Framing.CONTENT_LENGTH
                || said.isEmpty()
                || said.get().equals(Integer.toString(reply.body().size()));
    }
}
