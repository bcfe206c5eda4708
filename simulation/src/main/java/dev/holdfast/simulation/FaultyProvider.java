package dev.holdfast.simulation;

import dev.holdfast.HttpVersion;
import dev.holdfast.simulation.internal.provider.Options;
import dev.holdfast.simulation.internal.provider.Server;
import dev.holdfast.simulation.internal.provider.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * A real HTTP server on the loopback interface that answers as its {@link FaultScript} says, down to the byte: HTTP/1.1, or over TLS
 * both HTTP/1.1 and HTTP/2, whichever the client agrees to.
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
        return builder(script).start();
    }

    /**
     * {@return a running provider}
     *
     * @param script what it answers
     * @param port the port it listens on; 0 for a free one
     * @throws UncheckedIOException if the port is taken
     */
    public static FaultyProvider start(FaultScript script, int port) {
        return builder(script).port(port).start();
    }

    /**
     * {@return a builder of a provider: plain HTTP/1.1 on a free port, unless told otherwise}
     *
     * @param script what it answers
     */
    public static Builder builder(FaultScript script) {
        return new Builder(script);
    }

    /** {@return the root: {@code http://127.0.0.1:41234}} */
    public URI uri() {
        return server.uri();
    }

    /** {@return what an endpoint is given as its base: {@code http://127.0.0.1:41234/v1}} */
    public URI baseUrl() {
        return URI.create(server.uri() + "/v1");
    }

    /**
     * {@return a TLS context that trusts this provider's certificate and no other}
     *
     * @throws IllegalStateException if the provider speaks no TLS
     */
    public SSLContext sslContext() {
        if (!server.isSecure()) {
            throw new IllegalStateException("sslContext: none (expected: a provider started with secure())");
        }
        return Tls.loopback().client();
    }

    /** {@return the requests so far, by number; of more than 10,000 the latest} */
    public List<ProviderRequest> requests() {
        return server.books().requests();
    }

    /**
     * {@return on which connection a request came, counted from 1}
     *
     * @param number the request's number
     * @throws IllegalArgumentException if that request is not among {@link #requests()}
     */
    public int connectionOf(int number) {
        return server.books().connectionOf(number);
    }

    /**
     * {@return in which version of HTTP a request came}
     *
     * @param number the request's number
     * @throws IllegalArgumentException if that request is not among {@link #requests()}
     */
    public HttpVersion versionOf(int number) {
        return server.books().versionOf(number);
    }

    /** {@return for how many requests the provider did the work: answered 2xx, whether or not the answer was let out} */
    public int executions() {
        return server.books().executions();
    }

    /**
     * {@return for how many of {@link #requests()} with that {@code Idempotency-Key} the provider did the work}
     *
     * @param idempotencyKey the key
     */
    public int executions(String idempotencyKey) {
        return server.books().executions(idempotencyKey);
    }

    /** {@return how many answers went out whole, good or bad} */
    public int answers() {
        return server.books().answers();
    }

    /** {@return how many streams of HTTP/2 were refused since they were more than allowed; their requests are not counted} */
    public int streamsRefused() {
        return server.books().streamsRefused();
    }

    /** {@return how many streams of HTTP/2 were reset by clients} */
    public int streamsReset() {
        return server.books().streamsReset();
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

    /** Builds a {@link FaultyProvider}. For one thread. */
    public static final class Builder {
        private final FaultScript script;
        private int port;
        private boolean secure;
        private int maxStreams = 100;
        private boolean honoursKeys;

        private Builder(FaultScript script) {
            this.script = script;
        }

        /**
         * Sets the port; a free one by default.
         *
         * @param value the port; 0 for a free one
         * @return this builder
         */
        public Builder port(int value) {
            port = value;
            return this;
        }

        /**
         * Speaks TLS, with a certificate for localhost, 127.0.0.1 and ::1 that {@link FaultyProvider#sslContext} trusts, and HTTP/2 with
         * clients that offer it.
         *
         * @return this builder
         */
        public Builder secure() {
            secure = true;
            return this;
        }

        /**
         * Sets how many streams a connection of HTTP/2 is allowed at once; 100 by default. Further ones are refused.
         *
         * @param value the number
         * @return this builder
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxStreams(int value) {
            if (value < 1) {
                throw new IllegalArgumentException("maxStreams: " + value + " (expected: >= 1)");
            }
            maxStreams = value;
            return this;
        }

        /**
         * Executes a repeated {@code Idempotency-Key} once: later requests get the first good answer again, whole and at once; the
         * same key with another body gets 422. A key whose request failed is free again.
         *
         * @return this builder
         */
        public Builder honoursIdempotencyKeys() {
            honoursKeys = true;
            return this;
        }

        /**
         * {@return a running provider}
         *
         * @throws UncheckedIOException if the port is taken
         */
        public FaultyProvider start() {
            try {
                return new FaultyProvider(Server.start(new Options(script, port, secure, maxStreams, honoursKeys)));
            } catch (IOException e) {
                throw new UncheckedIOException("port: " + port + " (expected: a free one)", e);
            }
        }
    }
}
