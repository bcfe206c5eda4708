package dev.holdfast.simulation.internal.provider;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts connections, numbers what comes in and keeps the books; one virtual thread for each connection. */
public final class Server implements AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final int KEPT = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final FaultScript script;
    private final ServerSocket listener;
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();
    private final ConcurrentSkipListMap<Integer, Received> received = new ConcurrentSkipListMap<>();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger executions = new AtomicInteger();
    private final Thread acceptor;
    private volatile boolean closed;

    private record Received(ProviderRequest request, int connection) {}

    private Server(FaultScript script, ServerSocket listener) {
        this.script = script;
        this.listener = listener;
        acceptor = Thread.ofVirtual().name("holdfast-provider-accept").unstarted(this::accept);
    }

    public static Server start(FaultScript script, int port) throws IOException {
        var server = new Server(script, new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress()));
        server.acceptor.start();
        return server;
    }

    public URI uri() {
        return URI.create("http://" + listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort());
    }

    public List<ProviderRequest> requests() {
        return received.values().stream().map(Received::request).toList();
    }

    public int connectionOf(int number) {
        Received found = received.get(number);
        if (found == null) {
            throw new IllegalArgumentException("number: " + number + " (expected: that of a request which is kept)");
        }
        return found.connection();
    }

    public int executions() {
        return executions.get();
    }

    public int connectionsOpened() {
        return opened.get();
    }

    public int connectionsOpen() {
        return open.size();
    }

    private void accept() {
        while (!closed) {
            try {
                serve(listener.accept());
            } catch (IOException e) {
                if (listener.isClosed()) {
                    return;
                }
            }
        }
    }

    private void serve(Socket socket) throws IOException {
        var connection = new Connection(this, socket, opened.incrementAndGet());
        open.add(connection);
        connection.start();
        if (closed) {
            connection.close();
        }
    }

    /** Numbers a request, writes it down and finds its answer. */
    Reply answer(int connection, String method, String path, Headers headers, Bytes body) {
        var request = new ProviderRequest(numbers.incrementAndGet(), method, path, headers, body);
        received.put(request.number(), new Received(request, connection));
        received.remove(request.number() - KEPT);
        Reply reply = scripted(request);
        if (reply.status() >= 200 && reply.status() < 300) {
            executions.incrementAndGet();
        }
        return reply;
    }

    /** A script that throws must not look like a connection that was lost. */
    private Reply scripted(ProviderRequest request) {
        try {
            return script.reply(request);
        } catch (RuntimeException | Error e) {
            return Reply.error(500, "script_error", "script_failed", "The script threw " + e);
        }
    }

    void ended(Connection connection) {
        open.remove(connection);
    }

    @Override
    public void close() {
        closed = true;
        Connection.closeQuietly(listener);
        open.forEach(Connection::close);
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        join(acceptor, deadlineNanos);
        open.forEach(connection -> {
            connection.close();
            join(connection.thread(), deadlineNanos);
        });
    }

    private static void join(Thread thread, long deadlineNanos) {
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())));
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
