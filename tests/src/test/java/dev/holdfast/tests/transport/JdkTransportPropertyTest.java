package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Framing;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.transport.JdkTransport;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class JdkTransportPropertyTest {
    private static JdkTransport transport;

    @BeforeContainer
    static void open() {
        transport = new JdkTransport();
    }

    @AfterContainer
    static void close() {
        transport.close();
    }

    @Property(tries = 150)
    void readsWhatTheScriptSaysHoweverItIsSent(
            @ForAll @Size(max = 3000) byte[] body,
            @ForAll @IntRange(min = 1, max = 500) int size,
            @ForAll Framing framing,
            @ForAll boolean compressed)
            throws Exception {
        Reply plain = Reply.of(200, Headers.empty(), Bytes.of(body));
        Reply reply = (compressed ? plain.gzipped() : plain).inPieces(size).withFraming(framed(framing));
        Outcome outcome = play(reply);
        assertThat(outcome.failure()).isEmpty();
        assertThat(outcome.read()).isEqualTo(body);
    }

    @Property(tries = 150)
    void readsWhatCameBeforeACutAndThenFailsIfItCanKnow(
            @ForAll @Size(min = 1, max = 3000) byte[] body,
            @ForAll @IntRange(min = 0, max = 2999) int cut,
            @ForAll Framing framing)
            throws Exception {
        int at = cut % body.length;
        Framing used = framed(framing);
        Outcome outcome = play(
                Reply.of(200, Headers.empty(), Bytes.of(body)).withFraming(used).cutAfter(at));
        assertThat(outcome.read()).isEqualTo(Arrays.copyOf(body, outcome.read().length));
        assertThat(outcome.read().length).isLessThanOrEqualTo(at);
        if (used == Framing.UNTIL_CLOSE) {
            assertThat(outcome.failure()).isEmpty();
            assertThat(outcome.read()).hasSize(at);
        } else {
            assertThat(outcome.failure()).hasValue(Fault.CUT);
        }
    }

    @Property(tries = 50)
    void neverTakesACutCompressedBodyForAWholeOne(
            @ForAll @Size(min = 1, max = 3000) byte[] body,
            @ForAll @IntRange(min = 1, max = 2999) int cut,
            @ForAll Framing framing)
            throws Exception {
        Reply gzipped = Reply.of(200, Headers.empty(), Bytes.of(body)).gzipped().withFraming(framed(framing));
        Outcome outcome = play(gzipped.cutAfter(1 + cut % (gzipped.body().size() - 1)));
        assertThat(outcome.failure()).hasValue(Fault.CUT);
        assertThat(outcome.read()).isEqualTo(Arrays.copyOf(body, outcome.read().length));
    }

    private static Framing framed(Framing framing) {
        return framing == Framing.RAW ? Framing.CHUNKED : framing;
    }

    private record Outcome(byte[] read, Optional<Fault> failure) {}

    private static Outcome play(Reply scripted) throws Exception {
        var read = new ByteArrayOutputStream();
        try (var provider = FaultyProvider.start(FaultScript.of(scripted));
                var reply = transport.send(post(provider))) {
            for (int next = reply.body().read(); next >= 0; next = reply.body().read()) {
                read.write(next);
            }
            return new Outcome(read.toByteArray(), Optional.empty());
        } catch (TransportException e) {
            return new Outcome(read.toByteArray(), Optional.of(e.fault()));
        }
    }
}
