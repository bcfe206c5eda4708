package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsTest {
    private static final Origin ORIGIN = Origin.of(URI.create("https://user:pw@api.example/v1/x?key=k"));
    private static final Peer PEER = new Peer(ORIGIN, true);

    private static String words(Throwable cause, long tookNanos) {
        return String.valueOf(Faults.ofConnect(PEER, cause, tookNanos).getMessage());
    }

    /** The JDK tries a refused connection once more, on a channel that is closed by then, and tells of that. */
    @Test
    void saysWhyThereIsNoConnection() {
        Throwable hidden = new ConnectException().initCause(new ClosedChannelException());
        Throwable unreachable = new ConnectException("Network is unreachable");
        assertThat(words(hidden, 1)).isEqualTo("api.example:443 refused the connection");
        assertThat(words(new ConnectException("Connection refused"), 1))
                .isEqualTo("api.example:443 refused the connection");
        assertThat(words(new ConnectException("Connection refused: getsockopt"), 1))
                .isEqualTo("api.example:443 refused the connection");
        assertThat(words(new ConnectException("No route").initCause(new NoRouteToHostException("no")), 1))
                .isEqualTo("there is no route to api.example:443");
        assertThat(words(unreachable, 1)).isEqualTo("there is no route to api.example:443");
        assertThat(words(new ConnectException("Connection timed out"), 1))
                .isEqualTo("no connection to api.example:443 in time");
        assertThat(words(new HttpConnectTimeoutException("HTTP connect timed out"), 1))
                .isEqualTo("no connection to api.example:443 in time");
        assertThat(words(new ConnectException("k"), 1)).isEqualTo("no connection to api.example:443");
    }

    /** An operating system's own timeout is hidden in the same way, and takes 20 s at least. */
    @Test
    void callsNothingRefusedThatTookLong() {
        Throwable hidden = new ConnectException().initCause(new ClosedChannelException());
        assertThat(words(hidden, 15_000_000_001L)).isEqualTo("no connection to api.example:443");
    }

    @Test
    void saysThatTheProxyIsInTheWay() {
        var proxied = new Peer(ORIGIN, false);
        Throwable unknown = new ConnectException().initCause(new UnresolvedAddressException());
        assertThat(Faults.ofConnect(proxied, unknown, 1))
                .hasMessage("the name of the proxy to api.example:443 cannot be resolved");
        assertThat(Faults.ofConnect(PEER, unknown, 1)).hasMessage("the name api.example cannot be resolved");
        assertThat(Faults.ofSend(proxied, new IOException("Tunnel failed"), Delivery.AMBIGUOUS, false))
                .hasMessage("no connection to api.example:443 through the proxy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"request not processed by peer", "Received RST_STREAM: Stream not processed"})
    void knowsWhatJdksSayOfARequestThatWasNotProcessed(String words) {
        assertThat(Faults.isUnprocessed(new IOException(words))).isTrue();
        assertThat(Faults.isUnprocessed(new IOException("outer", new IOException(words))))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "the peer did not process the request",
                "RST_STREAM received Stream not processed",
                "Received RST_STREAM: Processing capacity exceeded",
                "request not processed by peer, or so it says"
            })
    void takesWordsThatItDoesNotKnowForNoProof(String words) {
        var cause = new IOException(words);
        assertThat(Faults.isUnprocessed(cause)).isFalse();
        assertThat(Faults.isWithoutRoom(cause)).isFalse();
        assertThat(Faults.isConnectionLost(cause, true)).isFalse();
    }

    @Property
    void callsNothingUnsentOverHttpTwoForItsWords(@ForAll String words) {
        TransportException said = Faults.ofSend(PEER, new IOException(words), Delivery.AMBIGUOUS, true);
        assertThat(said.delivery()).isNotIn(Delivery.NEVER_SENT, Delivery.PROBABLY_UNSENT);
        assertThat(Faults.isConnectionLost(new IOException(words), true)).isFalse();
    }

    @Test
    void knowsALostConnectionOfHttpTwoByItsType() {
        assertThat(Faults.isConnectionLost(new IOException("x", new EOFException("EOF reached")), true))
                .isTrue();
        assertThat(Faults.isConnectionLost(new SocketException("Connection reset"), true))
                .isTrue();
        assertThat(Faults.isConnectionLost(new IOException("Received RST_STREAM", new EOFException()), true))
                .isFalse();
    }

    /** The client may have begun to send when the answer in plain text is read. */
    @ParameterizedTest
    @ValueSource(
            strings = {"Unsupported or unrecognized SSL message", "Unrecognized SSL message, plaintext connection?"})
    void knowsAnAnswerInPlainTextForAFailedHandshakeEvenIfSendingHadBegun(String words) {
        var cause = new IOException("outer", new SSLException(words));
        TransportException said = Faults.ofSend(PEER, cause, Delivery.AMBIGUOUS, true);
        assertThat(said.fault()).isEqualTo(Fault.TLS);
        assertThat(said.delivery()).isEqualTo(Delivery.NEVER_SENT);
    }

    @Test
    void takesABrokenRecordOfAConnectionThatStandsForNoFailedHandshake() {
        TransportException said = Faults.ofSend(PEER, new SSLException("Tag mismatch"), Delivery.AMBIGUOUS, true);
        assertThat(said.fault()).isEqualTo(Fault.RESET);
        assertThat(said.delivery()).isEqualTo(Delivery.AMBIGUOUS);
    }

    @Test
    void saysThatAHeadIsTooLarge() {
        for (String words : new String[] {
            "Header size too big: 400000 > 393216", "Size exceeds MAX_HEADERS_LIST_SIZE: 400000 > 393216"
        }) {
            TransportException said = Faults.ofSend(
                    PEER, new IOException("outer", new ProtocolException(words)), Delivery.PROBABLY_UNSENT, true);
            assertThat(said.fault()).isEqualTo(Fault.TOO_LARGE);
            assertThat(said.delivery()).isEqualTo(Delivery.AMBIGUOUS);
            assertThat(said).hasMessageContaining("jdk.http.maxHeaderSize");
        }
    }
}
