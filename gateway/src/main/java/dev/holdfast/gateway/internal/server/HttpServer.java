package dev.holdfast.gateway.internal.server;

import dev.holdfast.gateway.internal.http.Application;
import dev.holdfast.gateway.internal.http.ServerLimits;
import dev.holdfast.spi.Timekeeper;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;

/**
 * A server of HTTP/1.1 on virtual threads: one for each connection, one that looks after all of them, and one that reads ahead of each
 * whose request takes long. Safe for use by many threads.
 */
public final class HttpServer implements AutoCloseable {
    /** A line of a request longer than this is refused. */
    private static final int LONGEST_LINE = 8 << 10;

    private final WebServer server;
    private final Peers peers;
    private final InetAddress address;

    private HttpServer(WebServer server, Peers peers, InetAddress address) {
        this.server = server;
        this.peers = peers;
        this.address = address;
    }

    /**
     * {@return a running server}
     *
     * @param bind where it listens; port 0 for a free one
     * @param limits what clients may take
     * @param time where time comes from
     * @param application answers the requests
     * @throws IllegalStateException if the port is taken
     */
    public static HttpServer start(
            InetSocketAddress bind, ServerLimits limits, Timekeeper time, Application application) {
        var peers = new Peers(limits, time);
        Http1Config protocol = Http1Config.builder()
                .maxHeadersSize(limits.headBytes())
                .maxPrologueLength(LONGEST_LINE)
                .validatePath(false)
                .continueImmediately(false)
                .build();
        var selector = new PeerSelector(
                Http1ConnectionSelector.builder().config(protocol).build(), peers);
        WebServer server = WebServer.builder()
                .address(bind.getAddress())
                .port(bind.getPort())
                // An event that waits for the last one's acknowledgement comes 40 ms late.
                .connectionOptions(options -> options.tcpNoDelay(true))
                .shutdownHook(false)
                .shutdownGracePeriod(Duration.ofMillis(200))
                .protocolsDiscoverServices(false)
                .concurrencyLimitDiscoverServices(false)
                .featuresDiscoverServices(false)
                .addConnectionSelector(selector)
                .maxTcpConnections(limits.connections())
                .directHandlers(PlainRefusals.all())
                .routing(HttpRouting.builder().any((request, response) -> {
                    HelidonExchange exchange = new HelidonExchange(request, response, peers.of(request));
                    application.serve(exchange);
                }))
                .build();
        server.start();
        // A port that is taken is logged there and not thrown.
        if (!server.isRunning()) {
            throw new IllegalStateException(bind.getAddress().getHostAddress() + ":" + bind.getPort()
                    + ": cannot be listened on (expected: a free port of an address of this machine)");
        }
        peers.start();
        return new HttpServer(server, peers, bind.getAddress());
    }

    /** {@return where it listens} */
    public URI uri() {
        String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port());
    }

    /** {@return how many connections are open} */
    public int connections() {
        return peers.count();
    }

    /** Closes every connection, whatever is done for it. */
    @Override
    public void close() {
        server.stop();
        peers.close();
    }
}
