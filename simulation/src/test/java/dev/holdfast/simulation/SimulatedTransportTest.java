package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.Bytes;
import dev.holdfast.Delivery;
import dev.holdfast.Headers;
import dev.holdfast.HttpVersion;
import dev.holdfast.simulation.Reply.Framing;
import dev.holdfast.spi.Timekeeper.Task;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class SimulatedTransportTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final TransportTimeouts TIMEOUTS =
            new TransportTimeouts(SECOND, SECOND.multipliedBy(3), SECOND.multipliedBy(2), SECOND.multipliedBy(5));

    private final VirtualTime time = new VirtualTime();

    @Test
    void aReplyComesAfterItsDelayWithStatusHeadersAndBody() throws Exception {
        var transport = playing(Reply.completion("hello").withDelay(SECOND).withHeader("x-test", "1"));
        time.run(() -> {
            try (TransportReply reply = transport.send(call())) {
                assertThat(time.elapsed()).isEqualTo(SECOND);
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.headers().first("X-Test")).contains("1");
                assertThat(text(reply)).contains("hello");
                assertThat(transport.open()).isOne();
            }
        });

        assertThat(transport.sends()).isOne();
        assertThat(transport.open()).isZero();
    }

    @Test
    void theWeatherSeesTheRequestItsNumberAndTheTime() throws Exception {
        var seen = new ArrayList<String>();
        var transport = new SimulatedTransport(time, (request, at) -> {
            seen.add(request.number() + " " + request.method() + " " + request.path() + " "
                    + request.body().toUtf8() + " " + at.toSeconds());
            return Reply.status(200);
        });
        time.run(() -> {
            transport.send(call()).close();
            time.sleep(SECOND);
            transport.send(call()).close();
        });

        assertThat(seen).containsExactly("1 POST /v1/x?y=1 {} 0", "2 POST /v1/x?y=1 {} 1");
    }

    @Test
    void aHeadThatIsLateOrNeverComesIsATimeout() {
        assertFailure(Reply.hang(), Fault.TIMEOUT, Delivery.AMBIGUOUS, 3);
        assertFailure(Reply.status(200).withDelay(SECOND.multipliedBy(4)), Fault.TIMEOUT, Delivery.AMBIGUOUS, 3);
    }

    @Test
    void anAnswerThatNeverBeginsIsAResetAndOneThatIsNoHttpIsAProtocolFault() {
        assertFailure(Reply.reset(), Fault.RESET, Delivery.AMBIGUOUS, 0);
        assertFailure(Reply.cut().withDelay(SECOND), Fault.RESET, Delivery.AMBIGUOUS, 1);
        assertFailure(Reply.garbage(Bytes.utf8("hm")), Fault.PROTOCOL, Delivery.AMBIGUOUS, 0);
    }

    @Test
    void aBodyEndsInTheWayOfTheReply() {
        Reply body = Reply.completion("a long enough answer");
        assertFailure(body.cutAfter(10), Fault.CUT, Delivery.AMBIGUOUS, 0);
        assertFailure(body.resetAfter(10), Fault.RESET, Delivery.AMBIGUOUS, 0);
        assertFailure(body.hangAfter(10), Fault.TIMEOUT, Delivery.AMBIGUOUS, 2);
        assertFailure(body.inPieces(20).withPauses(SECOND), Fault.TIMEOUT, Delivery.AMBIGUOUS, 5);
        assertFailure(body.inPieces(20).withPauses(SECOND.multipliedBy(3)), Fault.TIMEOUT, Delivery.AMBIGUOUS, 2);
    }

    @Test
    void aCutThatNoFramingBetraysLooksLikeTheEnd() throws Exception {
        var transport = playing(Reply.completion("a long enough answer")
                .withFraming(Framing.UNTIL_CLOSE)
                .cutAfter(10));

        time.run(() -> assertThat(text(transport.send(call()))).hasSize(10));
    }

    @Test
    void gzipIsUndone() throws Exception {
        var transport = playing(Reply.completion("squeezed").gzipped());

        time.run(() -> {
            TransportReply reply = transport.send(call());
            assertThat(reply.headers().first("Content-Encoding")).isEmpty();
            assertThat(text(reply)).contains("squeezed");
        });
    }

    @Test
    void anInterruptAbortsSendingAndReading() throws Exception {
        var transport = playing(Reply.hang(), Reply.completion("half").hangAfter(5));
        var ends = new ArrayList<String>();
        time.run(() -> {
            Task sending = time.start("holdfast-send", () -> ends.add(endOf(transport)));
            time.sleep(SECOND);
            sending.interrupt();
            sending.join();
            Task reading = time.start("holdfast-read", () -> ends.add(endOf(transport)));
            time.sleep(SECOND);
            reading.interrupt();
        });

        assertThat(ends).containsExactly("interrupted", "interrupted in the body, flag true");
        assertThat(transport.open()).isZero();
        assertThat(time.elapsed()).isEqualTo(SECOND.multipliedBy(2));
    }

    @Test
    void closingItEndsWhatIsOpenAndRefusesWhatComes() throws Exception {
        var transport = playing(Reply.hang(), Reply.completion("half").hangAfter(5));
        var ends = new ArrayList<String>();
        time.run(() -> {
            time.start("holdfast-send", () -> ends.add(endOf(transport)));
            time.start("holdfast-read", () -> ends.add(endOf(transport)));
            time.sleep(SECOND);
            transport.close();
        });

        assertThat(ends).containsExactlyInAnyOrder("CLOSED", "CLOSED");
        assertThat(time.elapsed()).isEqualTo(SECOND);
        assertThatThrownBy(() -> transport.send(call())).hasMessageContaining("closed");
    }

    private String endOf(SimulatedTransport transport) {
        try (TransportReply reply = transport.send(call())) {
            return text(reply);
        } catch (InterruptedException e) {
            return "interrupted";
        } catch (InterruptedIOException e) {
            return "interrupted in the body, flag " + Thread.interrupted();
        } catch (TransportException e) {
            return e.fault().name();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void assertFailure(Reply reply, Fault fault, Delivery delivery, int seconds) {
        Duration before = time.elapsed();
        var transport = playing(reply);
        TransportException failure =
                catchThrowableOfType(TransportException.class, () -> time.run(() -> text(transport.send(call()))));

        assertThat(Optional.of(failure).map(TransportException::fault)).contains(fault);
        assertThat(failure.delivery()).isEqualTo(delivery);
        assertThat(time.elapsed().minus(before)).isEqualTo(Duration.ofSeconds(seconds));
        assertThat(transport.open()).isZero();
    }

    private SimulatedTransport playing(Reply... replies) {
        return new SimulatedTransport(time, Weather.of(FaultScript.of(List.of(replies))));
    }

    private static TransportCall call() {
        return new TransportCall(
                "POST",
                URI.create("http://provider.test/v1/x?y=1"),
                Headers.empty(),
                Bytes.utf8("{}"),
                HttpVersion.HTTP_1_1,
                TIMEOUTS);
    }

    private static String text(TransportReply reply) throws IOException {
        return new String(reply.body().readAllBytes(), StandardCharsets.UTF_8);
    }
}
