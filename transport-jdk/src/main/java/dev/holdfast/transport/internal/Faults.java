package dev.holdfast.transport.internal;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Says what an exception of the JDK's client means. What the server sent may stand in its message, which is then dropped. */
final class Faults {
    /**
     * The JDK has no type for these. The last is what JDKs before 24 say of a stream that the server refused. Words that are not
     * known make a failure ambiguous, never unsent.
     */
    private static final Set<String> UNPROCESSED =
            Set.of("request not processed by peer", "Received RST_STREAM: Stream not processed");

    /** What the JDK says of a first record that is none of TLS; which of the two depends on how much of the answer has come. */
    private static final Set<String> NO_TLS =
            Set.of("Unsupported or unrecognized SSL message", "Unrecognized SSL message, plaintext connection?");

    /** No operating system gives up a connection of its own accord sooner. */
    private static final long LONGEST_REFUSAL_NANOS = 15_000_000_000L;

    private static final String NO_NETWORK = "Network is unreachable";
    private static final String IN_TIME = " in time";
    private static final String NO_ROOM = "too many concurrent streams";

    private Faults() {}

    /** Whether the server says that it did not process the request. */
    static boolean isUnprocessed(Throwable cause) {
        return anyMessage(cause, UNPROCESSED::contains);
    }

    /** Whether the client had no room for the request on its connection. */
    static boolean isWithoutRoom(Throwable cause) {
        return anyMessage(cause, NO_ROOM::equals);
    }

    /** Whether the server ended the one stream, on a connection that goes on. */
    private static boolean isStreamReset(Throwable cause) {
        return anyMessage(cause, message -> message.contains("RST_STREAM"));
    }

    /**
     * Whether the connection was lost as a whole. Of HTTP/2 only what its type says so of: a plain exception may be anything that
     * happened to the one stream, and the server may have taken it.
     */
    static boolean isConnectionLost(Throwable cause, boolean multiplexed) {
        return multiplexed
                ? !isStreamReset(cause) && (has(cause, SocketException.class) || has(cause, EOFException.class))
                : isLost(cause);
    }

    static TransportException unprocessed(@Nullable Throwable cause) {
        return new TransportException(Fault.RESET, Delivery.NEVER_SENT, "the server did not take the request", cause);
    }

    /** Whether no connection came about. */
    static boolean isUnconnected(Throwable cause) {
        return has(cause, HttpConnectTimeoutException.class)
                || has(cause, ConnectException.class)
                || isUnresolved(cause);
    }

    private static boolean isUnresolved(Throwable cause) {
        return has(cause, UnresolvedAddressException.class) || has(cause, UnknownHostException.class);
    }

    /**
     * A connection that did not come about.
     *
     * @param tookNanos how long it was tried
     */
    static TransportException ofConnect(Peer peer, Throwable cause, long tookNanos) {
        if (has(cause, HttpConnectTimeoutException.class)) {
            return timeout(Delivery.NEVER_SENT, peer.unconnected() + IN_TIME);
        }
        if (isUnresolved(cause)) {
            return new TransportException(Fault.DNS, Delivery.NEVER_SENT, peer.unresolved(), cause);
        }
        String words = peer.unconnected();
        if (isRefused(cause, tookNanos)) {
            words = peer.refused();
        } else if (has(cause, NoRouteToHostException.class)
                || anyMessage(cause, message -> message.startsWith(NO_NETWORK))) {
            words = peer.withoutRoute();
        } else if (anyMessage(cause, message -> message.startsWith("Connection timed out"))) {
            words += IN_TIME;
        }
        return new TransportException(Fault.CONNECT, Delivery.NEVER_SENT, words, cause);
    }

    /**
     * The client tries what was refused once more, on a channel that is closed by then, and tells only that. What an operating
     * system gives up of its own accord looks the same.
     */
    private static boolean isRefused(Throwable cause, long tookNanos) {
        return anyMessage(cause, message -> message.startsWith("Connection refused"))
                || (has(cause, ClosedChannelException.class) && tookNanos <= LONGEST_REFUSAL_NANOS);
    }

