package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.LONG;
import static dev.holdfast.tests.transport.Exchanging.await;
import static dev.holdfast.tests.transport.Exchanging.call;
import static dev.holdfast.tests.transport.Exchanging.failure;
import static dev.holdfast.tests.transport.Exchanging.fetch;
import static dev.holdfast.tests.transport.Exchanging.get;
import static dev.holdfast.tests.transport.Exchanging.post;
import static dev.holdfast.tests.transport.Exchanging.readFailure;
import static dev.holdfast.tests.transport.Exchanging.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.holdfast.spi.TransportTimeouts;
import dev.holdfast.transport.JdkTransport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class JdkTransportTest {
    private static final Duration SHORT = Duration.ofMillis(200);

    private final JdkTransport transport = new JdkTransport();

    @AfterEach
    void closeTransport() {
        transport.close();
    }

    @Test
    void isFoundByTheServiceLoader() {
        assertThat(ServiceLoader.load(Transport.class).stream().map(ServiceLoader.Provider::type))
                .contains(JdkTransport.class);
    }

    @Test
    void usesOneConnectionForCallsInARow() throws Exception {
        try (var provider = FaultyProvider.start()) {
            for (int i = 0; i < 10; i++) {
                fetch(transport, post(provider));
            }
            assertThat(provider.connectionsOpened()).isEqualTo(1);
        }
    }

    @Test
    void keepsTheConnectionBehindACompressedBody() throws Exception {
        Reply gzipped = Reply.status(503).gzipped();
        try (var provider =
                FaultyProvider.start(FaultScript.of(gzipped, gzipped.withFraming(Reply.Framing.CHUNKED), gzipped))) {
            for (int i = 0; i < 3; i++) {
                fetch(transport, post(provider));
            }
            assertThat(provider.connectionsOpened()).isEqualTo(1);
        }
    }

    /** What counts is under 100 ms; a machine that is too busy for that gets another try. */
    @Test
    void callsALossOnAKeptConnectionProbablyUnsent() throws Exception {
        boolean quick = false;
        while (!quick) {
            try (var provider = FaultyProvider.start(FaultScript.of(Reply.completion("ok"), Reply.reset()))) {
                fetch(transport, post(provider));
                long startNanos = System.nanoTime();
                TransportException lost = failure(transport, post(provider));
                quick = System.nanoTime() - startNanos < 100_000_000;
                assertThat(lost.fault()).isEqualTo(Fault.RESET);
                assertThat(lost.delivery() == Delivery.PROBABLY_UNSENT || !quick)
                        .isTrue();
                assertThat(provider.requests()).hasSize(2);
            }
        }
    }

    @Test
    void callsALateLossOnAKeptConnectionAmbiguous() throws Exception {
        try (var provider = FaultyProvider.start(
                FaultScript.of(Reply.completion("ok"), Reply.reset().withDelay(SHORT)))) {
            fetch(transport, post(provider));
            assertThat(failure(transport, post(provider)).delivery()).isEqualTo(Delivery.AMBIGUOUS);
        }
    }

    @Test
    void saysThatAnUnknownHostWasNeverReached() {
        TransportException unknown = failure(transport, post(URI.create("http://" + SlowNames.NOWHERE + "/v1"), "{}"));
        assertThat(unknown.fault()).isEqualTo(Fault.DNS);
        assertThat(unknown.delivery()).isEqualTo(Delivery.NEVER_SENT);
        assertThat(unknown).hasMessage("the name " + SlowNames.NOWHERE + " cannot be resolved");
    }

    /** Host and port, and nothing else of the address. */
    @Test
    void saysWhoRefusedTheConnection() throws Exception {
        try (var nobody = SocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            String there = "127.0.0.1:" + nobody.socket().getLocalPort();
            for (String scheme : List.of("http", "https")) {
                URI uri = URI.create(scheme + "://" + there + "/v1/s3cr3t?key=s3cr3t");
                TransportException refused = failure(transport, post(uri, "{}"));
                assertThat(refused.fault()).isEqualTo(Fault.CONNECT);
                assertThat(refused).hasMessage(there + " refused the connection");
            }
        }
    }

    @Test
    void saysThatItWasTheProxyWhichRefusedTheConnection() throws Exception {
        try (var nobody = SocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                var through = JdkTransport.builder()
                        .proxy(ProxySelector.of(new InetSocketAddress(
                                "127.0.0.1", nobody.socket().getLocalPort())))
                        .build()) {
            TransportException refused = failure(through, post(URI.create("https://provider.invalid/v1"), "{}"));
            assertThat(refused).hasMessage("the proxy to provider.invalid:443 refused the connection");
        }
    }

    @Test
    void saysThatAFailedHandshakeSentNothing() throws Exception {
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread server = Thread.ofVirtual().start(() -> answerInPlain(listener));
            URI secure = URI.create("https://127.0.0.1:" + listener.getLocalPort() + "/v1");
            TransportException failed = failure(transport, post(secure, "{}"));
            assertThat(failed.fault()).isEqualTo(Fault.TLS);
            assertThat(failed.delivery()).isEqualTo(Delivery.NEVER_SENT);
            server.join();
        }
    }

    /** Reads to the client's end, so that the plain answer is seen before the connection goes. */
    private static void answerInPlain(ServerSocket listener) {
        try (Socket socket = listener.accept()) {
            assertThat(socket.getInputStream().read(new byte[4096])).isPositive();
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void saysThatAHandshakeWhichTheServerHangsUpOnSentNothing() throws Exception {
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread server = Thread.ofVirtual().start(() -> readAndHangUp(listener));
            URI secure = URI.create("https://127.0.0.1:" + listener.getLocalPort() + "/v1");
            TransportException failed = failure(transport, post(secure, "{}"));
            assertThat(failed.fault()).isEqualTo(Fault.TLS);
            assertThat(failed.delivery()).isEqualTo(Delivery.NEVER_SENT);
            server.join();
        }
    }

    private static void readAndHangUp(ServerSocket listener) {
        try (Socket socket = listener.accept()) {
            assertThat(socket.getInputStream().read(new byte[4096])).isPositive();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void endsTheWaitForAConnectionByTheCallsTimeout() throws Exception {
        connectsInVain(transport, new TransportTimeouts(SHORT, LONG, LONG, LONG));
    }

    @Test
    void endsTheWaitForAConnectionByTheBuildersTimeout() throws Exception {
        try (var hasty = JdkTransport.builder().connectTimeout(SHORT).build()) {
            connectsInVain(hasty, TransportTimeouts.total(LONG));
        }
    }

    /** A listener whose queue is full lets no further connection stand. */
    private static void connectsInVain(Transport transport, TransportTimeouts timeouts) throws Exception {
        var waiting = new ArrayList<Socket>();
        try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), full.getLocalPort());
            for (int i = 0; i < 8; i++) {
                var socket = SocketChannel.open();
                socket.configureBlocking(false);
                socket.connect(address);
                waiting.add(socket.socket());
            }
            URI uri = URI.create("http://127.0.0.1:" + full.getLocalPort() + "/v1");
            TransportException late = failure(transport, call("POST", uri, "{}", timeouts));
            assertThat(late.fault()).isEqualTo(Fault.TIMEOUT);
            assertThat(late.delivery()).isEqualTo(Delivery.NEVER_SENT);
        } finally {
            for (Socket socket : waiting) {
                socket.getChannel().close();
            }
        }
    }

    @Test
    void refusesHttpTwoWithoutTls() throws Exception {
        try (var provider = FaultyProvider.start()) {
            TransportCall one = post(provider);
            var two = new TransportCall(
                    one.method(), one.uri(), one.headers(), one.body(), HttpVersion.HTTP_2, one.timeouts());
            assertThat(failure(transport, two)).hasMessageContaining("HTTP_2").hasMessageContaining("https");
            assertThat(provider.connectionsOpened()).isZero();
        }
    }

    @Test
    void refusesAUriItCannotReach() {
        for (String uri : List.of("ftp://host/", "/v1", "http:/v1", "mailto:someone")) {
            assertThat(failure(transport, post(URI.create(uri), "{}")).delivery())
                    .isEqualTo(Delivery.NEVER_SENT);
        }
    }

    @Test
    void leavesOutTheHeadersThatAreItsOwn() throws Exception {
        var own = Headers.of(
                "Host",
                "elsewhere",
                "Content-Length",
                "3",
                "Connection",
                "close",
                "Transfer-Encoding",
                "gzip",
                "Upgrade",
                "h2c",
                "Expect",
                "100-continue",
                "X-Kept",
                "yes");
        try (var provider = FaultyProvider.start()) {
            TransportCall call = post(provider);
            fetch(
                    transport,
                    new TransportCall(call.method(), call.uri(), own, call.body(), call.version(), call.timeouts()));
            Headers received = provider.requests().getFirst().headers();
            assertThat(received.all("Host")).containsExactly(provider.uri().getAuthority());
            assertThat(received.all("Content-Length"))
                    .containsExactly(Integer.toString(call.body().size()));
            assertThat(received.first("X-Kept")).hasValue("yes");
            assertThat(Set.of("Connection", "Transfer-Encoding", "Upgrade", "Expect"))
                    .allSatisfy(name -> assertThat(received.all(name)).isEmpty());
        }
    }

    @Test
    void sendsNoBodyWithAGet() throws Exception {
        try (var provider = FaultyProvider.start()) {
            assertThat(fetch(transport, get(URI.create(provider.baseUrl() + "/models"))))
                    .contains("\"list\"");
            ProviderRequest request = provider.requests().getFirst();
            assertThat(request.method()).isEqualTo("GET");
            assertThat(request.headers().all("Content-Length")).isEmpty();
            assertThat(request.headers().all("Transfer-Encoding")).isEmpty();
        }
    }

    @Test
    void readsAnEmptyBodyWhateverItsCoding() throws Exception {
        Reply empty = Reply.of(503, Headers.of("Content-Encoding", "gzip"), Bytes.empty());
        try (var provider = FaultyProvider.start(FaultScript.of(empty))) {
            assertThat(fetch(transport, post(provider))).isEmpty();
        }
    }

    @Test
    void takesTheCodingOffTheHeadersOnceItIsUndone() throws Exception {
        try (var provider =
                        FaultyProvider.start(FaultScript.of(Reply.status(503).gzipped()));
                var reply = transport.send(post(provider))) {
            assertThat(reply.headers().all("Content-Encoding")).isEmpty();
            assertThat(reply.headers().all("Content-Length")).isEmpty();
            assertThat(reply.headers().all("Content-Type")).isNotEmpty();
        }
    }

    @Test
    void failsTheReadAndNotTheReplyOnACodingNobodyAskedFor() throws Exception {
        try (var provider =
                        FaultyProvider.start(FaultScript.of(Reply.status(503).withHeader("Content-Encoding", "br")));
                var reply = transport.send(post(provider))) {
            assertThat(reply.status()).isEqualTo(503);
            assertThat(readFailure(reply).fault()).isEqualTo(Fault.PROTOCOL);
        }
    }

    @Test
    void tellsNonsenseWithinABodyFromALostConnection() throws Exception {
        Reply nonsense = Reply.garbage(
                Bytes.utf8("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nnonsense\r\n"));
        try (var provider = FaultyProvider.start(FaultScript.of(nonsense));
                var reply = transport.send(post(provider))) {
            assertThat(readFailure(reply).fault()).isEqualTo(Fault.PROTOCOL);
        }
    }

    @Test
    void resolvesNamesWithinTheTimeouts() {
        URI slow = URI.create("http://" + SlowNames.SLOW + "/v1");
        TransportException late =
                failure(transport, call("POST", slow, "{}", TransportTimeouts.total(Duration.ofMillis(200))));
        assertThat(late.fault()).isEqualTo(Fault.TIMEOUT);
        assertThat(late.delivery()).isEqualTo(Delivery.NEVER_SENT);
    }

    @Test
    void limitsABodyByItsDecompressedSize() throws Exception {
        Reply bomb = Reply.of(200, Headers.empty(), Bytes.of(new byte[100_001])).gzipped();
        assertThat(bomb.body().size()).isLessThan(1_000);
        try (var small = JdkTransport.builder().maxResponseBytes(100_000).build();
                var provider = FaultyProvider.start(FaultScript.of(bomb));
                var reply = small.send(post(provider))) {
            TransportException large = readFailure(reply);
            assertThat(large.fault()).isEqualTo(Fault.TOO_LARGE);
            assertThat(large.delivery()).isEqualTo(Delivery.ANSWERED);
        }
    }

    @Test
    void takesABodyOfJustTheAllowedSize() throws Exception {
        try (var small = JdkTransport.builder().maxResponseBytes(100_000).build();
                var provider = FaultyProvider.start(
                        FaultScript.of(Reply.of(200, Headers.empty(), Bytes.of(new byte[100_000]))));
                var reply = small.send(post(provider))) {
            assertThat(reply.body().readAllBytes()).hasSize(100_000);
        }
    }

    @Test
    void slowsTheServerDownWhileNobodyReads() throws Exception {
        Reply endless =
                Reply.of(200, Headers.empty(), Bytes.of(new byte[40 << 20])).inPieces(64 << 10);
        try (var provider = FaultyProvider.start(FaultScript.of(endless));
                var reply = transport.send(post(provider))) {
            assertThat(reply.body().read()).isZero();
            assertThat(reply.body().readNBytes(39 << 20)).hasSize(39 << 20);
        }
    }

    @Test
    void followsAGetWithinTheOriginWhateverTheStatus() throws Exception {
        for (int status : List.of(301, 302, 303, 307, 308)) {
            try (var provider = FaultyProvider.start(
                    FaultScript.of(Reply.status(status).withHeader("Location", "/v1/models?after=1")))) {
                assertThat(fetch(transport, get(provider.uri().resolve("/old"))))
                        .contains("\"list\"");
                assertThat(provider.requests().getLast().path()).isEqualTo("/v1/models?after=1");
                assertThat(provider.connectionsOpened()).isEqualTo(1);
            }
        }
    }

    @Test
    void followsNoRedirectThatTakesTheRequestElsewhere() throws Exception {
        try (var other = FaultyProvider.start()) {
            for (String location : List.of(
                    other.uri() + "/v1/chat/completions",
                    "https://127.0.0.1/v1",
                    "//localhost/v1",
                    "ftp://127.0.0.1/",
                    "http://[broken",
                    "?key=s3cr3t :")) {
                Reply away = Reply.status(307).withHeader("Location", location);
                try (var provider = FaultyProvider.start(FaultScript.of(away, Reply.status(500)))) {
                    TransportException refused = failure(transport, post(provider));
                    assertThat(refused).as(location).isNotNull();
                    assertThat(refused.fault()).isEqualTo(Fault.REDIRECT_REFUSED);
                    assertThat(refused).hasMessageNotContaining("s3cr3t");
                    assertThat(other.requests()).isEmpty();
                }
            }
        }
    }

    @Test
    void speaksToAProxy() throws Exception {
        try (var proxy =
                        FaultyProvider.start(FaultScript.of(Reply.completion("through the proxy"), Reply.status(407)));
                var through = JdkTransport.builder()
                        .proxy(ProxySelector.of(
                                new InetSocketAddress("127.0.0.1", proxy.uri().getPort())))
                        .build()) {
            URI beyond = URI.create("http://provider.invalid/v1/chat/completions");
            assertThat(fetch(through, post(beyond, "{}"))).contains("through the proxy");
            assertThat(proxy.requests().getFirst().headers().first("Host")).hasValue("provider.invalid");
            TransportException refused = failure(through, post(beyond, "{}"));
            assertThat(refused.fault()).isEqualTo(Fault.PROXY_AUTH);
            assertThat(refused.delivery()).isEqualTo(Delivery.NEVER_SENT);
        }
    }

    @Test
    void leavesTheInterruptFlagSetBehindAnInterruptedRead() throws Exception {
        try (var provider =
                        FaultyProvider.start(FaultScript.of(Reply.stream("a").hangAfter(10)));
                var reply = transport.send(post(provider))) {
            var seen = new AtomicReference<Throwable>();
            var flag = new AtomicBoolean();
            var begun = new CountDownLatch(1);
            Thread reader = Thread.ofVirtual().start(() -> {
                begun.countDown();
                try {
                    reply.body().readAllBytes();
                } catch (Exception e) {
                    seen.set(e);
                    flag.set(Thread.currentThread().isInterrupted());
                }
            });
            begun.await();
            reader.interrupt();
            reader.join();
            assertThat(seen.get()).isInstanceOf(InterruptedIOException.class);
            assertThat(flag).isTrue();
        }
    }

    @Test
    void clearsTheInterruptFlagBehindAnInterruptedSend() throws Exception {
        try (var provider = FaultyProvider.start()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> transport.send(post(provider))).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Test
    void readsToTheEndAfterTheTransportOfAnotherCallWasClosed() throws Exception {
        try (var provider = FaultyProvider.start();
                var other = new JdkTransport();
                var reply = transport.send(post(provider))) {
            other.close();
            assertThat(text(reply)).contains("chat.completion");
        }
    }

    @Test
    void leavesNoThreadBehind() throws Exception {
        try (var provider = FaultyProvider.start();
                var own = new JdkTransport()) {
            fetch(own, post(provider));
        }
        transport.close();
        await(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().matches("holdfast-http.*|HttpClient-.*")));
    }

    @Test
    void closesTwice() {
        transport.close();
        transport.close();
    }

    @Test
    @Tag("concurrency")
    void carriesAThousandCallsAtOnce() throws Exception {
        var script = FaultScript.answering(
                request -> Reply.completion(request, "call " + request.number()).withDelay(Duration.ofMillis(50)));
        try (var provider = FaultyProvider.start(script);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<String>>();
            for (int i = 0; i < 1_000; i++) {
                answers.add(callers.submit(() -> fetch(transport, post(provider))));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get()).contains("chat.completion");
            }
            assertThat(provider.requests()).hasSize(1_000);
            transport.close();
            await(() -> provider.connectionsOpen() == 0);
        }
    }
}
