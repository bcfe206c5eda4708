package dev.holdfast.transport;

import dev.holdfast.HttpVersion;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.transport.internal.Exchanges;
import java.net.ProxySelector;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * A transport on {@link java.net.http.HttpClient}: HTTP/1.1, one exchange at a time on a connection, connections kept for
 * the next call.
 *
 * <p><b>Timeouts.</b> All four are kept to, the resolution of names and the body included. The connect timeout of a call
 * without a body, and any that is longer, is the one of the builder. While nobody reads the body, the idle timeout stands
 * still.
 *
 * <p><b>Cancelling.</b> An interrupt in {@link #send} aborts the exchange and is thrown as {@link InterruptedException}. In a
 * read of the body it aborts the exchange and is thrown as {@link java.io.InterruptedIOException}, with the interrupt flag
 * of the thread set, since a stream cannot throw the former. {@link TransportReply#close} from any thread closes the connection
 * unless the body has come to its end.
 *
 * <p><b>Once only.</b> A request with a body is sent once: what the JDK would repeat by itself is refused. A {@code GET} or
 * {@code HEAD} on a kept connection that turns out to be dead is repeated by the JDK.
 *
 * <p><b>Redirects.</b> 307 and 308 within the origin are followed with method, body and headers, at most three times;
 * {@code GET} and {@code HEAD} also follow 301, 302 and 303 there. Every other redirect is
 * {@link TransportException.Fault#REDIRECT_REFUSED}.
 *
 * <p><b>Bodies.</b> {@code gzip} is asked for and undone, and {@code Content-Encoding} and {@code Content-Length} are then
 * taken off the reply's headers. A broken coding is found when the body is read and never hides the status. A body larger than
 * {@code maxResponseBytes}, counted decompressed, ends with {@link TransportException.Fault#TOO_LARGE}.
 *
 * <p><b>Headers.</b> {@code Host}, {@code Content-Length}, {@code Connection}, {@code Transfer-Encoding}, {@code Upgrade} and
 * {@code Expect} are the transport's own: what the call says of them is left out. A name or value that cannot stand in a header is
 * refused before anything is sent, by the header's name and never by its value.
 *
 * <p>HTTP/2 is refused, not silently replaced.
 */
public final class JdkTransport implements Transport {
    private final Exchanges exchanges;

    /** Creates a transport with the defaults of {@link #builder()}. */
    public JdkTransport() {
        this(builder());
    }

    private JdkTransport(Builder builder) {
        exchanges = new Exchanges(
                builder.connectTimeout,
                builder.proxy.orElseGet(ProxySelector::getDefault),
                builder.sslContext,
                builder.maxResponseBytes);
    }

    /** {@return a builder: connect timeout 10 s, the JDK's proxies and TLS settings, responses up to 64 MiB} */
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
        return "JdkTransport[" + HttpVersion.HTTP_1_1 + "]";
    }

    /** Builds a {@link JdkTransport}. For one thread. */
    public static final class Builder {
        private Duration connectTimeout = Duration.ofSeconds(10);
        private Optional<ProxySelector> proxy = Optional.empty();
        private Optional<SSLContext> sslContext = Optional.empty();
        private long maxResponseBytes = 64L << 20;

        private Builder() {}

        /**
         * Sets the longest a connection may take to be made; 10 s by default.
         *
         * @param value the timeout
         * @return this builder
         */
        public Builder connectTimeout(Duration value) {
            if (!value.isPositive()) {
                throw new IllegalArgumentException("connectTimeout: " + value + " (expected: > 0)");
            }
            connectTimeout = value;
            return this;
        }

        /**
         * Sets which requests go through which proxy; the JDK's default selector by default, which reads the
         * {@code http.proxyHost} family of system properties.
         *
         * @param value finds the proxy of a URI
         * @return this builder
         */
        public Builder proxy(ProxySelector value) {
            proxy = Optional.of(value);
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
         * Sets how large the body of a response may be, counted decompressed; 64 MiB by default.
         *
         * @param value the number of bytes
         * @return this builder
         */
        public Builder maxResponseBytes(long value) {
            if (value < 1) {
                throw new IllegalArgumentException("maxResponseBytes: " + value + " (expected: >= 1)");
            }
            maxResponseBytes = value;
            return this;
        }

        /** {@return a transport with these settings} */
        public JdkTransport build() {
            return new JdkTransport(this);
        }
    }
}
