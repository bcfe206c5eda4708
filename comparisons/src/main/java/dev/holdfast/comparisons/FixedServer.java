package dev.holdfast.comparisons;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A provider that costs next to nothing: whatever is asked on a connection that is kept, the same answer comes at once. It speaks TLS as
 * well, once its secure base URL is asked for.
 */
final class FixedServer implements AutoCloseable {
    private static final int BACKLOG = 1_024;
    private static final byte[] STREAM = "\"stream\":true".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket listening;
    private final byte[] answer;
    private final List<byte[]> stream;
    private final AtomicReference<@Nullable ServerSocket> secure = new AtomicReference<>();

    private FixedServer(ServerSocket listening, byte[] answer, List<byte[]> stream) {
        this.listening = listening;
        this.answer = answer;
        this.stream = stream;
    }

    static FixedServer start(String body) {
        return start(body, List.of());
    }

    /** One that streams these events, each by itself, to whoever asks for a stream; to everybody the body, if there are none. */
    static FixedServer start(String body, List<String> events) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + bytes.length
                + "\r\nx-request-id: req_1\r\n\r\n";
        try {
            var listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
            var server = new FixedServer(listening, (head + body).getBytes(StandardCharsets.UTF_8), pieces(events));
            server.acceptFrom(listening);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The head with the first event, the others, and the end, as they are on the wire under the chunked coding. */
    private static List<byte[]> pieces(List<String> events) {
        var pieces = new ArrayList<byte[]>();
        for (int i = 0; i < events.size(); i++) {
            byte[] event = events.get(i).getBytes(StandardCharsets.UTF_8);
            String before = i > 0
                    ? ""
                    : "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
            String after = i + 1 < events.size() ? "\r\n" : "\r\n0\r\n\r\n";
            pieces.add((before + Integer.toHexString(event.length) + "\r\n" + events.get(i) + after)
                    .getBytes(StandardCharsets.UTF_8));
        }
        return pieces;
    }

    /** {@return the base URL of the provider's API} */
    URI baseUrl() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort() + "/v1");
    }

    /** {@return the same under TLS, by name: what a provider is asked by} */
    URI secureBaseUrl() {
        ServerSocket known = secure.get();
        return URI.create("https://localhost:" + (known == null ? listenSecurely() : known).getLocalPort() + "/v1");
    }

    private ServerSocket listenSecurely() {
        try {
            ServerSocket made = LoopbackTls.get()
                    .server()
                    .getServerSocketFactory()
                    .createServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
            secure.set(made);
            acceptFrom(made);
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void acceptFrom(ServerSocket socket) {
        Thread.ofPlatform().daemon().name("fixed-server").start(() -> accept(socket));
    }

    private void accept(ServerSocket from) {
        while (!from.isClosed()) {
            try {
                Socket socket = from.accept();
                socket.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (int length = head(in); length >= 0; length = head(in)) {
                byte[] body = in.readNBytes(length);
                for (byte[] piece : asksForStream(body) ? stream : List.of(answer)) {
                    out.write(piece);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // the client is gone
        }
    }

    private boolean asksForStream(byte[] body) {
        if (stream.isEmpty()) {
            return false;
        }
        for (int at = 0; at + STREAM.length <= body.length; at++) {
            if (Arrays.equals(body, at, at + STREAM.length, STREAM, 0, STREAM.length)) {
                return true;
            }
        }
        return false;
    }

    /** Reads up to the body, and says how long that is; -1 at the end of the stream. */
    private static int head(InputStream in) throws IOException {
        int length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.equals("\n")) {
                return length;
            }
            String field = line.toLowerCase(Locale.ROOT);
            if (field.startsWith("content-length:")) {
                length = Integer.parseInt(
                        field.substring("content-length:".length()).strip());
            }
        }
        return -1;
    }

    /** A line with its end, without the carriage return; empty at the end of the stream. */
    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next != '\r') {
                line.append((char) next);
            }
            if (next == '\n') {
                return line.toString();
            }
        }
        return "";
    }

    @Override
    public void close() {
        try {
            listening.close();
            ServerSocket second = secure.get();
            if (second != null) {
                second.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
