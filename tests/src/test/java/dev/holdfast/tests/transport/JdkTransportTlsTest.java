package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.failure;
import static dev.holdfast.tests.transport.Exchanging.fetch;
import static dev.holdfast.tests.transport.Exchanging.post;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.holdfast.Delivery;
import dev.holdfast.HttpVersion;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportTimeouts;
import dev.holdfast.transport.JdkTransport;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkTransportTlsTest {
    private static final char[] PASSWORD = "password".toCharArray();
    private static final List<String> RECEIVED = new CopyOnWriteArrayList<>();

    private static SSLContext context;
    private static HttpsServer server;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        context = context(selfSigned(folder.resolve("keys.p12")));
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", JdkTransportTlsTest::answer);
        server.createContext("/slow", JdkTransportTlsTest::answerSlowly);
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            RECEIVED.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** Says that it answers, and leaves it at that until it is stopped. */
    private static void answerSlowly(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, 2);
        exchange.getResponseBody().flush();
    }

    private static KeyStore selfSigned(Path file) throws Exception {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process = new ProcessBuilder(
                        keytool.toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static URI uri() {
        return URI.create("https://127.0.0.1:" + server.getAddress().getPort() + "/v1");
    }

    @Test
    void speaksTlsWithTheTrustItIsGiven() throws Exception {
        try (var transport = JdkTransport.builder().sslContext(context).build()) {
            assertThat(fetch(transport, post(uri(), "over TLS"))).isEqualTo("ok");
            assertThat(RECEIVED).contains("over TLS");
        }
    }

    @Test
    void sendsNothingToAServerItDoesNotTrust() {
        try (var transport = new JdkTransport()) {
            TransportException failed = failure(transport, post(uri(), "for nobody else"));
            assertThat(failed.fault()).isEqualTo(Fault.TLS);
            assertThat(failed.delivery()).isEqualTo(Delivery.NEVER_SENT);
            assertThat(RECEIVED).doesNotContain("for nobody else");
        }
    }

    @Test
    void saysWhichKindOfTrustIsMissing() {
        try (var transport = new JdkTransport();
                var provider =
                        FaultyProvider.builder(FaultScript.healthy()).secure().start();
                var trusting =
                        JdkTransport.builder().sslContext(provider.sslContext()).build()) {
            assertThat(failure(transport, post(uri(), "{}"))).hasMessageContaining("not trusted");
            URI otherName = URI.create(
                    "https://" + SlowNames.HERE + ":" + provider.uri().getPort() + "/v1");
            TransportException failed = failure(trusting, post(otherName, "{}"));
            assertThat(failed.fault()).isEqualTo(Fault.TLS);
            assertThat(failed.delivery()).isEqualTo(Delivery.NEVER_SENT);
            assertThat(failed).hasMessageContaining("another host name");
            assertThat(provider.requests()).isEmpty();
        }
    }

    @Test
    void keepsToTheParametersOfTlsThatItIsGiven() throws Exception {
        var impossible = new SSLParameters(new String[] {"TLS_RSA_WITH_AES_128_CBC_SHA"}, new String[] {"TLSv1.2"});
        var modern = new SSLParameters();
        modern.setProtocols(new String[] {"TLSv1.3"});
        try (var refusing = JdkTransport.builder()
                        .sslContext(context)
                        .sslParameters(impossible)
                        .build();
                var transport = JdkTransport.builder()
                        .sslContext(context)
                        .sslParameters(modern)
                        .build()) {
            assertThat(failure(refusing, post(uri(), "{}")).fault()).isEqualTo(Fault.TLS);
            assertThat(fetch(transport, post(uri(), "{}"))).isEqualTo("ok");
        }
    }

    @Test
    void speaksHttpOneToAServerThatDoesNotKnowHttpTwo() throws Exception {
        try (var transport = JdkTransport.builder()
                .sslContext(context)
                .maxConnections(1)
                .maxStreams(50)
                .build()) {
            TransportCall one = post(uri(), "either");
            var two = new TransportCall(
                    one.method(), one.uri(), one.headers(), one.body(), HttpVersion.HTTP_2, one.timeouts());
            for (int i = 0; i < 3; i++) {
                assertThat(fetch(transport, two)).isEqualTo("ok");
            }
            var late = new TransportCall(
                    one.method(),
                    one.uri(),
                    one.headers(),
                    one.body(),
                    HttpVersion.HTTP_2,
                    TransportTimeouts.total(Duration.ofMillis(100)));
            try (var open = transport.send(post(uri().resolve("/slow"), "first"))) {
                assertThat(open.status()).isEqualTo(200);
                assertThat(failure(transport, late).fault())
                        .as("its connections are counted as such")
                        .isEqualTo(Fault.POOL);
            }
        }
    }
}
