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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
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
 *
 * <p>For HTTP/2 another class overrides {@link #version} and gives its transport the {@link #trust} of the provider.
 */
@Timeout(300)
public abstract class TransportContract {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final String PROMPT =
            "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"gr\u00fc\u00df\"}]}";

    private Transport transport;

    /** For subclasses. */
    @SuppressWarnings("NullAway.Init") // set before each test
    protected TransportContract() {}

    /** {@return a new transport; the contract closes it} */
    protected abstract Transport newTransport();

    /** {@return the version of HTTP that is spoken; HTTP/2 is spoken over TLS} */
    protected HttpVersion version() {
        return HttpVersion.HTTP_1_1;
    }

    /** {@return a TLS context that trusts the provider which the contract plays on} */
    protected static SSLContext trust() {
        try (var provider =
                FaultyProvider.builder(FaultScript.healthy()).secure().start()) {
            return provider.sslContext();
        }
    }

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
        try (var provider = start(FaultScript.healthy());
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
        try (var provider = start(FaultScript.of(limited));
                var reply = transport.send(post(provider, within(LONG)))) {
            assertThat(reply.status()).isEqualTo(429);
            assertThat(reply.headers().first("Retry-After")).hasValue("7");
            assertThat(text(reply)).contains("rate_limit_exceeded");
        }
    }

    @Test
    void handsTheBodyOverAsItArrives() throws Exception {
        var script = FaultScript.of(Reply.stream("a", "b").hangAfter(20));
        try (var provider = start(script);
                var reply = transport.send(post(provider, within(LONG)))) {
            assertThat(new String(reply.body().readNBytes(20), StandardCharsets.UTF_8))
                    .startsWith("data: {");
        }
    }

    @Test
    void undoesTheContentCoding() throws Exception {
        try (var provider = start(FaultScript.of(Reply.status(503).gzipped()));
                var reply = transport.send(post(provider, within(LONG)))) {
            assertThat(reply.status()).isEqualTo(503);
            assertThat(text(reply)).contains("server_is_overloaded");
        }
    }

    @Test
    void saysThatARefusedConnectionSentNothing() throws Exception {
        // Bound, so that nobody takes the port meanwhile, but not listening.
        try (var nobody = SocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            URI there = URI.create((isMultiplexed() ? "https" : "http") + "://127.0.0.1:"
                    + nobody.socket().getLocalPort() + "/v1/chat/completions");
            TransportException refused = failure(post(there, within(LONG)));
            assertThat(refused.fault()).isEqualTo(Fault.CONNECT);
            assertThat(refused.delivery()).isEqualTo(Delivery.NEVER_SENT);
        }
    }

    @Test
    void sendsARequestOnceThoughTheConnectionIsLost() throws Exception {
        for (Reply lost : List.of(Reply.reset(), Reply.cut(), Reply.reset().withDelay(SHORT))) {
            try (var provider = start(FaultScript.always(lost))) {
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
            try (var provider = start(FaultScript.of(early))) {
                TransportException failed = brokenOff(post(provider, within(LONG)));
                assertThat(failed.fault()).isIn(Fault.CUT, isMultiplexed() ? Fault.RESET : Fault.CUT);
                assertThat(failed.delivery()).isEqualTo(Delivery.AMBIGUOUS);
            }
        }
    }

    @Test
    void failsOnWhatIsNotHttp() throws Exception {
        try (var provider = start(FaultScript.of(Reply.garbage(Bytes.utf8("SSH-2.0-server\r\n\r\n"))))) {
            assertThat(failure(post(provider, within(LONG))).fault()).isIn(Fault.PROTOCOL, Fault.RESET);
        }
    }

    @Test
    void endsTheWaitForTheHeadersInTime() throws Exception {
        try (var provider = start(FaultScript.of(Reply.hang()))) {
            TransportException late = failure(post(provider, new TransportTimeouts(LONG, SHORT, LONG, LONG)));
            assertThat(late.fault()).isEqualTo(Fault.TIMEOUT);
            assertThat(late.delivery()).isEqualTo(Delivery.AMBIGUOUS);
            awaitAborted(provider);
        }
    }

    @Test
    void endsTheSilenceWithinABodyInTime() throws Exception {
        var timeouts = new TransportTimeouts(LONG, LONG, SHORT, LONG);
        try (var provider = start(FaultScript.of(Reply.stream("a").hangAfter(10)));
                var reply = transport.send(post(provider, timeouts))) {
            assertThat(readFailure(reply).fault()).isEqualTo(Fault.TIMEOUT);
            awaitAborted(provider);
        }
    }

    @Test
    void endsABodyThatNeverStopsInTime() throws Exception {
        var timeouts = new TransportTimeouts(LONG, LONG, LONG, Duration.ofSeconds(3));
        Reply drip = Reply.completion("drip").inPieces(1).withPauses(Duration.ofMillis(500));
        try (var provider = start(FaultScript.of(drip));
                var reply = transport.send(post(provider, timeouts))) {
            assertThat(readFailure(reply).fault()).isEqualTo(Fault.TIMEOUT);
            awaitAborted(provider);
        }
    }

    @Test
    void anInterruptEndsTheWaitForTheHeaders() throws Exception {
        try (var provider = start(FaultScript.of(Reply.hang()))) {
            var seen = new AtomicReference<Throwable>();
            Thread caller = Thread.ofVirtual().start(() -> seen.set(thrownBySend(provider)));
            await(() -> provider.requests().size() == 1);
            caller.interrupt();
            caller.join();
            assertThat(seen.get()).isInstanceOf(InterruptedException.class);
            awaitAborted(provider);
        }
    }

    @Test
    void anInterruptEndsTheReadOfABody() throws Exception {
        try (var provider = start(FaultScript.of(Reply.stream("a").hangAfter(10)));
                var reply = transport.send(post(provider, within(LONG)))) {
            assertThat(thrownByReader(reply, Thread::interrupt)).isInstanceOf(IOException.class);
            awaitAborted(provider);
        }
    }

    @Test
    void closingAReplyFromAnotherThreadEndsTheRead() throws Exception {
        try (var provider = start(FaultScript.of(Reply.stream("a").hangAfter(10)));
                var reply = transport.send(post(provider, within(LONG)))) {
            assertThat(thrownByReader(reply, reader -> reply.close())).isInstanceOf(TransportException.class);
            awaitAborted(provider);
        }
    }

    @Test
    void closingTheTransportDoesNotHangOnAnOpenStream() throws Exception {
        try (var provider = start(FaultScript.of(Reply.stream("a").hangAfter(10)));
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
        try (var provider = start(FaultScript.always(large))) {
            for (int i = 0; i < 50; i++) {
                transport.send(post(provider, within(LONG))).close();
            }
            await(() -> provider.connectionsOpen() <= 1);
        }
    }

    @Test
    void showsNoHeaderValueWhenItRefusesOne() throws Exception {
        try (var provider = start(FaultScript.healthy())) {
            TransportCall call = post(provider, within(LONG)).withHeader("Authorization", "Bearer s3cr3t\n");
            TransportException refused = failure(call);
            assertThat(refused.delivery()).isEqualTo(Delivery.NEVER_SENT);
            assertThat(refused).hasMessageContaining("Authorization").hasStackTraceContaining("Authorization");
            assertThat(refused.toString() + refused.getCause()).doesNotContain("s3cr3t");
            assertThat(provider.requests()).isEmpty();
        }
    }

    @Test
    void passesByTheHeadsThatComeBeforeTheTrueOne() throws Exception {
        Reply early = Reply.status(503)
                .withInterim(103, Headers.of("Link", "</style.css>; rel=preload"))
                .withInterim(102, Headers.empty());
        try (var provider = start(FaultScript.of(early));
                var reply = transport.send(post(provider, within(LONG)))) {
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.headers().first("Link")).isEmpty();
            assertThat(text(reply)).contains("server_is_overloaded");
        }
    }

    @Test
    void followsAServerThatGoesAwayBetweenRequests() throws Exception {
        Reply last = Reply.completion("the last").goAwayAfter(0);
        try (var provider = start(FaultScript.of(last, last))) {
            for (int number = 1; number <= 3; number++) {
                try (var reply = transport.send(post(provider, within(LONG)))) {
                    assertThat(text(reply)).contains("chat.completion");
                }
            }
            assertThat(provider.executions()).isEqualTo(3);
            assertThat(provider.connectionsOpened()).isEqualTo(3);
        }
    }

    @Test
    void carriesAStreamByteForByteHoweverSlowlyItDrips() throws Exception {
        Reply stream = Reply.stream("gr\u00fc", "\u00df", " dich");
        Reply drip = stream.inPieces(7).withPauses(Duration.ofMillis(1));
        try (var provider = start(FaultScript.of(drip));
                var reply = transport.send(post(provider, within(LONG)))) {
            assertThat(Bytes.of(reply.body().readAllBytes())).isEqualTo(stream.body());
        }
    }

    @Test
    void carriesALargeBodyBothWays() throws Exception {
        byte[] large = new byte[1 << 20];
        Arrays.fill(large, (byte) 'x');
        Reply echoed = Reply.of(200, Headers.empty(), Bytes.of(large));
        try (var provider = start(FaultScript.of(echoed))) {
            TransportCall call = post(provider, within(LONG));
            var upload = new TransportCall(
                    call.method(), call.uri(), call.headers(), Bytes.of(large), call.version(), call.timeouts());
            try (var reply = transport.send(upload)) {
                assertThat(reply.body().readAllBytes()).isEqualTo(large);
            }
            assertThat(provider.requests().getFirst().body()).isEqualTo(Bytes.of(large));
        }
    }

    /** Of a connection that others share the loss is everybody's, and may be told before a head that came with it. */
    private TransportException brokenOff(TransportCall call) throws TransportException, InterruptedException {
        try (var reply = transport.send(call)) {
            return readFailure(reply);
        } catch (TransportException e) {
            if (isMultiplexed()) {
                return e;
            }
            throw e;
        }
    }

    private boolean isMultiplexed() {
        return version() == HttpVersion.HTTP_2;
    }

    private FaultyProvider start(FaultScript script) {
        FaultyProvider.Builder builder = FaultyProvider.builder(script);
        return isMultiplexed() ? builder.secure().start() : builder.start();
    }

    /** Of HTTP/1.1 the connection goes, of HTTP/2 the stream. */
    private void awaitAborted(FaultyProvider provider) throws InterruptedException {
        await(() -> provider.connectionsOpen() == 0 || (isMultiplexed() && provider.streamsReset() > 0));
    }

    private Throwable thrownBySend(FaultyProvider provider) {
        return catchThrowableOfType(Throwable.class, () -> transport.send(post(provider, within(LONG))));
    }

    /** What a thread throws that reads on when that is done to it, or to its reply. */
    private static @Nullable Throwable thrownByReader(TransportReply reply, Consumer<Thread> ending)
            throws InterruptedException {
        var seen = new AtomicReference<@Nullable Throwable>();
        var begun = new CountDownLatch(1);
        Thread reader = Thread.ofVirtual()
                .start(() -> seen.set(catchThrowableOfType(Throwable.class, () -> {
                    reply.body().readNBytes(10);
                    begun.countDown();
                    reply.body().read();
                })));
        begun.await();
        ending.accept(reader);
        reader.join();
        return seen.get();
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

    private TransportCall post(FaultyProvider provider, TransportTimeouts timeouts) {
        return post(URI.create(provider.baseUrl() + "/chat/completions"), timeouts);
    }

    private TransportCall post(URI uri, TransportTimeouts timeouts) {
        var headers = Headers.of("Content-Type", "application/json", "Authorization", "Bearer k");
        return new TransportCall("POST", uri, headers, Bytes.utf8(PROMPT), version(), timeouts);
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
