package dev.holdfast.tests.transport;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that writes what it is told to and knows no rule of HTTP but where a request ends. */
final class WireServer implements AutoCloseable {
    private final ServerSocket listening;
    private final Talk talk;
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** What is answered to a request; the connection goes on afterwards. */
    @FunctionalInterface
    interface Talk {
        void answer(int number, OutputStream out) throws IOException, InterruptedException;
    }

    private WireServer(ServerSocket listening, Talk talk) {
        this.listening = listening;
        this.talk = talk;
    }

    static WireServer start(Talk talk) throws IOException {
        var server = new WireServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), talk);
        Thread.ofVirtual().start(server::accept);
        return server;
    }

    /** Answers each request with the next of these, and with the last for ever. */
    static WireServer saying(String... answers) throws IOException {
        return start((number, out) ->
                out.write(answers[Math.min(number, answers.length) - 1].getBytes(StandardCharsets.ISO_8859_1)));
    }

    URI uri() {
        return at("127.0.0.1");
    }

    URI at(String host) {
        return URI.create("http://" + host + ":" + listening.getLocalPort() + "/v1/chat/completions");
    }

    /** The heads of the requests so far. */
    List<String> heads() {
        return heads;
    }

    int connectionsOpen() {
        return open.size();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            return; // closed
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                heads.add(head);
                in.readNBytes(length(head));
                talk.answer(heads.size(), socket.getOutputStream());
                socket.getOutputStream().flush();
            }
        } catch (IOException | InterruptedException e) {
            return; // the client has gone
        } finally {
            open.remove(socket);
        }
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static int length(String head) {
        return head.lines()
                .filter(line -> line.regionMatches(true, 0, "Content-Length:", 0, 15))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
