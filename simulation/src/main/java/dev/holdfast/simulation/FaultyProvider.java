package dev.holdfast.simulation;

import dev.holdfast.simulation.internal.provider.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;

/**
 * A real HTTP/1.1 server on the loopback interface that answers as its {@link FaultScript} says, down to the byte.
 *
 * <pre>{@code
 * try (var provider = FaultyProvider.start(FaultScript.of(Reply.status(503)))) {
 *     // calls to provider.baseUrl(): the first gets 503, the others what a healthy provider answers
 *     assertThat(provider.requests()).hasSize(2);
 * }
 * }</pre>
 *
 * <p>It keeps connections open between requests, knows {@code Expect: 100-continue}, takes bodies with a content length or
 * chunked, and answers 4xx to what is no HTTP request; such bytes never reach the script. A client that goes away is noticed
 * during delays and pauses. Safe for use by many threads.
 */
public final class FaultyProvider implements AutoCloseable {
    private final Server server;

    private FaultyProvider(Server server) {
        this.server = server;
    }

    /** {@return a running provider without faults, on a free port} */
    public static FaultyProvider start() {
        return start(FaultScript.healthy());
    }

    /**
     * {@return a running provider on a free port}
     *
     * @param script what it answers
     */
    public static FaultyProvider start(FaultScript script) {
        return start(script, 0);
    }

    /**
     * {@return a running provider}
     *
     * @param script what it answers
     * @param port the port it listens on; 0 for a free one
     * @throws UncheckedIOException if the port is taken
     */
    public static FaultyProvider start(FaultScript script, int port) {
        try {
            return new FaultyProvider(Server.start(script, port));
        } catch (IOException e) {
            throw new UncheckedIOException("port: " + port + " (expected: a free one)", e);
        }
    }

    /** {@return the root: {@code http://127.0.0.1:41234}} */
    public URI uri() {
        return server.uri();
    }

    /** {@return what an endpoint is given as its base: {@code http://127.0.0.1:41234/v1}} */
    public URI baseUrl() {
        return URI.create(server.uri() + "/v1");
    }

    /** {@return the requests so far, by number; of more than 10,000 the latest} */
    public List<ProviderRequest> requests() {
        return server.requests();
    }

    /**
     * {@return on which connection a request came, counted from 1}
     *
     * @param number the request's number
     * @throws IllegalArgumentException if that request is not among {@link #requests()}
     */
    public int connectionOf(int number) {
        return server.connectionOf(number);
    }

    /** {@return for how many requests the provider did the work: answered 2xx, whether or not the answer was let out} */
    public int executions() {
        return server.executions();
    }

    /** {@return how many connections were made so far} */
    public int connectionsOpened() {
        return server.connectionsOpened();
    }

    /** {@return how many connections are open now} */
    public int connectionsOpen() {
        return server.connectionsOpen();
    }

    /** Closes every connection and ends every thread. Does nothing the second time. */
    @Override
    public void close() {
        server.close();
    }

    @Override
    public String toString() {
        return "FaultyProvider[" + uri() + "]";
    }
}
