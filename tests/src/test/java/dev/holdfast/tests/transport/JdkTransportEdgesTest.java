package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.LONG;
import static dev.holdfast.tests.transport.Exchanging.PROMPT;
import static dev.holdfast.tests.transport.Exchanging.failure;
import static dev.holdfast.tests.transport.Exchanging.fetch;
import static dev.holdfast.tests.transport.Exchanging.post;
import static dev.holdfast.tests.transport.Exchanging.readFailure;
import static dev.holdfast.tests.transport.Exchanging.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.Bytes;
import dev.holdfast.Delivery;
import dev.holdfast.HttpVersion;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Framing;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.transport.JdkTransport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Corners of HTTP, and what the transport believes of the JDK: a JDK that does otherwise turns a test red here. */
@Timeout(300)
class JdkTransportEdgesTest {
    private static TransportCall in(HttpVersion version, FaultyProvider provider) {
        TransportCall call = post(provider);
        return new TransportCall(call.method(), call.uri(), call.headers(), call.body(), version, call.timeouts());
    }

    private static byte[] member(String text) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var packed = new GZIPOutputStream(bytes)) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static Bytes joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return Bytes.of(all.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 10_000})
    void readsABodyOfSeveralCompressedParts(int piece) throws Exception {
        Bytes body = joined(member("one, "), member("two, "), member(""), member("three"));
        Reply packed = Reply.status(200)
                .withHeader("Content-Encoding", "gzip")
                .withBody(body)
                .inPieces(piece)
                .withPauses(Duration.ofMillis(1));
        try (var provider = FaultyProvider.start(FaultScript.always(packed));
                var transport = new JdkTransport()) {
            assertThat(fetch(transport, post(provider))).isEqualTo("one, two, three");
            assertThat(fetch(transport, post(provider))).isEqualTo("one, two, three");
            assertThat(provider.connectionsOpened()).isEqualTo(1);
        }
    }

    @Test
    void handsOverACompressedPartBeforeTheNextHasCome() throws Exception {
        byte[] first = member("first");
        Reply packed = Reply.status(200)
                .withHeader("Content-Encoding", "gzip")
                .withBody(joined(first, member("never")))
                .withFraming(Framing.CHUNKED)
                .hangAfter(first.length);
        try (var provider = FaultyProvider.start(FaultScript.of(packed));
                var transport = new JdkTransport();
                var reply = transport.send(post(provider))) {
            assertThat(reply.body().readNBytes(5))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("first");
        }
    }

    @Test
    void takesABodyThatIsCutBetweenItsCompressedPartsForNoWholeOne() throws Exception {
        byte[] first = member("first");
        Reply packed = Reply.status(200)
                .withHeader("Content-Encoding", "gzip")
                .withBody(joined(first, member("second")))
                .withFraming(Framing.CHUNKED);
        for (int more : new int[] {0, 1, 5, 12}) {
            for (Reply broken : List.of(packed.cutAfter(first.length + more), packed.resetAfter(first.length + more))) {
                try (var provider = FaultyProvider.start(FaultScript.of(broken));
                        var transport = new JdkTransport();
                        var reply = transport.send(post(provider))) {
                    assertThat(readFailure(reply).fault())
                            .as("%s and %d", broken, more)
                            .isIn(Fault.CUT, Fault.RESET);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(HttpVersion.class)
    void saysThatTheHeadersOfAnAnswerAreTooLargeAndKeepsNoConnectionOfTheKind(HttpVersion version) throws Exception {
        Reply huge = Reply.completion("ok").withHeader("X-Huge", "h".repeat(500_000));
        try (var provider =
                        FaultyProvider.builder(FaultScript.of(huge)).secure().start();
                var transport =
                        JdkTransport.builder().sslContext(provider.sslContext()).build()) {
            TransportException failed = failure(transport, in(version, provider));
            assertThat(failed.fault()).isEqualTo(Fault.TOO_LARGE);
            assertThat(failed.delivery()).isEqualTo(Delivery.AMBIGUOUS);
            assertThat(failed).hasMessageContaining("jdk.http.maxHeaderSize");
            Thread.sleep(1_010);
            assertThat(fetch(transport, in(version, provider))).contains("chat.completion");
            Exchanging.await(() -> provider.connectionsOpen() == 1);
        }
    }

    /** The words by which the transport knows that nothing was processed; without them it would call the failure ambiguous. */
    @Test
    void theJdkStillSaysOfARefusedRequestWhatTheTransportKnows() throws Exception {
        for (Reply untaken :
                List.of(Reply.refused(), Reply.completion("never sent").goAwayAfter(-1))) {
            try (var provider = FaultyProvider.builder(FaultScript.always(untaken))
                            .secure()
                            .start();
                    var client = plain(provider)) {
                Throwable failed = catchThrowable(() -> client.send(request(provider), BodyHandlers.ofString()));
                assertThat(words(failed))
                        .containsAnyOf("request not processed by peer", "Received RST_STREAM: Stream not processed");
            }
        }
    }

    @Test
    void theJdkStillSaysOfOneStreamTooManyWhatTheTransportKnows() throws Exception {
        var busy = Busy.holding();
        try (var provider = FaultyProvider.builder(busy.script())
                        .secure()
                        .maxStreams(1)
                        .start();
                var client = plain(provider)) {
            CompletableFuture<?> first = client.sendAsync(request(provider), BodyHandlers.ofString());
            Exchanging.await(() -> busy.now() == 1);
            Throwable failed = catchThrowable(() -> client.send(request(provider), BodyHandlers.ofString()));
            assertThat(words(failed)).contains("too many concurrent streams");
            busy.letGo();
            first.join();
        }
    }

    private static HttpClient plain(FaultyProvider provider) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(provider.sslContext())
                .build();
    }

    private static HttpRequest request(FaultyProvider provider) {
        return HttpRequest.newBuilder(URI.create(provider.baseUrl() + "/chat/completions"))
                .timeout(LONG)
                .POST(BodyPublishers.ofString(PROMPT))
                .build();
    }

    private static List<String> words(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .map(cause -> String.valueOf(cause.getMessage()))
                .toList();
    }

    /** Addresses are remembered by the JVM, so it takes one that remembers nothing. */
    @Test
    @Tag("slow")
    void goesWhereANameLeadsOnceItsConnectionsAreOfAge() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dsun.net.inetaddr.ttl=0",
                        "-Djdk.internal.httpclient.disableHostnameVerification=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MovingName.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    @Test
    void anInterruptBeforeSendingSendsNothing() throws Exception {
        try (var provider = FaultyProvider.start();
                var transport = new JdkTransport()) {
            fetch(transport, post(provider));
            Thread.currentThread().interrupt();
            assertThat(catchThrowable(() -> transport.send(post(provider)))).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).as("the flag is cleared").isFalse();
            assertThat(provider.requests()).hasSize(1);
            assertThat(text(transport.send(post(provider)))).contains("chat.completion");
        }
    }
}
