package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.internal.http.ServerLimits;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that mean harm, or were written in a hurry: what they send on the wire, byte by byte. */
class HostileTest {
    private static final String HEAD =
            "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

    /** A request that takes so long is surely read ahead of; if not yet, the test holds all the same. */
    private static final Duration READ_AHEAD_AFTER = Duration.ofMillis(400);

    /** Everything that comes back on a connection of its own, until the gateway closes it. */
    private static String exchange(Served served, String sent) throws IOException {
        try (Socket client = connect(served)) {
            client.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
            client.shutdownOutput();
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Socket connect(Served served) throws IOException {
        Socket client = new Socket("127.0.0.1", served.gateway.uri().getPort());
        client.setSoTimeout(60_000);
        return client;
    }

    /** Reads until the text has come, and fails at the end of what comes. */
    private static String readUntil(Socket client, String end) throws IOException {
        InputStream in = client.getInputStream();
        var text = new StringBuilder();
        while (!text.toString().contains(end)) {
            int next = in.read();
            assertThat(next).as("the end came after: %s", text).isNotNegative();
            text.append((char) next);
        }
        return text.toString();
    }

    @Test
    void aHeadIsAnsweredWhereverAGetIsAndHasNoBody() throws IOException {
        try (Served served = Served.by(FaultScript.healthy());
                Socket client = connect(served)) {
            for (String path : new String[] {"/health/live", "/health/ready", "/v1/models", "/api/status"}) {
                client.getOutputStream()
                        .write(("HEAD " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                String answer = readUntil(client, "\r\n\r\n");
                assertThat(answer).as(path).startsWith("HTTP/1.1 200").containsIgnoringCase("content-length:");
            }
        }
    }

    @Test
    void aHeadIsPassedOnAsOne() throws IOException {
        try (Served served = Served.by(FaultScript.always(Reply.completion("ok")));
                Socket client = connect(served)) {
            client.getOutputStream()
                    .write("HEAD /v1/files HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200")
                    .endsWith("\r\n\r\n");
            assertThat(served.provider.requests())
                    .singleElement()
                    .extracting(request -> request.method())
                    .isEqualTo("HEAD");
        }
    }

    /** What is passed on is so without a body: what comes as one is no other request, however large the answer is. */
    @ParameterizedTest
    @ValueSource(ints = {10, 2_000_000})
    void theBodyOfWhatIsPassedOnWithoutOneIsNoOtherRequest(int size) throws IOException {
        try (Served served = Served.by(FaultScript.always(Reply.completion("x".repeat(size))));
                Socket client = connect(served)) {
            String second = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
            client.getOutputStream()
                    .write(("GET /v1/files HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + second.length()
                                    + "\r\n\r\n" + second
                                    + "GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answers = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answers).startsWith("HTTP/1.1 200").doesNotContain("\"live\"");
        }
    }

    /** Where two parts of a chain frame a request in two ways, the rest of it becomes another request. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
                "Content-Length: 4\r\nContent-Length: 5\r\n",
                "Transfer-Encoding: xchunked\r\n",
                "Transfer-Encoding: chunked, identity\r\n",
                "Transfer-Encoding : chunked\r\n",
                "Content-Length: +4\r\n",
                "Content-Length: -4\r\n",
                "Content-Length: 99999999999999999999\r\n",
            })
    void aBodyThatIsFramedInTwoWaysIsNeverTwoRequests(String framing) throws IOException {
        try (Served served = Served.by(FaultScript.healthy())) {
            String second = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
            String answer = exchange(served, HEAD + framing + "\r\n0\r\n\r\n" + second);
            assertThat(answer).doesNotContain("HTTP/1.1 200").doesNotContain("live");
            assertThat(answer.split("HTTP/1\\.1", -1).length - 1).isLessThanOrEqualTo(1);
            assertThat(served.provider.requests()).isEmpty();
            assertThat(served.chat().statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zz\r\n{}\r\n0\r\n\r\n",
                "-1\r\n{}\r\n",
                "7fffffffffffffff\r\n{}",
                "ffffffffff\r\n{}\r\n",
                "2\r\n{}xx0\r\n\r\n"
            })
    void aChunkOfNoSizeIsTheCallersFault(String chunks) throws IOException {
        try (Served served = Served.by(FaultScript.healthy())) {
            String answer = exchange(served, HEAD + "Transfer-Encoding: chunked\r\n\r\n" + chunks);
            assertThat(answer).matches("(?s)(HTTP/1.1 4(00|13) .*)?").doesNotContain("Exception");
            assertThat(served.provider.requests()).isEmpty();
            assertThat(served.chat().statusCode()).isEqualTo(200);
        }
    }

    /** The memory for a chunk is that of what may come, and not of what is announced. */
    @Test
    void aChunkLargerThanABodyMayBeIsRefusedBeforeItComes() throws IOException {
        try (Served served = Served.by(FaultScript.healthy());
                Socket client = connect(served)) {
            client.getOutputStream()
                    .write((HEAD + "Transfer-Encoding: chunked\r\n\r\n7ffffff0\r\n{")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(readUntil(client, "request_too_large")).startsWith("HTTP/1.1 413");
            assertThat(served.chat().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aBodyInChunksIsRead() throws IOException {
        String half = Served.CHAT.substring(0, 20);
        String rest = Served.CHAT.substring(20);
        String chunks = Integer.toHexString(half.length()) + "\r\n" + half + "\r\n" + Integer.toHexString(rest.length())
                + "\r\n" + rest + "\r\n0\r\n\r\n";
        try (Served served = Served.by(FaultScript.healthy());
                Socket client = connect(served)) {
            client.getOutputStream()
                    .write((HEAD + "Transfer-Encoding: chunked\r\n\r\n" + chunks).getBytes(StandardCharsets.US_ASCII));
            assertThat(readUntil(client, "one two three")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void whoAsksFirstIsToldToGoOnOrWhyNot() throws IOException {
        try (Served served = Served.by(FaultScript.healthy(), "max-body: 1000");
                Socket client = connect(served)) {
            String head = HEAD + "Expect: 100-continue\r\nContent-Length: ";
            client.getOutputStream()
                    .write((head + Served.CHAT.length() + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            assertThat(readUntil(client, "\r\n\r\n")).startsWith("HTTP/1.1 100");
            client.getOutputStream().write(Served.CHAT.getBytes(StandardCharsets.US_ASCII));
            assertThat(readUntil(client, "one two three")).startsWith("HTTP/1.1 200");
            assertThat(exchange(served, head + "5000\r\n\r\n")).startsWith("HTTP/1.1 413");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"model\":[\"m\"],\"messages\":[]}|400",
                "{\"model\":null,\"messages\":[]}|400",
                "{\"model\":\"m\\u0000\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}|404",
                "{\"model\":\"M\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}|404",
                "{\"model\":\" m\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}|404",
                "{\"model\":\"m\",\"stream\":\"yes\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}|400",
                "{\"model\":\"m\",\"stream\":1,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}|400",
                "{\"model\":\"m\",\"messages\":\"x\"}|400",
                "{\"model\":\"m\",\"model\":\"n\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}|400",
            })
    void whatIsNoRequestIsRefusedBeforeAnythingIsSent(String body, int status) {
        try (Served served = Served.by(FaultScript.healthy())) {
            var response = served.send(served.post("/v1/chat/completions", body));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
            assertThat(served.provider.requests()).isEmpty();
        }
    }

    @Test
    void aDocumentThatIsDeepEndsNoThread() {
        try (Served served = Served.by(FaultScript.healthy())) {
            String deep = "{\"model\":\"m\",\"messages\":" + "[".repeat(200_000) + "]".repeat(200_000) + "}";
            assertThat(served.send(served.post("/v1/chat/completions", deep)).statusCode())
                    .isEqualTo(400);
            assertThat(served.chat().statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "x-holdfast-timeout-ms, 0",
        "x-holdfast-timeout-ms, -5",
        "x-holdfast-timeout-ms, 1e3",
        "x-holdfast-timeout-ms, 99999999999999999999",
        "x-holdfast-cache, sometimes",
        "x-holdfast-no-fallback, maybe",
        "idempotency-key, ' '",
    })
    void aHeaderFieldOfOursThatSaysNothingIsNamed(String name, String value) throws IOException {
        try (Served served = Served.by(FaultScript.healthy())) {
            String answer = exchange(
                    served,
                    HEAD + name + ": " + value + "\r\nContent-Length: " + Served.CHAT.length() + "\r\n\r\n"
                            + Served.CHAT);
            assertThat(answer).startsWith("HTTP/1.1 400").contains(name);
            assertThat(served.provider.requests()).isEmpty();
        }
    }

    @Test
    void aKeyIsTakenAsItIs() {
        String settings = "api-keys: [{sha256: \"" + Served.sha256("Key-1") + "\", name: web}]";
        try (Served served = Served.by(FaultScript.healthy(), settings)) {
            for (String wrong :
                    new String[] {"Bearer key-1", "Bearer Key-1x", "Bearer", "Basic Key-1", "Bearer Key- 1"}) {
                assertThat(served.send(served.post("/v1/chat/completions", Served.CHAT)
                                        .header("Authorization", wrong))
                                .statusCode())
                        .as(wrong)
                        .isEqualTo(401);
            }
            assertThat(served.send(served.post("/v1/chat/completions", Served.CHAT)
                                    .header("Authorization", "bearer  Key-1 "))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: localhost\r\nHost: evil.example\r\n",
                "Host: evil.example\r\nHost: localhost\r\n",
                "Host: localhost@evil.example\r\n",
                "Host: localhost.evil.example\r\n",
                "Host: evil.example:localhost\r\n",
                "Host: localhost\r\nOrigin: http://localhost.evil.example\r\n",
                "Host: localhost\r\nOrigin: http://localhost@evil.example\r\n",
                "Host: localhost\r\nOrigin: null\r\n",
                "Host: localhost\r\nOrigin: http://evil.example#localhost\r\n",
            })
    void aHostOrPageOfAnotherNameIsNotServed(String fields) throws IOException {
        try (Served served = Served.by(FaultScript.healthy())) {
            assertThat(exchange(served, "GET /v1/models HTTP/1.1\r\n" + fields + "\r\n"))
                    .matches("(?s)HTTP/1.1 40[03] .*");
        }
    }

    @Test
    void aTargetWithAHostIsNotServedBeforeItsOwnIsChecked() throws IOException {
        try (Served served = Served.by(FaultScript.healthy())) {
            assertThat(exchange(served, "GET http://evil.example/v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                    .doesNotStartWith("HTTP/1.1 200");
        }
    }

    /** The end of a call that takes long is noticed though the client has sent the next request by then. */
    @Test
    void whoHangsUpAfterFurtherRequestsEndsTheCallUpstream() throws IOException {
        try (Served served = Served.by(FaultScript.always(Reply.hang()))) {
            try (Socket client = connect(served)) {
                String one = HEAD + "Content-Length: " + Served.CHAT.length() + "\r\n\r\n" + Served.CHAT;
                client.getOutputStream().write(one.getBytes(StandardCharsets.US_ASCII));
                Eventually.holds(() -> served.provider.requests().size() == 1);
                client.getOutputStream().write(one.getBytes(StandardCharsets.US_ASCII));
            }
            Eventually.holds(() -> served.provider.connectionsOpen() == 0, Duration.ofSeconds(30));
            assertThat(served.provider.requests()).hasSize(1);
        }
    }

    /** What is read ahead of a request that takes long is the next one, whole. */
    @Test
    void aRequestThatComesWhileTheFirstTakesLongIsAnsweredAfterIt() throws Exception {
        var held = new Held();
        try (Served served = Served.by(held.script());
                Socket client = connect(served)) {
            String one = HEAD + "Content-Length: " + Served.CHAT.length() + "\r\n\r\n" + Served.CHAT;
            client.getOutputStream().write(one.getBytes(StandardCharsets.US_ASCII));
            Eventually.holds(() -> served.provider.requests().size() == 1);
            long began = System.nanoTime();
            Eventually.holds(() -> System.nanoTime() - began > READ_AHEAD_AFTER.toNanos());
            client.getOutputStream().write(one.substring(0, 40).getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().write(one.substring(40).getBytes(StandardCharsets.US_ASCII));
            held.letGo();
            readUntil(client, "one two three");
            assertThat(readUntil(client, "one two three")).contains("HTTP/1.1 200");
            client.getOutputStream().write(one.getBytes(StandardCharsets.US_ASCII));
            assertThat(readUntil(client, "one two three")).contains("HTTP/1.1 200");
        }
    }

    @Test
    void whatAProviderSendsInOnePieceIsPassedOnInFew() throws IOException {
        Reply burst = Reply.stream(Collections.nCopies(200, "x ").toArray(String[]::new));
        try (Served served = Served.by(FaultScript.always(burst));
                Socket client = connect(served)) {
            String one = HEAD + "Content-Length: " + Served.STREAM.length() + "\r\n\r\n" + Served.STREAM;
            client.getOutputStream().write(one.getBytes(StandardCharsets.US_ASCII));
            String answer = readUntil(client, "\r\n0\r\n\r\n");
            assertThat(answer.split("data: ", -1).length - 1).isGreaterThan(200);
            long chunks =
                    answer.lines().filter(line -> line.matches("[0-9a-fA-F]+")).count();
            assertThat(chunks).as("pieces of the chunked coding").isLessThan(100);
        }
    }

    @Test
    void anEventThatStandsAloneIsNotHeldBack() throws IOException {
        Reply whole = Reply.stream("one ", "two ");
        Reply hanging = whole.hangAfter(whole.body().toUtf8().indexOf("two") - 20);
        try (Served served = Served.by(FaultScript.always(hanging));
                Socket client = connect(served)) {
            String one = HEAD + "Content-Length: " + Served.STREAM.length() + "\r\n\r\n" + Served.STREAM;
            client.getOutputStream().write(one.getBytes(StandardCharsets.US_ASCII));
            assertThat(readUntil(client, "one ")).doesNotContain("two ");
        }
    }

    /**
     * The time for a head runs from its first byte: bytes one by one do not make it longer. Who sends one in the very moment that the
     * time is over may find the connection closed before it is told why; one of some is told.
     */
    @Test
    void whoSendsAByteNowAndThenIsCutOff() throws IOException {
        var limits = new ServerLimits(
                Duration.ofMillis(500),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                4_096,
                10);
        try (Served served = Served.by(FaultScript.healthy(), "", limits)) {
            String answer = "";
            for (int i = 0; i < 10 && answer.isEmpty(); i++) {
                answer = answerToDripping(served);
            }
            assertThat(answer).startsWith("HTTP/1.1 408");
        }
    }

    /** What comes back to a client that sends a byte now and then until it is cut off; empty if nothing does. */
    private static String answerToDripping(Served served) throws IOException {
        try (Socket client = connect(served)) {
            Eventually.holds(() -> served.gateway.connections() == 1);
            Eventually.holds(() -> {
                try {
                    client.getOutputStream().write('G');
                } catch (IOException e) {
                    // cut off, as it should be
                }
                return served.gateway.connections() == 0;
            });
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException e) {
            return ""; // a byte that was not read resets the connection
        }
    }

    /** The time for a body runs from its head; whoever is late is told so once, and nothing else is answered. */
    @Test
    void whoseBodyDripsIsToldOnceThatItIsLate() throws IOException {
        var limits = new ServerLimits(
                Duration.ofSeconds(60),
                Duration.ofMillis(500),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                4_096,
                10);
        try (Served served = Served.by(FaultScript.healthy(), "", limits);
                Socket client = connect(served)) {
            client.getOutputStream()
                    .write((HEAD + "Content-Length: 100000\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            Eventually.holds(() -> served.gateway.connections() == 1);
            Eventually.holds(() -> {
                try {
                    client.getOutputStream().write(' ');
                } catch (IOException e) {
                    // cut off, as it should be
                }
                return served.gateway.connections() == 0;
            });
            var answer = new StringBuilder();
            try {
                for (int next = client.getInputStream().read();
                        next >= 0;
                        next = client.getInputStream().read()) {
                    answer.append((char) next);
                }
            } catch (SocketException e) {
                // what came in after the end resets the connection
            }
            assertThat(answer.toString().split("HTTP/1", -1)).hasSizeLessThanOrEqualTo(2);
            if (!answer.isEmpty()) {
                assertThat(answer.toString()).startsWith("HTTP/1.1 408");
            }
            assertThat(served.provider.requests()).isEmpty();
            assertThat(served.chat().statusCode()).isEqualTo(200);
        }
    }

    /** What is not answered yet when the client has gone leaves nothing behind, wherever it was. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /hea",
                "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\nGET /hea",
                "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"
            })
    void whoHangsUpHasNoConnectionAnyMore(String sent) throws IOException {
        try (Served served = Served.by(FaultScript.healthy())) {
            for (int i = 0; i < 20; i++) {
                try (Socket client = connect(served)) {
                    client.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
                    if (sent.contains("live")) {
                        readUntil(client, "\"live\"");
                    }
                }
            }
            Eventually.holds(() -> served.gateway.connections() == 0);
            assertThat(served.provider.requests()).isEmpty();
        }
    }

    /** Those who say nothing are let go of when their time is over, however many they are, and who asks meanwhile is answered. */
    @Test
    void manyWhoSayNothingHoldUpNobodyAndGo() throws IOException {
        var limits = new ServerLimits(
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                Duration.ofSeconds(3),
                Duration.ofSeconds(60),
                4_096,
                2_000);
        var silent = new ArrayList<Socket>();
        try (Served served = Served.by(FaultScript.healthy(), "", limits)) {
            for (int i = 0; i < 500; i++) {
                Socket client = connect(served);
                silent.add(client);
                client.getOutputStream()
                        .write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(served.chat().statusCode()).isEqualTo(200);
            Socket mute = connect(served);
            silent.add(mute);
            for (Socket client : silent) {
                if (client != mute) {
                    readUntil(client, "\"live\"}");
                }
                assertThat(client.getInputStream().read()).as("the end").isNegative();
            }
            Eventually.holds(() -> served.gateway.connections() <= 1);
        } finally {
            for (Socket client : silent) {
                client.close();
            }
        }
    }

    @Test
    void aPipelineIsAnsweredInItsOrderToTheLast() throws IOException {
        try (Served served = Served.by(FaultScript.healthy());
                Socket client = connect(served)) {
            var all = new StringBuilder();
            for (int i = 0; i < 50; i++) {
                String body = Served.CHAT.replace("one two three", "number " + i + ";");
                all.append(HEAD)
                        .append("Content-Length: ")
                        .append(body.length())
                        .append("\r\n\r\n")
                        .append(body);
            }
            byte[] bytes = all.toString().getBytes(StandardCharsets.US_ASCII);
            for (int at = 0; at < bytes.length; at += 97) {
                client.getOutputStream().write(bytes, at, Math.min(97, bytes.length - at));
            }
            for (int i = 0; i < 50; i++) {
                assertThat(readUntil(client, "number " + i + ";")).contains("HTTP/1.1 200");
            }
        }
    }

    @Test
    void whenAllCoolsDownThatIsSaidWithTheTime() {
        try (Served served = Served.by(FaultScript.always(Reply.rateLimited(Duration.ofSeconds(90))))) {
            served.chat();
            var second = served.chat();
            assertThat(second.statusCode()).as(second.body()).isEqualTo(429);
            assertThat(second.headers().firstValueAsLong("retry-after").orElseThrow())
                    .isBetween(80L, 100L);
            assertThat(second.headers().firstValue("x-should-retry")).contains("false");
            assertThat(served.provider.requests()).hasSize(1);
        }
    }
}
