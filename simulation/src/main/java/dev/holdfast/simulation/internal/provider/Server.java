package dev.holdfast.simulation.internal.provider;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Accepts connections and keeps track of them; one virtual thread for each. */
public final class Server implements AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Options options;
    private final Books books;
    private final ServerSocket listener;
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger opened = new AtomicInteger();
    private final Thread acceptor;
    private volatile boolean closed;

    private Server(Options options, ServerSocket listener) {
        this.options = options;
        this.books = new Books(options.script(), options.honoursKeys());
        this.listener = listener;
        acceptor = Thread.ofVirtual().name("holdfast-provider-accept").unstarted(this::accept);
    }

    public static Server start(Options options) throws IOException {
        var server = new Server(options, new ServerSocket(options.port(), BACKLOG, InetAddress.getLoopbackAddress()));
        server.acceptor.start();
        return server;
    }

    public URI uri() {
        String scheme = options.secure() ? "https" : "http";
        return URI.create(scheme + "://" + listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort());
    }

    public boolean isSecure() {
        return options.secure();
    }

    @Nullable
    SSLContext tls() {
        return options.secure() ? Tls.loopback().server() : null;
    }

    int maxStreams() {
        return options.maxStreams();
    }

    public Books books() {
        return books;
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

    private void serve(Socket socket) {
        var connection = new Connection(this, socket, opened.incrementAndGet());
        open.add(connection);
        connection.start();
        if (closed) {
            connection.close();
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
