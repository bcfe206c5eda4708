package dev.holdfast.gateway.internal.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Set;

/** Connections of the server's own kind, read and written through a {@link Peer}. */
final class PeerSelector implements ServerConnectionSelector {
    private final ServerConnectionSelector own;
    private final Peers peers;

    PeerSelector(ServerConnectionSelector own, Peers peers) {
        this.own = own;
        this.peers = peers;
    }

    @Override
    public int bytesToIdentifyConnection() {
        return own.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return own.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return own.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        Peer peer = peers.connect(context);
        ServerConnection connection = own.connection(new PeerContext(context, peer));
        return new ServerConnection() {
            @Override
            public void handle(Limit limit) throws InterruptedException {
                try {
                    connection.handle(limit);
                } finally {
                    peers.disconnect(context);
                }
            }

            @Override
            public Duration idleTime() {
                return connection.idleTime();
            }

            @Override
            public void close(boolean interrupt) {
                connection.close(interrupt);
            }
        };
    }
}
