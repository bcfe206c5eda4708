package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.Bytes;
import dev.holdfast.Delivery;
import dev.holdfast.Headers;
import dev.holdfast.HttpVersion;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link Transport} promises, tried on real sockets. The author of one extends this class:
 *
 * <pre>{@code
 * class MyTransportTest extends TransportContract {
 *     @Override
 *     protected Transport newTransport() {
 *         return new MyTransport();
 *     }
 * }
 * }</pre>
 */
@Timeout(60)
public abstract class TransportContract {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final String PROMPT =
            "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"gr\u00fc\u00df\"}]}";

    private Transport transport;

    /** For subclasses. */
    @SuppressWarnings("NullAway.Init") // set before each test
    protected TransportContract() {}

    /** {@return a new transport; the contract closes it} */
    protected abstract Transport newTransport();

    @BeforeEach
    void open() {
        transport = newTransport();
    }

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void carriesMethodPathHeadersAndBodyAsGiven() throws Exception {
        try (var provider = FaultyProvider.start();
                var reply = transport.send(post(provider, within(LONG)).withHeader("X-Twice", "a b"))) {
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.headers().first("content-type")).hasValue("application/json");
            assertThat(text(reply)).contains("gr\u00fc\u00df");
            ProviderRequest request = provider.requests().getFirst();
            assertThat(request.method()).isEqualTo("POST");
            assertThat(request.path()).isEqualTo("/v1/chat/completions");
            assertThat(request.headers().all("x-twice")).containsExactly("a b");
            assertThat(request.body()).isEqualTo(Bytes.utf8(PROMPT));
        }
    }

    @Test
    void returnsAStatusOfFailureAsAReply() throws Exception {
        var limited = Reply.rateLimited(Duration.ofSeconds(7));
        try (var provider = FaultyProvider.start(FaultScript.of(limited));
                var reply = transport.send(post(provider, within(LONG)))) {
            assertThat(reply.status()).isEqualTo(429);
            assertThat(reply.headers().first("Retry-After")).hasValue("7");
            assertThat(text(reply)).contains("rate_limit_exceeded");
        }
    }

    @Test
    void handsTheBodyOverAsItArrives() throws Exception {
        var script = FaultScript.of(Reply.stream("a", "b").hangAfter(20));
        try (var provider = FaultyProvider.start(script);
                var reply = transport.send(post(provider, within(LONG)))) {
            assertThat(new String(reply.body().readNBytes(20), StandardCharsets.UTF_8))
                    .startsWith("data: {");
        }
    }

    @Test
    void undoesTheContentCoding() throws Exception {
        try (var provider =
                        FaultyProvider.start(FaultScript.of(Reply.status(503).gzipped()));
                var reply = transport.send(post(provider, within(LONG)))) {
            assertThat(reply.status()).isEqualTo(503);
            assertThat(text(reply)).contains("server_is_overloaded");
        }
    }

    @Test
    void saysThatARefusedConnectionSentNothing() throws Exception {
        URI nobody;
        try (var provider = FaultyProvider.start()) {
            nobody = provider.uri();
        }
        TransportException refused = failure(post(nobody.resolve("/v1/chat/completions"), within(LONG)));
        assertThat(refused.fault()).isEqualTo(Fault.CONNECT);
        assertThat(refused.delivery()).isEqualTo(Delivery.NEVER_SENT);
    }

    @Test
    void sendsARequestOnceThoughTheConnectionIsLost() throws Exception {
        for (Reply lost : List.of(Reply.reset(), Reply.cut(), Reply.reset().withDelay(SHORT))) {
            try (var provider = FaultyProvider.start(FaultScript.always(lost))) {
                TransportException failed = failure(post(provider, within(LONG)));
                assertThat(failed.fault()).isEqualTo(Fault.RESET);
                assertThat(failed.delivery()).isEqualTo(Delivery.AMBIGUOUS);
                assertThat(provider.requests()).hasSize(1);
            }
        }
    }

    @Test
    void failsTheReadOfABodyThatEndsEarly() throws Exception {
        Reply cut = Reply.completion("a long answer").cutAfter(10);
        for (Reply early : List.of(cut, cut.withFraming(Reply.Framing.CHUNKED), cut.withContentLength(5000))) {
            try (var provider = FaultyProvider.start(FaultScript.of(early));
                    var reply = transport.send(post(provider, within(LONG)))) {
                TransportException failed = readFailure(reply);
                assertThat(failed.fault()).isEqualTo(Fault.CUT);
                assertThat(failed.delivery()).isEqualTo(Delivery.AMBIGUOUS);
            }
        }
    }

    @Test
    void failsOnWhatIsNotHttp() throws Exception {
        try (var provider = FaultyProvider.start(FaultScript.of(Reply.garbage(Bytes.utf8("SSH-2.0-server\r\n\r\n"))))) {
            assertThat(failure(post(provider, within(LONG))).fault()).isIn(Fault.PROTOCOL, Fault.RESET);
        }
    }

    @Test
    void endsTheWaitForTheHeadersInTime() throws Exception {
        try (var provider = FaultyProvider.start(FaultScript.of(Reply.hang()))) {
            TransportException late = failure(post(provider, new TransportTimeouts(LONG, SHORT, LONG, LONG)));
            assertThat(late.fault()).isEqualTo(Fault.TIMEOUT);
            assertThat(late.delivery()).isEqualTo(Delivery.AMBIGUOUS);
            await(() -> provider.connectionsOpen() == 0);
        }
    }

    @Test
    void endsTheSilenceWithinABodyInTime() throws Exception {
        var timeouts = new TransportTimeouts(LONG, LONG, SHORT, LONG);
        try (var provider =
                        FaultyProvider.start(FaultScript.of(Reply.stream("a").hangAfter(10)));
                var reply = transport.send(post(provider, timeouts))) {
            assertThat(readFailure(reply).fault()).isEqualTo(Fault.TIMEOUT);
            await(() -> provider.connectionsOpen() == 0);
        }
    }

    @Test
    void endsABodyThatNeverStopsInTime() throws Exception {
        var timeouts = new TransportTimeouts(LONG, LONG, LONG, Duration.ofMillis(500));
        Reply drip = Reply.completion("drip").inPieces(1).withPauses(Duration.ofMillis(50));
        try (var provider = FaultyProvider.start(FaultScript.of(drip));
                var reply = transport.send(post(provider, timeouts))) {
            assertThat(readFailure(reply).fault()).isEqualTo(Fault.TIMEOUT);
            await(() -> provider.connectionsOpen() == 0);
        }
    }

    @Test
    void anInterruptEndsTheWaitForTheHeaders() throws Exception {
        try (var provider = FaultyProvider.start(FaultScript.of(Reply.hang()))) {
            var seen = new AtomicReference<Throwable>();
            Thread caller = Thread.ofVirtual().start(() -> seen.set(thrownBySend(provider)));
            await(() -> provider.requests().size() == 1);
            caller.interrupt();
            caller.join();
            assertThat(seen.get()).isInstanceOf(InterruptedException.class);
            await(() -> provider.connectionsOpen() == 0);
        }
    }

    @Test
    void anInterruptEndsTheReadOfABody() throws Exception {
        try (var provider =
                        FaultyProvider.start(FaultScript.of(Reply.stream("a").hangAfter(10)));
                var reply = transport.send(post(provider, within(LONG)))) {
            var seen = new AtomicReference<Throwable>();
            var begun = new CountDownLatch(1);
            Thread reader = Thread.ofVirtual().start(() -> seen.set(thrownByRead(reply, begun)));
            begun.await();
            reader.interrupt();
            reader.join();
            assertThat(seen.get()).isInstanceOf(IOException.class);
            await(() -> provider.connectionsOpen() == 0);
        }
    }

    @Test
    void closingAReplyFromAnotherThreadEndsTheRead() throws Exception {
        try (var provider =
                        FaultyProvider.start(FaultScript.of(Reply.stream("a").hangAfter(10)));
                var reply = transport.send(post(provider, within(LONG)))) {
            var seen = new AtomicReference<Throwable>();
            var begun = new CountDownLatch(1);
            Thread reader = Thread.ofVirtual().start(() -> seen.set(thrownByRead(reply, begun)));
            begun.await();
            reply.close();
            reader.join();
            assertThat(seen.get()).isInstanceOf(TransportException.class);
            await(() -> provider.connectionsOpen() == 0);
        }
    }

    @Test
    void closingTheTransportDoesNotHangOnAnOpenStream() throws Exception {
        try (var provider =
                        FaultyProvider.start(FaultScript.of(Reply.stream("a").hangAfter(10)));
                var reply = transport.send(post(provider, within(LONG)))) {
            transport.close();
            assertThat(readFailure(reply).fault()).isEqualTo(Fault.CLOSED);
            await(() -> provider.connectionsOpen() == 0);
            assertThat(failure(post(provider, within(LONG))).fault()).isEqualTo(Fault.CLOSED);
        }
    }

    @Test
    void leavesNoConnectionBehindRepliesThatNobodyReads() throws Exception {
        Reply large = Reply.status(503).withBody(Bytes.of(new byte[64 << 10]));
        try (var provider = FaultyProvider.start(FaultScript.always(large))) {
            for (int i = 0; i < 50; i++) {
                transport.send(post(provider, within(LONG))).close();
            }
            await(() -> provider.connectionsOpen() <= 1);
        }
    }

    @Test
    void showsNoHeaderValueWhenItRefusesOne() throws Exception {
        try (var provider = FaultyProvider.start()) {
            TransportCall call = post(provider, within(LONG)).withHeader("Authorization", "Bearer s3cr3t\n");
            TransportException refused = failure(call);
            assertThat(refused.delivery()).isEqualTo(Delivery.NEVER_SENT);
            assertThat(refused).hasMessageContaining("Authorization").hasStackTraceContaining("Authorization");
            assertThat(refused.toString() + refused.getCause()).doesNotContain("s3cr3t");
            assertThat(provider.requests()).isEmpty();
        }
    }

    private Throwable thrownBySend(FaultyProvider provider) {
        return catchThrowableOfType(Throwable.class, () -> transport.send(post(provider, within(LONG))));
    }

    private static Throwable thrownByRead(TransportReply reply, CountDownLatch begun) {
        return catchThrowableOfType(Throwable.class, () -> {
            reply.body().readNBytes(10);
            begun.countDown();
            reply.body().read();
        });
    }

    private TransportException failure(TransportCall call) {
        return catchThrowableOfType(TransportException.class, () -> transport.send(call));
    }

    private static TransportException readFailure(TransportReply reply) {
        return catchThrowableOfType(TransportException.class, () -> text(reply));
    }

    private static String text(TransportReply reply) throws IOException {
        return new String(reply.body().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static TransportCall post(FaultyProvider provider, TransportTimeouts timeouts) {
        return post(URI.create(provider.baseUrl() + "/chat/completions"), timeouts);
    }

    private static TransportCall post(URI uri, TransportTimeouts timeouts) {
        var headers = Headers.of("Content-Type", "application/json", "Authorization", "Bearer k");
        return new TransportCall("POST", uri, headers, Bytes.utf8(PROMPT), HttpVersion.HTTP_1_1, timeouts);
    }

    private static TransportTimeouts within(Duration total) {
        return TransportTimeouts.total(total);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited in vain").isLessThan(deadlineNanos);
            Thread.sleep(2);
        }
    }
}
