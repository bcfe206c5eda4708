package dev.holdfast.tests.transport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy that tunnels to whoever is asked for, always on this machine, and remembers the heads it was given. */
final class Tunnel implements AutoCloseable {
    private final ServerSocket listener;
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final String answer;

    Tunnel(String answer) throws IOException {
        this.answer = answer;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    List<String> heads() {
        return heads;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            var reader =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1), 1);
            var head = new StringBuilder();
            for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
                head.append(line).append('\n');
            }
            heads.add(head.toString());
            client.getOutputStream().write((answer + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
            if (answer.contains(" 200 ")) {
                int port = Integer.parseInt(head.toString().replaceAll("(?s)^CONNECT [^:]*:(\\d+) .*", "$1"));
                connect(client, port);
            }
        } catch (IOException e) {
            // Either side has ended.
            return;
        }
    }

    private static void connect(Socket client, int port) throws IOException {
        try (var server = new Socket(InetAddress.getLoopbackAddress(), port)) {
            Thread back = Thread.ofVirtual().start(() -> copy(server, client));
            copy(client, server);
            back.interrupt();
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            OutputStream out = to.getOutputStream();
            from.getInputStream().transferTo(out);
            to.shutdownOutput();
        } catch (IOException e) {
            // Either side has ended.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
