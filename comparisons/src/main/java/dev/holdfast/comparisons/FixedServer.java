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
import java.util.Locale;

/** A provider that costs next to nothing: whatever is asked on a connection that is kept, the same answer comes at once. */
final class FixedServer implements AutoCloseable {
    private static final int BACKLOG = 1_024;

    private final ServerSocket listening;
    private final byte[] answer;

    private FixedServer(ServerSocket listening, byte[] answer) {
        this.listening = listening;
        this.answer = answer;
    }

    static FixedServer start(String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + bytes.length
                + "\r\nx-request-id: req_1\r\n\r\n";
        try {
            var listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
            var server = new FixedServer(listening, (head + body).getBytes(StandardCharsets.UTF_8));
            Thread.ofPlatform().daemon().name("fixed-server").start(server::accept);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the base URL of the provider's API} */
    URI baseUrl() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort() + "/v1");
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
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
                in.skipNBytes(length);
                out.write(answer);
                out.flush();
            }
        } catch (IOException e) {
            // the client is gone
        }
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
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