    /** A failure before the headers of the reply, on a connection that came about as far as we know. */
    static TransportException ofSend(Peer peer, Throwable cause, Delivery ifSent, boolean sent) {
        if (isHandshake(cause, sent)) {
            return new TransportException(
                    Fault.TLS, Delivery.NEVER_SENT, "the TLS handshake with " + peer + ofHandshake(cause), cause);
        }
        if (!sent) {
            return new TransportException(Fault.CONNECT, Delivery.NEVER_SENT, peer.unconnected(), cause);
        }
        if (isHeadTooLarge(cause)) {
            return new TransportException(
                    Fault.TOO_LARGE,
                    Delivery.AMBIGUOUS,
                    "the headers of the answer are larger than this JDK takes (-Djdk.http.maxHeaderSize)",
                    null);
        }
        return isLost(cause)
                ? new TransportException(Fault.RESET, ifSent, "the connection was lost before an answer", cause)
                : new TransportException(Fault.PROTOCOL, Delivery.AMBIGUOUS, notHttp(cause), null);
    }

    /** The client takes a connection that is closed within the handshake for a good one, and begins to send into nothing. */
    private static boolean isHandshake(Throwable cause, boolean sent) {
        return has(cause, SSLHandshakeException.class) || (has(cause, SSLException.class) && (!sent || isNoTls(cause)));
    }

    /** What the parsers of HTTP/1.1 and of HTTP/2 say. */
    private static boolean isHeadTooLarge(Throwable cause) {
        return anyMessage(
                cause, message -> message.contains("Header size too big") || message.contains("MAX_HEADERS_LIST_SIZE"));
    }

    /** An answer in plain text can only be the first: within a connection that stands, it would be a broken record. */
    private static boolean isNoTls(Throwable cause) {
        return anyMessage(cause, NO_TLS::contains);
    }

    /** What a user can do something about. The names in a certificate are no secret, but the cause tells them. */
    private static String ofHandshake(Throwable cause) {
        if (has(cause, CertificateExpiredException.class) || has(cause, CertificateNotYetValidException.class)) {
            return " failed: the server's certificate is not valid at this time";
        }
        if (anyMessage(
                cause,
                message -> message.startsWith("No subject alternative") || message.startsWith("No name matching"))) {
            return " failed: the server's certificate is for another host name";
        }
        if (has(cause, CertificateException.class) || has(cause, CertPathBuilderException.class)) {
            return " failed: the server's certificate is not trusted";
        }
        return " failed";
    }

    /** A failure within the body. Of HTTP/1.1 a plain exception without a cause is the parser's own. */
    static TransportException ofBody(Throwable cause, boolean multiplexed) {
        if (has(cause, EOFException.class)) {
            return new TransportException(Fault.CUT, Delivery.AMBIGUOUS, "the body ended before its end", cause);
        }
        if (isStreamReset(cause)) {
            return new TransportException(Fault.RESET, Delivery.AMBIGUOUS, "the server reset the stream", cause);
        }
        boolean parsed = !multiplexed && cause.getCause() == null && cause.getClass() == IOException.class;
        return isLost(cause) && !parsed
                ? new TransportException(
                        Fault.RESET, Delivery.AMBIGUOUS, "the connection was lost within the body", cause)
                : new TransportException(Fault.PROTOCOL, Delivery.AMBIGUOUS, notHttp(cause), null);
    }

    static TransportException closed(Delivery delivery, Throwable cause) {
        return new TransportException(Fault.CLOSED, delivery, "the transport was closed", cause);
    }

    /** Nothing came of it by our own clock. */
    static TransportException late(Peer peer, boolean sent) {
        return sent
                ? timeout(Delivery.AMBIGUOUS, "no answer from " + peer + IN_TIME)
                : timeout(Delivery.NEVER_SENT, peer.unconnected() + IN_TIME);
    }

    static TransportException timeout(Delivery delivery, String message) {
        return new TransportException(Fault.TIMEOUT, delivery, message, null);
    }

    private static String notHttp(Throwable cause) {
        return "the server does not speak HTTP as agreed (" + cause.getClass().getSimpleName() + ")";
    }

    /** A connection that ended, as against one on which nonsense came. */
    private static boolean isLost(Throwable cause) {
        if (has(cause, ProtocolException.class)) {
            return false;
        }
        return has(cause, SocketException.class)
                || has(cause, EOFException.class)
                || has(cause, SSLException.class)
                || cause.getClass() == IOException.class;
    }

    private static boolean has(Throwable cause, Class<? extends Throwable> type) {
        return causes(cause).anyMatch(type::isInstance);
    }

    private static boolean anyMessage(Throwable cause, Predicate<String> wanted) {
        return causes(cause).map(Throwable::getMessage).filter(Objects::nonNull).anyMatch(wanted);
    }

    private static Stream<Throwable> causes(Throwable cause) {
        return Stream.iterate(cause, Objects::nonNull, Throwable::getCause).limit(20);
    }
}
