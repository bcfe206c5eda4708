package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Delivery;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketException;
import javax.net.ssl.SSLException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsTest {
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
        TransportException said = Faults.ofSend(new IOException(words), Delivery.AMBIGUOUS, true);
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
        TransportException said = Faults.ofSend(cause, Delivery.AMBIGUOUS, true);
        assertThat(said.fault()).isEqualTo(Fault.TLS);
        assertThat(said.delivery()).isEqualTo(Delivery.NEVER_SENT);
    }

    @Test
    void takesABrokenRecordOfAConnectionThatStandsForNoFailedHandshake() {
        TransportException said = Faults.ofSend(new SSLException("Tag mismatch"), Delivery.AMBIGUOUS, true);
        assertThat(said.fault()).isEqualTo(Fault.RESET);
        assertThat(said.delivery()).isEqualTo(Delivery.AMBIGUOUS);
    }

    @Test
    void saysThatAHeadIsTooLarge() {
        for (String words : new String[] {
            "Header size too big: 400000 > 393216", "Size exceeds MAX_HEADERS_LIST_SIZE: 400000 > 393216"
        }) {
            TransportException said = Faults.ofSend(
                    new IOException("outer", new ProtocolException(words)), Delivery.PROBABLY_UNSENT, true);
            assertThat(said.fault()).isEqualTo(Fault.TOO_LARGE);
            assertThat(said.delivery()).isEqualTo(Delivery.AMBIGUOUS);
            assertThat(said).hasMessageContaining("jdk.http.maxHeaderSize");
        }
    }
}
