package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.LONG;
import static dev.holdfast.tests.transport.Exchanging.PROMPT;
import static dev.holdfast.tests.transport.Exchanging.call;
import static dev.holdfast.tests.transport.Exchanging.failure;
import static dev.holdfast.tests.transport.Exchanging.fetch;
import static dev.holdfast.tests.transport.Exchanging.post;
import static dev.holdfast.tests.transport.Exchanging.readFailure;
import static dev.holdfast.tests.transport.Exchanging.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import dev.holdfast.transport.JdkTransport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that keep to no rule: whatever they write, an exchange ends, and the next one is not harmed. */
@Timeout(300)
class JdkTransportHostileTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    /** As an attempt of a stream is sent: what comes after the head is timed elsewhere. */
    private static final TransportTimeouts OF_A_STREAM =
            new TransportTimeouts(LONG, LONG, Duration.ofDays(365), Duration.ofDays(365));

    private static String lines(String text) {
        return text.replace("|", "\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5||ok",
                "Transfer-Encoding: chunked||zz",
                "Transfer-Encoding: chunked||2|ok|",
                "Content-Length: 2|Transfer-Encoding: chunked||ok",
                "Content-Encoding: gzip|Content-Length: 2||ok"
            })
    void followsARedirectWhateverBecomesOfItsBody(String rest) throws Exception {
        String redirect = lines("HTTP/1.1 307 Over there|Location: /v2|" + rest);
        try (var server = WireServer.saying(redirect, OK);
                var transport = new JdkTransport()) {
            assertThat(fetch(transport, call("POST", server.uri(), PROMPT, OF_A_STREAM)))
                    .isEqualTo("ok");
            assertThat(server.heads()).hasSize(2).last().asString().startsWith("POST /v2 ");
        }
    }

    @Test
    void readsNoEndlessBodyOfARedirect() throws Exception {
        try (var server = WireServer.start((number, out) -> {
                    out.write(lines(number == 1 ? "HTTP/1.1 307 x|Location: /v2|Content-Length: 999999999||" : OK)
                            .getBytes(StandardCharsets.ISO_8859_1));
                    while (number == 1) {
                        out.write(new byte[1024]);
                    }
                });
                var transport = new JdkTransport()) {
            assertThat(fetch(transport, call("POST", server.uri(), PROMPT, OF_A_STREAM)))
                    .isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 2|Content-Length: 3||okx",
                "Content-Length: -2||ok",
                "Content-Length: 99|Transfer-Encoding: chunked||2|ok|0||",
                "Transfer-Encoding: gzip, chunked||2|ok|0||",
                "Transfer-Encoding: chunked|Transfer-Encoding: chunked||2|ok|0||",
            })
    void takesNoBodyWhoseEndIsInDoubt(String rest) throws Exception {
        for (int status : new int[] {200, 503}) {
            try (var server = WireServer.saying(lines("HTTP/1.1 " + status + " x|" + rest), OK);
                    var transport = new JdkTransport()) {
                try (TransportReply reply = transport.send(call("POST", server.uri(), PROMPT, OF_A_STREAM))) {
                    assertThat(reply.status()).isEqualTo(status);
                    TransportException failed = readFailure(reply);
                    assertThat(failed.fault()).isEqualTo(Fault.PROTOCOL);
                    assertThat(failed).hasMessageContaining("does not say where it ends");
                }
                assertThat(fetch(transport, post(server.uri(), PROMPT))).isEqualTo("ok");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Content-Length: 2||ok; ok",
                "Content-Length: 2|Content-Length: 2||ok; ok",
                "Transfer-Encoding: Chunked||2|ok|0||; ok",
                "Connection: close||ok; ok",
            })
    void takesABodyWhoseEndIsSaid(String rest, String body) throws Exception {
        String answer = lines("HTTP/1.1 200 OK|" + rest);
        try (var server = WireServer.start((number, out) -> {
                    out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
                    out.flush();
                    if (answer.contains("close")) {
                        out.close();
                    }
                });
                var transport = new JdkTransport()) {
            assertThat(fetch(transport, post(server.uri(), PROMPT))).isEqualTo(body);
        }
    }

    private static byte[] packed(byte[] plain) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(plain);
        }
        return bytes.toByteArray();
    }

    private static WireServer coded(String fields, byte[] body) throws IOException {
        String head = lines("HTTP/1.1 200 OK|" + fields + "|Content-Length: " + body.length + "||");
        return WireServer.start((number, out) -> {
            out.write(head.getBytes(StandardCharsets.ISO_8859_1));
            out.write(body);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Encoding: identity|Content-Encoding: gzip",
                "Content-Encoding: gzip, identity",
                "Content-Encoding: , GZIP ,",
                "Content-Encoding: x-gzip"
            })
    void undoesACodingHoweverItIsNamed(String fields) throws Exception {
        try (var server = coded(fields, packed("ok".getBytes(StandardCharsets.UTF_8)));
                var transport = new JdkTransport();
                var reply = transport.send(post(server.uri(), PROMPT))) {
            assertThat(text(reply)).isEqualTo("ok");
            assertThat(reply.headers().first("Content-Encoding")).isEmpty();
        }
    }

    @Test
    void undoesOneCodingAndNoMore() throws Exception {
        try (var server = coded("Content-Encoding: gzip, gzip", packed(packed(new byte[1000])));
                var transport = new JdkTransport();
                var reply = transport.send(post(server.uri(), PROMPT))) {
            assertThat(readFailure(reply).fault()).isEqualTo(Fault.PROTOCOL);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"empty parts", "what is no part"})
    void whatUnpacksToNothingIsBoundedToo(String kind) throws Exception {
        byte[] part = kind.equals("empty parts") ? packed(new byte[0]) : new byte[20];
        var many = new ByteArrayOutputStream();
        for (int i = 0; i < 1_000; i++) {
            many.writeBytes(part);
        }
        String head = lines("HTTP/1.1 200 OK|Content-Encoding: gzip|Connection: close||");
        try (var server = WireServer.start((number, out) -> {
                    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
                    out.write(packed(new byte[1]));
                    while (true) {
                        out.write(many.toByteArray());
                    }
                });
                var transport = JdkTransport.builder().maxResponseBytes(1 << 20).build();
                var reply = transport.send(call("POST", server.uri(), PROMPT, OF_A_STREAM))) {
            assertThat(readFailure(reply).fault()).isEqualTo(Fault.TOO_LARGE);
        }
    }

    /** What a server may say without an end, and before it. */
    private enum Endless {
        INTERIM_ANSWERS("", "HTTP/1.1 103 Early Hints|Link: x||"),
        STATUS_LINE("HTTP/1.1 200 ", "OK"),
        HEADER("HTTP/1.1 200 OK|X: ", "xxxx"),
        HEADERS("HTTP/1.1 200 OK|", "X: y|"),
        SIZE_OF_A_CHUNK("HTTP/1.1 200 OK|Transfer-Encoding: chunked||", "0000"),
        EXTENSION_OF_A_CHUNK("HTTP/1.1 200 OK|Transfer-Encoding: chunked||1;", "a=a;"),
        BODY("HTTP/1.1 200 OK|Connection: close||", "1234");

        private final String before;
        private final String again;

        Endless(String before, String again) {
            this.before = lines(before);
            this.again = lines(again);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatNeverEndsIsCutAtABoundAndNotAtATimeout(Endless endless) throws Exception {
        byte[] again = endless.again.repeat(500).getBytes(StandardCharsets.ISO_8859_1);
        try (var server = WireServer.start((number, out) -> {
                    out.write(endless.before.getBytes(StandardCharsets.ISO_8859_1));
                    while (true) {
                        out.write(again);
                    }
                });
                var transport = JdkTransport.builder().maxResponseBytes(1 << 20).build()) {
            TransportException failed = Optional.ofNullable(failure(transport, post(server.uri(), PROMPT)))
                    .orElseGet(() -> failureOfBody(transport, server));
            assertThat(failed.fault()).isIn(Fault.PROTOCOL, Fault.TOO_LARGE);
        }
    }

    private static TransportException failureOfBody(JdkTransport transport, WireServer server) {
        try (var reply = transport.send(post(server.uri(), PROMPT))) {
            return readFailure(reply);
        } catch (TransportException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aHeadThatDripsIsWaitedForNoLongerThanForTheFirstByte() throws Exception {
        try (var server = WireServer.start((number, out) -> {
                    for (byte each : OK.getBytes(StandardCharsets.ISO_8859_1)) {
                        out.write(each);
                        Thread.sleep(100);
                    }
                });
                var transport = new JdkTransport()) {
            var timeouts = new TransportTimeouts(LONG, Duration.ofMillis(500), LONG, LONG);
            TransportException late = failure(transport, call("POST", server.uri(), PROMPT, timeouts));
            assertThat(late.fault()).isEqualTo(Fault.TIMEOUT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void whatAServerSaysBehindAnAnswerIsNoAnswerToTheNext(String host) throws Exception {
        String unasked = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad";
        try (var server = WireServer.saying(OK + unasked);
                var transport = new JdkTransport()) {
            for (int i = 0; i < 5; i++) {
                assertThat(fetch(transport, post(server.at(host), PROMPT))).isEqualTo("ok");
            }
        }
    }

    /** Where one of two ends has come, what comes up to the other would be read as the answer to the next request. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 2|Content-Length: 3||ok",
                "Content-Length: 2|Transfer-Encoding: chunked||ok",
                "Transfer-Encoding: chunked|Transfer-Encoding: chunked||2|ok|0||",
            })
    void keepsNoConnectionOnWhichAnEndIsInDoubt(String rest) throws Exception {
        try (var server = WireServer.saying(lines("HTTP/1.1 200 x|" + rest), OK);
                var transport = new JdkTransport()) {
            try (TransportReply reply = transport.send(call("POST", server.uri(), PROMPT, OF_A_STREAM))) {
                // All that the client believes to be the body is here, and so is its end.
                Thread.sleep(100);
                assertThat(readFailure(reply).fault()).isEqualTo(Fault.PROTOCOL);
            }
            long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            while (server.connectionsOpen() > 0 && System.nanoTime() - end < 0) {
                Thread.sleep(5);
            }
            assertThat(server.connectionsOpen()).isZero();
            assertThat(fetch(transport, post(server.uri(), PROMPT))).isEqualTo("ok");
        }
    }
}
