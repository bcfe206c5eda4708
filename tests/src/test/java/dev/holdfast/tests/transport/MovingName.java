package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.fetch;
import static dev.holdfast.tests.transport.Exchanging.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HttpVersion;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.transport.JdkTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A name, two servers at two addresses with one port, and the day on which the name goes from the one to the other. */
final class MovingName {
    private static final Duration AGE = Duration.ofMillis(500);

    private MovingName() {}

    /** Run in a JVM of its own, which remembers no address. */
    public static void main(String... none) throws Exception {
        try (var first = provider("first");
                var second = provider("second");
                var door = door(first.uri().getPort(), second.uri().getPort());
                var aging = trusting().maxConnectionAge(AGE).build();
                var lasting = trusting().build()) {
            assertThat(door.isBound()).isTrue();
            URI uri =
                    URI.create("https://" + SlowNames.MOVING + ":" + first.uri().getPort() + "/v1/chat/completions");
            for (HttpVersion version : HttpVersion.values()) {
                assertThat(fetch(aging, in(version, uri))).contains("first");
                assertThat(fetch(lasting, in(version, uri))).contains("first");
            }
            SlowNames.move(2);
            Thread.sleep(AGE.plusMillis(50));
            assertThat(fetch(lasting, in(HttpVersion.HTTP_2, uri)))
                    .as("of HTTP/2 the JDK keeps a connection by the name")
                    .contains("first");
            assertThat(fetch(lasting, in(HttpVersion.HTTP_1_1, uri)))
                    .as("of HTTP/1.1 by the address")
                    .contains("second");
            for (HttpVersion version : HttpVersion.values()) {
                assertThat(fetch(aging, in(version, uri)))
                        .as("a connection of age is made anew: %s", version)
                        .contains("second");
            }
        }
        System.exit(0);
    }

    private static FaultyProvider provider(String name) {
        return FaultyProvider.builder(FaultScript.always(Reply.completion(name)))
                .secure()
                .start();
    }

    private static TransportCall in(HttpVersion version, URI uri) {
        TransportCall call = post(uri, Exchanging.PROMPT);
        return new TransportCall(call.method(), call.uri(), call.headers(), call.body(), version, call.timeouts());
    }

    private static JdkTransport.Builder trusting() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
        return JdkTransport.builder().sslContext(context);
    }

    /** Two providers have two certificates, and neither is for the name. */
    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** Lets whoever comes to another of this machine's addresses through to a port of the usual one. */
    private static ServerSocket door(int port, int behind) throws IOException {
        var door = new ServerSocket(port, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 2}));
        Thread.ofVirtual().start(() -> {
            while (!door.isClosed()) {
                try {
                    Socket outside = door.accept();
                    var inside = new Socket(InetAddress.getLoopbackAddress(), behind);
                    Thread.ofVirtual().start(() -> copy(outside, inside));
                    Thread.ofVirtual().start(() -> copy(inside, outside));
                } catch (IOException e) {
                    return;
                }
            }
        });
        return door;
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // one of them is gone
        }
    }
}
