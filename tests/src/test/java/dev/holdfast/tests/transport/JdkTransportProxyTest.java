package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.failure;
import static dev.holdfast.tests.transport.Exchanging.fetch;
import static dev.holdfast.tests.transport.Exchanging.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Delivery;
import dev.holdfast.Secret;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.transport.JdkTransport;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class JdkTransportProxyTest {
    private static final String FLAG = "jdk.http.auth.tunneling.disabledSchemes";
    private static final Secret PASSWORD = Secret.of("password", "s3cr3t");
    private static final String TOLD = "Proxy-Authorization: Basic dXNlcjpzM2NyM3Q=";

    private static ProxySelector proxy(int port) {
        return ProxySelector.of(new InetSocketAddress("127.0.0.1", port));
    }

    private static FaultyProvider secure() {
        return FaultyProvider.builder(FaultScript.healthy()).secure().start();
    }

    @Test
    void tunnelsToAProviderBehindTls() throws Exception {
        try (var provider = secure();
                var tunnel = new Tunnel("HTTP/1.1 200 OK");
                var transport = JdkTransport.builder()
                        .sslContext(provider.sslContext())
                        .proxy(proxy(tunnel.port()))
                        .build()) {
            assertThat(fetch(transport, post(provider))).contains("chat.completion");
            assertThat(tunnel.heads())
                    .singleElement()
                    .asString()
                    .startsWith("CONNECT 127.0.0.1:")
                    .doesNotContain("Bearer");
        }
    }

    @Test
    void saysThatAProxyWantsAuthentication() throws Exception {
        try (var provider = secure();
                var tunnel = new Tunnel("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n"
                        + "Proxy-Authenticate: Basic realm=\"here\"");
                var transport = JdkTransport.builder()
                        .sslContext(provider.sslContext())
                        .proxy(proxy(tunnel.port()))
                        .build()) {
            TransportException refused = failure(transport, post(provider));
            assertThat(refused.fault()).isEqualTo(Fault.PROXY_AUTH);
            assertThat(refused.delivery()).isEqualTo(Delivery.NEVER_SENT);
            assertThat(provider.connectionsOpened()).isZero();
        }
    }

    @Test
    void refusesAProxyThatTheJdkWouldPassBy() throws Exception {
        var socks = new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                return List.of(new Proxy(Proxy.Type.SOCKS, new InetSocketAddress("127.0.0.1", 1)));
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
        };
        try (var provider = FaultyProvider.start();
                var transport = JdkTransport.builder().proxy(socks).build()) {
            TransportException refused = failure(transport, post(provider));
            assertThat(refused.delivery()).isEqualTo(Delivery.NEVER_SENT);
            assertThat(refused).hasMessageContaining("SOCKS");
            assertThat(provider.connectionsOpened()).isZero();
        }
    }

    @Test
    void refusesAuthenticationThatTheJdkWouldLeaveOut() {
        JdkTransport.Builder builder = JdkTransport.builder().proxyAuthentication("user", PASSWORD);
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("-D" + FLAG + "=")
                .hasMessageNotContaining("s3cr3t");
        assertThatThrownBy(() -> builder.proxyAuthentication("us:er", PASSWORD))
                .hasMessageContaining("without a colon");
    }

    /** The JDK reads the flag once, so it needs a JVM of its own. */
    @Test
    @Tag("slow")
    void authenticatesInPlainAndInTunnelsWhereTheJdkLetsIt() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-D" + FLAG + "=",
                        "-cp",
                        String.join(
                                File.pathSeparator,
                                Arrays.stream(System.getProperty("java.class.path")
                                                .split(File.pathSeparator))
                                        .toList()),
                        Authenticated.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    /** What the JVM of its own runs. */
    static final class Authenticated {
        private Authenticated() {}

        public static void main(String... none) throws Exception {
            inPlain();
            inATunnel();
        }

        private static void inPlain() throws Exception {
            try (var asked = FaultyProvider.start(FaultScript.of(Reply.completion("through the proxy")));
                    var transport = JdkTransport.builder()
                            .proxy(proxy(asked.uri().getPort()))
                            .proxyAuthentication("user", PASSWORD)
                            .build()) {
                URI beyond = URI.create("http://provider.invalid/v1/chat/completions");
                assertThat(fetch(transport, post(beyond, "{}"))).contains("through the proxy");
                assertThat(asked.requests())
                        .singleElement()
                        .satisfies(request -> assertThat(request.headers().first("Proxy-Authorization"))
                                .hasValue(TOLD.substring(TOLD.indexOf("Basic"))));
            }
        }

        private static void inATunnel() throws Exception {
            try (var provider = secure();
                    var tunnel = new Tunnel("HTTP/1.1 200 OK");
                    var transport = JdkTransport.builder()
                            .sslContext(provider.sslContext())
                            .proxy(proxy(tunnel.port()))
                            .proxyAuthentication("user", PASSWORD)
                            .build()) {
                assertThat(fetch(transport, post(provider))).contains("chat.completion");
                assertThat(tunnel.heads()).singleElement().asString().contains(TOLD);
                assertThat(provider.requests().getFirst().headers().first("Proxy-Authorization"))
                        .isEmpty();
            }
        }
    }
}
