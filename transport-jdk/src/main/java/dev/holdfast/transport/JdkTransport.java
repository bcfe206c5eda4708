package dev.holdfast.transport;

import dev.holdfast.Secret;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.transport.internal.Exchanges;
import dev.holdfast.transport.internal.Proxies;
import dev.holdfast.transport.internal.Settings;
import java.net.ProxySelector;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * A transport on {@link java.net.http.HttpClient}: HTTP/1.1 unless a call asks for HTTP/2, connections kept for the next call. Safe
 * for use by any number of threads.
 *
 * <p><b>Timeouts.</b> All four are kept to, the resolution of names and the body included. The connect timeout of a {@code GET} or
 * {@code HEAD}, and any that is longer, is the one of the builder. Connecting begins when there is room for a connection. While nobody
 * reads the body, the idle timeout stands still.
 *
 * <p><b>Room.</b> An origin is given {@code maxConnections} exchanges of HTTP/1.1 at once and {@code maxStreams} of HTTP/2. Who finds no
 * room waits in a line, first come first served, until the timeouts for the first byte and the whole are over:
 * {@link TransportException.Fault#POOL}, never sent.
 *
 * <p><b>HTTP/2.</b> Over TLS only; a server that does not agree to it is spoken to in HTTP/1.1. Its limit of streams is learned and kept
 * to. A request which the server says it did not process (RFC 9113, section 8.7) is sent again, at the latest when another exchange has
 * made room; if there is none, it fails as never sent.
 *
 * <p><b>Age.</b> A connection that is older than {@code maxConnectionAge} gets no further exchange and is closed when the last one on
 * it is over, so that a change of the host's address comes into effect.
 *
 * <p><b>Cancelling.</b> An interrupt in {@link #send} aborts the exchange and is thrown as {@link InterruptedException}. In a
 * read of the body it aborts the exchange and is thrown as {@link java.io.InterruptedIOException}, with the interrupt flag
 * of the thread set, since a stream cannot throw the former. {@link TransportReply#close} from any thread closes the connection, or
 * resets the stream of HTTP/2, unless the body has come to its end.
 *
 * <p><b>Once only.</b> A request with a body that a server may have begun to process is not sent again: what the JDK would
 * repeat by itself is refused. A {@code GET} or {@code HEAD} on a kept connection that turns out to be dead is repeated by the JDK.
 *
 * <p><b>Redirects.</b> 307 and 308 within the origin are followed with method, body and headers, at most three times;
 * {@code GET} and {@code HEAD} also follow 301, 302 and 303 there. Every other redirect is
 * {@link TransportException.Fault#REDIRECT_REFUSED}.
 *
 * <p><b>Bodies.</b> {@code gzip} is asked for and undone, and {@code Content-Encoding} and {@code Content-Length} are then
 * taken off the reply's headers. A broken coding is found when the body is read and never hides the status. A body larger than
 * {@code maxResponseBytes}, counted decompressed, ends with {@link TransportException.Fault#TOO_LARGE}, and so does an answer with more
 * headers than the JDK takes.
 *
 * <p><b>Headers.</b> {@code Host}, {@code Content-Length}, {@code Connection}, {@code Transfer-Encoding}, {@code Upgrade} and
 * {@code Expect} are the transport's own: what the call says of them is left out. A name or value that cannot stand in a header is
 * refused before anything is sent, by the header's name and never by its value.
 *
 * <p><b>Threads.</b> An exchange begins on the caller's thread where the URI has an address instead of a name; a name is resolved
 * elsewhere, so that the caller's timeouts hold. Over plain http to an address and without a proxy, where nothing can block, answers
 * are read on the thread that the JDK's client watches its connections with ({@code HttpClient-…-SelectorManager}); otherwise on
 * daemons named {@code holdfast-http-…} while there is work. All end with {@link #close}.
 */
public final class JdkTransport implements Transport {
    private final Builder settings;
    private final Exchanges exchanges;

    /** Creates a transport with the defaults of {@link #builder()}. */
    public JdkTransport() {
        this(builder());
    }

    private JdkTransport(Builder builder) {
        settings = builder;
        exchanges = new Exchanges(builder.settings());
    }

    /**
     * {@return a builder: connect timeout 10 s, the JDK's proxies and TLS settings, responses up to 64 MiB, 10,000 connections and 100
     * streams to an origin, connections up to 10 minutes old}
     */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public TransportReply send(TransportCall call) throws TransportException, InterruptedException {
        return exchanges.send(call);
    }

    /** Aborts every exchange and ends the threads of the client. Does nothing the second time. */
    @Override
    public void close() {
        exchanges.close();
    }

    @Override
    public String toString() {
        return "JdkTransport[maxConnections " + settings.maxConnections + ", maxStreams " + settings.maxStreams
                + ", maxConnectionAge " + settings.maxConnectionAge + "]";
    }

    /** Builds a {@link JdkTransport}. For one thread. */
    public static final class Builder implements Cloneable {
        private Duration connectTimeout = Duration.ofSeconds(10);
        private Optional<ProxySelector> proxy = Optional.empty();
        private Optional<ProxyLogin> proxyLogin = Optional.empty();
        private Optional<SSLContext> sslContext = Optional.empty();
        private Optional<SSLParameters> sslParameters = Optional.empty();
        private long maxResponseBytes = 64L << 20;
        private int maxConnections = 10_000;
        private int maxStreams = 100;
        private Duration maxConnectionAge = Duration.ofMinutes(10);

        private record ProxyLogin(String user, Secret password) {}

        private Builder() {}

        /**
         * Sets the longest a connection may take to be made; 10 s by default. More than an hour counts as an hour.
         *
         * @param value the timeout
         * @return this builder
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder connectTimeout(Duration value) {
            connectTimeout = positive("connectTimeout", value);
            return this;
        }

        /**
         * Sets which requests go through which proxy; the JDK's default selector by default, which reads the
         * {@code http.proxyHost} family of system properties. A SOCKS proxy is refused when a call would go through it: the JDK's
         * client would silently pass it by.
         *
         * @param value finds the proxy of a URI
         * @return this builder
         */
        public Builder proxy(ProxySelector value) {
            proxy = Optional.of(value);
            return this;
        }

        /**
         * Sets what is said to proxies, by Basic authentication. The JDK leaves it out for https unless it was started with
         * {@code -Djdk.http.auth.tunneling.disabledSchemes=}, so without that {@link #build} fails.
         *
         * @param user the name, without a colon
         * @param password the password
         * @return this builder
         * @throws IllegalArgumentException if the name is empty or holds a colon
         */
        public Builder proxyAuthentication(String user, Secret password) {
            if (user.isEmpty() || user.indexOf(':') >= 0) {
                throw new IllegalArgumentException("proxyAuthentication: user (expected: a name without a colon)");
            }
            proxyLogin = Optional.of(new ProxyLogin(user, Objects.requireNonNull(password, "password")));
            return this;
        }

        /**
         * Sets the trust and the keys of TLS; those of the JDK by default.
         *
         * @param value the context
         * @return this builder
         */
        public Builder sslContext(SSLContext value) {
            sslContext = Optional.of(value);
            return this;
        }

        /**
         * Sets the protocols and ciphers of TLS; those of the JDK by default. Application protocols and server names are the
         * JDK's client's to set.
         *
         * @param value the parameters
         * @return this builder
         */
        public Builder sslParameters(SSLParameters value) {
            sslParameters = Optional.of(value);
            return this;
        }

        /**
         * Sets how large the body of a response may be, counted decompressed; 64 MiB by default.
         *
         * @param value the number of bytes
         * @return this builder
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxResponseBytes(long value) {
            maxResponseBytes = atLeastOne("maxResponseBytes", value);
            return this;
        }

        /**
         * Sets how many exchanges of HTTP/1.1, each on a connection, an origin is given at once; 10,000 by default.
         *
         * @param value the number
         * @return this builder
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxConnections(int value) {
            maxConnections = (int) atLeastOne("maxConnections", value);
            return this;
        }

        /**
         * Sets how many exchanges of HTTP/2 an origin is given at once, all on one connection; 100 by default. A server that allows
         * fewer gets fewer.
         *
         * @param value the number
         * @return this builder
         * @throws IllegalArgumentException if it is below 1
         */
        public Builder maxStreams(int value) {
            maxStreams = (int) atLeastOne("maxStreams", value);
            return this;
        }

        /**
         * Sets how old a connection may be when an exchange begins on it; 10 minutes by default. How long the JDK remembers an
         * address is another setting: its security property {@code networkaddress.cache.ttl}.
         *
         * @param value the age
         * @return this builder
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder maxConnectionAge(Duration value) {
            maxConnectionAge = positive("maxConnectionAge", value);
            return this;
        }

        /**
         * {@return a transport with these settings}
         *
         * @throws IllegalStateException if {@link #proxyAuthentication} cannot come into effect in this JDK
         */
        public JdkTransport build() {
            return new JdkTransport(copy());
        }

        private Settings settings() {
            return new Settings(
                    connectTimeout,
                    proxies(),
                    sslContext,
                    sslParameters,
                    maxResponseBytes,
                    maxConnections,
                    maxStreams,
                    maxConnectionAge);
        }

        private Proxies proxies() {
            ProxySelector selector = proxy.or(() -> Optional.ofNullable(ProxySelector.getDefault()))
                    .orElse(ProxySelector.of(null));
            return proxyLogin
                    .map(login -> Proxies.of(selector, login.user(), login.password()))
                    .orElseGet(() -> Proxies.of(selector));
        }

        private static Duration positive(String name, Duration value) {
            if (!value.isPositive()) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
            }
            return value;
        }

        private static long atLeastOne(String name, long value) {
            if (value < 1) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
            }
            return value;
        }

        private Builder copy() {
            try {
                return (Builder) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
