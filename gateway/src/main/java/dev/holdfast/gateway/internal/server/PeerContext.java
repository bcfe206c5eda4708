package dev.holdfast.gateway.internal.server;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/** A connection's context that reads and writes through a {@link Peer}. */
record PeerContext(ConnectionContext own, Peer peer, DataReader reader, DataWriter writer)
        implements ConnectionContext {
    PeerContext(ConnectionContext own, Peer peer) {
        this(own, peer, new PeerReader(peer), new TimedWriter(own.dataWriter(), peer));
    }

    @Override
    public ListenerContext listenerContext() {
        return own.listenerContext();
    }

    @Override
    public ExecutorService executor() {
        return own.executor();
    }

    @Override
    public DataWriter dataWriter() {
        return writer;
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }

    @Override
    public Router router() {
        return own.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return own.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
        return own.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
        return own.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return own.localPeer();
    }

    @Override
    public boolean isSecure() {
        return own.isSecure();
    }

    @Override
    public String socketId() {
        return own.socketId();
    }

    @Override
    public String childSocketId() {
        return own.childSocketId();
    }
}
