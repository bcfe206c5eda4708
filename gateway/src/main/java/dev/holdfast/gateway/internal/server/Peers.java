package dev.holdfast.gateway.internal.server;

import dev.holdfast.gateway.internal.http.ServerLimits;
import dev.holdfast.spi.Timekeeper;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http.ServerRequest;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The clients that are connected; looks after those that are slow, and for those that hang up. As many as there may be connections. */
final class Peers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.gateway");
    private static final Duration LOOK = Duration.ofMillis(100);

    private final ConcurrentHashMap<String, Peer> connected = new ConcurrentHashMap<>();
    private final ServerLimits limits;
    private final Timekeeper time;
    private final Timekeeper.Signal closed;

    Peers(ServerLimits limits, Timekeeper time) {
        this.limits = limits;
        this.time = time;
        this.closed = time.newSignal();
    }

    void start() {
        time.start("holdfast-gateway-clients", this::lookAfterAll);
    }

    Peer connect(ConnectionContext context) {
        var peer = new Peer(context, limits, time);
        connected.put(name(context.socketId(), context.childSocketId()), peer);
        peer.start();
        return peer;
    }

    void disconnect(ConnectionContext context) {
        Peer peer = connected.remove(name(context.socketId(), context.childSocketId()));
        if (peer != null) {
            peer.cutOff();
        }
    }

    Peer of(ServerRequest request) {
        Peer peer = connected.get(name(request.serverSocketId(), request.socketId()));
        if (peer == null) {
            throw new IllegalStateException("a request on no connection (expected: one that is open)");
        }
        return peer;
    }

    int count() {
        return connected.size();
    }

    private static String name(String server, String socket) {
        return server + "/" + socket;
    }

    private void lookAfterAll() {
        try {
            while (!closed.await(time.nanoTime() + LOOK.toNanos())) {
                connected.values().forEach(Peers::lookAfter);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whatever is the matter with one, the others are looked after. */
    private static void lookAfter(Peer peer) {
        try {
            peer.look();
        } catch (RuntimeException e) {
            LOG.warn("a client could not be looked after, and is cut off", e);
            peer.cutOff();
        }
    }

    @Override
    public void close() {
        closed.set();
        connected.values().forEach(Peer::cutOff);
    }
}
