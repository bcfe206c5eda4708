package dev.holdfast.gateway;

import static dev.holdfast.gateway.Served.CHAT;
import static dev.holdfast.gateway.Served.STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.gateway.internal.http.ServerLimits;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients see when providers fail, and providers when clients do. */
class FaultsTest {
    /** Within this a hang-up has its effect on the slowest machine; the model's timeout and the end of the stream come later. */
    private static final Duration BEFORE_ANY_TIMEOUT = Duration.ofSeconds(30);

    private static final Pattern CALL = Pattern.compile("(?:direct )?call (\\d+)");

    @ParameterizedTest
    @CsvSource({
        "503, 503",
        "529, 503",
        "500, 502",
        "401, 502",
        "403, 502",
        "400, 400",
        "404, 404",
        "408, 504",
        "402, 429",
    })
    void aFailureHasAnHonestStatus(int upstream, int told) {
        try (Served served = Served.by(FaultScript.always(Reply.status(upstream)), "retry: {max-attempts: 1}")) {
            HttpResponse<String> response = served.chat();
            assertThat(response.statusCode()).as(response.body()).isEqualTo(told);
            assertThat(response.headers().firstValue("x-should-retry")).contains("false");
            assertThat(response.headers().firstValue("x-request-id")).isPresent();
        }
    }

    @Test
    void anErrorTellsEachAttemptByName() {
        try (Served served = Served.by(FaultScript.always(Reply.status(503)))) {
            JsonObject error = Served.error(served.chat());
            assertThat(error.list("attempts")).hasSize(4);
            JsonObject first = error.list("attempts").getFirst().asObject().orElseThrow();
            assertThat(first.text("endpoint")).contains("up");
            assertThat(first.text("model")).contains("m");
            assertThat(first.text("kind")).contains("overloaded");
            assertThat(first.longValue("status")).hasValue(503);
        }
    }

    @Test
    void attemptsAreKeptFromClientsWhereTheFileSaysSo() {
        try (Served served = Served.by(FaultScript.always(Reply.status(503)), "expose-attempts: false")) {
            HttpResponse<String> response = served.chat();
            assertThat(Served.error(response).get("attempts")).isEmpty();
            assertThat(response.body()).doesNotContain("\"up\"").doesNotContain("@up");
        }
    }

    @Test
    void whenAllCoolsDownTheWaitThatIsToldIsTheEarliest() {
        FaultScript script = FaultScript.answering(request -> Reply.rateLimited(Duration.ofSeconds(
                request.json().orElseThrow().text("model").orElse("").equals("m") ? 120 : 45)));
        String more =
                "models: {m: {fallbacks: [other], endpoints: [up]}, other: {endpoints: [up]}}\nretry: {max-suggested-delay: 5s}";
        try (Served served = Served.by(script, more)) {
            long began = System.nanoTime();
            served.chat();
            HttpResponse<String> response = served.chat();
            long passed = Duration.ofNanos(System.nanoTime() - began).toSeconds() + 1;
            assertThat(response.statusCode()).as(response.body()).isEqualTo(429);
            assertThat(Long.parseLong(
                            response.headers().firstValue("retry-after").orElseThrow()))
                    .isBetween(45 - passed, 46L);
        }
    }

    @Test
    void anOpenBreakerIsNoRateLimit() {
        try (Served served =
                Served.by(FaultScript.always(Reply.status(500)), "breaker: {consecutive-failures: 1, open-for: 60s}")) {
            served.chat();
            HttpResponse<String> response = served.chat();
            assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
            assertThat(Served.error(response).text("code")).contains("circuit_open");
        }
    }

    @Test
    void aRefusedConnectionIsToldWithHostAndPort() throws Exception {
        try (var nobody = SocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            String there = "127.0.0.1:" + nobody.socket().getLocalPort();
            String up = "models: {m: {endpoints: [up]}}\nretry: {max-attempts: 1}\n";
            for (boolean told : List.of(true, false)) {
                try (Served served = Served.by(FaultScript.healthy(), up)) {
                    served.reload(there, up + "expose-attempts: " + told);
                    for (HttpResponse<String> response :
                            List.of(served.chat(), served.send(served.request("/v1/files")))) {
                        assertThat(response.statusCode()).isEqualTo(502);
                        assertThat(Served.error(response).text("code")).contains("connection");
                        assertThat(response.body().contains(there + " refused the connection"))
                                .as(response.body())
                                .isEqualTo(told);
                        assertThat(response.body().contains("127.0.0.1")).isEqualTo(told);
                    }
                }
            }
        }
    }

    @Test
    void aDeadlineOfTheClientsIsKept() {
        try (Served served = Served.by(FaultScript.always(Reply.hang()))) {
            long began = System.nanoTime();
            HttpResponse<String> response =
                    served.send(served.post("/v1/chat/completions", CHAT).header("x-holdfast-timeout-ms", "300"));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(504);
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .as("well before the model's own timeout of a minute")
                    .isLessThan(Duration.ofSeconds(30));
        }
    }

    @Test
    void aStreamThatBreaksOffSaysSoAndIsNotDone() {
        String first =
                "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":"
                        + "[{\"index\":0,\"delta\":{\"content\":\"one \"},\"finish_reason\":null}]}\n\n";
        Reply cut = Reply.events(java.util.List.of(Reply.Chunk.of(first))).cutAfter(first.length());
        try (Served served = Served.by(FaultScript.always(cut))) {
            HttpResponse<String> response = served.send(served.post("/v1/chat/completions", STREAM));
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body())
                    .contains("one ")
                    .doesNotContain("[DONE]")
                    .doesNotContain("finish_reason\":\"stop");
            String last = response.body().strip().lines().reduce((a, b) -> b).orElseThrow();
            assertThat(last)
                    .startsWith("data: {\"error\":")
                    .contains("truncated")
                    .contains("\"attempts\"");
        }
    }

    @Test
    void aGzippedAnswerArrivesPlainWithItsOwnLength() {
        Reply gzipped = Reply.completion("ok").gzipped().withHeader("x-ratelimit-remaining-requests", "5");
        try (Served served = Served.by(FaultScript.always(gzipped))) {
            HttpResponse<byte[]> response =
                    served.http.send(served.post("/v1/chat/completions", CHAT).build(), BodyHandlers.ofByteArray());
            assertThat(response.headers().firstValue("content-encoding")).isEmpty();
            assertThat(response.headers().firstValueAsLong("content-length")).hasValue(response.body().length);
            assertThat(new String(response.body(), StandardCharsets.UTF_8)).contains("\"ok\"");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aClientThatHangsUpWhileItWaitsEndsTheCallUpstream() throws IOException {
        try (Served served = Served.by(FaultScript.always(Reply.hang()))) {
            try (Socket client = connect(served)) {
                client.getOutputStream().write(raw(served, CHAT));
                Eventually.holds(() -> served.provider.requests().size() == 1);
            }
            Eventually.holds(() -> served.provider.connectionsOpen() == 0, BEFORE_ANY_TIMEOUT);
            assertThat(served.provider.requests()).hasSize(1);
            assertHealthy(served);
        }
    }

    @Test
    void aClientThatHangsUpInAStreamEndsItUpstream() throws Exception {
        Reply endless = Reply.stream(Collections.nCopies(2_000, "x ").toArray(String[]::new))
                .withPauses(Duration.ofMillis(50));
        try (Served served = Served.by(FaultScript.always(endless))) {
            HttpResponse<InputStream> response =
                    served.http.send(served.post("/v1/chat/completions", STREAM).build(), BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                for (int events = 0; events < 3; ) {
                    events += body.read() == '\n' ? 1 : 0;
                }
            }
            Eventually.holds(() -> served.provider.connectionsOpen() == 0, BEFORE_ANY_TIMEOUT);
            Eventually.holds(() -> status(served).longValue("calls_in_flight").orElseThrow() == 0);
            assertHealthy(served);
        }
    }

    /** The hang-up of a client is no failure of the provider's. */
    private static void assertHealthy(Served served) {
        JsonObject endpoint =
                status(served).list("endpoints").getFirst().asObject().orElseThrow();
        assertThat(endpoint.longValue("consecutive_failures")).hasValue(0);
    }

    private static JsonObject status(Served served) {
        return Served.json(served.send(served.request("/api/status")));
    }

    @Test
    void aClientThatIsSlowToAskIsCutOff() throws IOException {
        var limits = new ServerLimits(
                Duration.ofMillis(300),
                Duration.ofMillis(300),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                4_096,
                10);
        try (Served served = Served.by(FaultScript.healthy(), "", limits);
                Socket head = connect(served);
                Socket body = connect(served)) {
            head.getOutputStream().write("POST /v1/chat/comple".getBytes(StandardCharsets.US_ASCII));
            body.getOutputStream()
                    .write(
                            ("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                            + "Content-Length: 1000\r\n\r\n{")
                                    .getBytes(StandardCharsets.US_ASCII));
            head.setSoTimeout(60_000);
            body.setSoTimeout(60_000);
            assertThat(new String(head.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 408");
            assertThat(new String(body.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 408");
            Eventually.holds(() -> served.gateway.connections() == 0);
            assertThat(served.provider.requests()).isEmpty();
        }
    }

    @Test
    void aConnectionThatIsIdleEndsWithoutAWord() throws IOException {
        var limits = new ServerLimits(
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                Duration.ofMillis(300),
                Duration.ofSeconds(60),
                4_096,
                10);
        try (Served served = Served.by(FaultScript.healthy(), "", limits);
                Socket fresh = connect(served);
                Socket used = connect(served)) {
            used.getOutputStream()
                    .write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            fresh.setSoTimeout(60_000);
            used.setSoTimeout(60_000);
            assertThat(fresh.getInputStream().readAllBytes()).isEmpty();
            assertThat(new String(used.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200")
                    .endsWith("{\"status\":\"live\"}");
            Eventually.holds(() -> served.gateway.connections() == 0);
        }
    }

    @Test
    void aClientThatReadsNothingIsCutOff() throws IOException {
        var limits = new ServerLimits(
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                Duration.ofMillis(300),
                4_096,
                10);
        String[] large =
                IntStream.range(0, 4_000).mapToObj(i -> "x".repeat(10_000)).toArray(String[]::new);
        try (Served served = Served.by(FaultScript.always(Reply.stream(large)), "", limits);
                Socket client = new Socket()) {
            client.setReceiveBufferSize(4_096);
            client.connect(new java.net.InetSocketAddress(
                    "127.0.0.1", served.gateway.uri().getPort()));
            client.getOutputStream().write(raw(served, STREAM));
            Eventually.holds(() -> served.provider.requests().size() == 1);
            Eventually.holds(() -> served.gateway.connections() == 0);
            Eventually.holds(() -> served.provider.connectionsOpen() == 0);
        }
    }

    @Test
    void whatIsNoHttpIsRefusedAndTheServerGoesOn() throws IOException {
        try (Served served = Served.by(FaultScript.healthy())) {
            for (String junk : new String[] {
                "\u0000\u0001\u0002\r\n\r\n",
                "GET\r\n\r\n",
                "GET / HTTP/9.9\r\n\r\n",
                "GET /health/live HTTP/1.1\r\n\r\n",
                "GET /health/live HTTP/1.1\r\nHost: localhost\r\nX: " + "a".repeat(40_000) + "\r\n\r\n"
            }) {
                try (Socket client = connect(served)) {
                    client.setSoTimeout(60_000);
                    OutputStream out = client.getOutputStream();
                    out.write(junk.getBytes(StandardCharsets.ISO_8859_1));
                    client.shutdownOutput();
                    String answer = read(client);
                    assertThat(answer)
                            .as(junk.substring(0, 4))
                            .doesNotContain(" 200 ")
                            .doesNotContain("Exception");
                }
            }
            assertThat(served.chat().statusCode()).isEqualTo(200);
        }
    }

    private static String read(Socket client) {
        try {
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void oneConnectionServesManyRequests() throws IOException {
        try (Served served = Served.by(FaultScript.healthy());
                Socket client = connect(served)) {
            client.setSoTimeout(60_000);
            byte[] request = raw(served, CHAT);
            byte[] both = new byte[request.length * 2];
            System.arraycopy(request, 0, both, 0, request.length);
            System.arraycopy(request, 0, both, request.length, request.length);
            client.getOutputStream().write(both);
            var text = new StringBuilder();
            InputStream in = client.getInputStream();
            while (text.toString().split("HTTP/1.1 200", -1).length < 3
                    || !text.toString().endsWith("}")) {
                int next = in.read();
                assertThat(next).as("the end came after: %s", text).isNotNegative();
                text.append((char) next);
            }
            assertThat(served.provider.requests()).hasSize(2);
        }
    }

    /**
     * A client acknowledges what comes alone up to 40 ms late; on a socket that waits for that, every stream has such a pause. A busy
     * machine holds up some of the streams, not each.
     */
    @Test
    void noEventWaitsForTheAcknowledgementOfTheLast() throws IOException {
        Reply burst = Reply.stream(Collections.nCopies(20, "x ").toArray(String[]::new));
        try (Served served = Served.by(FaultScript.always(burst));
                Socket client = connect(served)) {
            client.setSoTimeout(60_000);
            byte[] request = raw(served, STREAM);
            long shortest = Long.MAX_VALUE;
            for (int i = 0; i < 40; i++) {
                client.getOutputStream().write(request);
                long pause = longestPauseOfStream(client.getInputStream());
                // At first a client acknowledges at once, whatever comes.
                shortest = i < 10 ? shortest : Math.min(shortest, pause);
            }
            assertThat(Duration.ofNanos(shortest))
                    .as("the longest pause within a stream, of the stream where that is shortest")
                    .isLessThan(Duration.ofMillis(30));
        }
    }

    /** Nanoseconds between two pieces of an answer in the chunked coding, whose head was waited for before. */
    private static long longestPauseOfStream(InputStream in) throws IOException {
        var text = new StringBuilder();
        byte[] piece = new byte[16 << 10];
        long longest = 0;
        long last = 0;
        while (!text.toString().endsWith("\r\n0\r\n\r\n")) {
            int read = in.read(piece);
            assertThat(read).as("the end came after: %s", text).isPositive();
            long now = System.nanoTime();
            longest = text.isEmpty() ? 0 : Math.max(longest, now - last);
            last = now;
            text.append(new String(piece, 0, read, StandardCharsets.ISO_8859_1));
        }
        return longest;
    }

    /**
     * The work of all requests goes through failures that a client alone would see. What comes of the first attempt of a call, the
     * second and so on is the same in every run, in whatever order attempts arrive.
     */
    @Test
    void throughAStormNearlyAllCallsSucceedWhereDirectOnesDoNot() throws Exception {
        var attempts = new ConcurrentHashMap<String, Integer>();
        FaultScript storm = FaultScript.answering(request -> {
            Matcher call = CALL.matcher(request.body().toUtf8());
            assertThat(call.find()).isTrue();
            int attempt = attempts.merge(call.group(), 1, Integer::sum);
            var random = new SplittableRandom(Long.parseLong(call.group(1)) << 8 | attempt);
            if (random.nextInt(100) >= 30) {
                return FaultScript.healthy().reply(request);
            }
            return switch (random.nextInt(4)) {
                case 0 -> Reply.status(503);
                case 1 ->
                    Reply.error(429, "requests", "rate_limit_exceeded", "slow down")
                            .withHeader("retry-after-ms", "20");
                case 2 -> Reply.reset();
                default -> Reply.hang();
            };
        });
        String more = """
                models: {m: {timeout: 1s, fallbacks: [other], endpoints: [up]}, other: {timeout: 1s, endpoints: [up]}}
                breaker: off
                stream: {first-token: 1s, idle: 5s}
                """;
        try (Served served = Served.by(storm, more)) {
            int direct = succeeded(served, served.provider.baseUrl() + "/chat/completions", 200);
            assertThat(direct).isLessThan(170);
            int through = succeeded(served, served.gateway.uri() + "/v1/chat/completions", 1_000);
            assertThat(through).isGreaterThanOrEqualTo(999);
        }
    }

    /** Every second call is streamed; a stream succeeds if it says that it is done. */
    private static int succeeded(Served served, String uri, int calls) throws InterruptedException {
        var good = new AtomicInteger();
        var next = new AtomicInteger();
        Thread[] workers = new Thread[16];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = Thread.startVirtualThread(() -> {
                for (int call = next.getAndIncrement(); call < calls; call = next.getAndIncrement()) {
                    if (succeeds(served, uri, call)) {
                        good.incrementAndGet();
                    }
                }
            });
        }
        for (Thread worker : workers) {
            worker.join();
        }
        return good.get();
    }

    private static boolean succeeds(Served served, String uri, int call) {
        boolean streamed = call % 2 == 0;
        boolean direct = !uri.startsWith(served.gateway.uri().toString());
        HttpRequest request = HttpRequest.newBuilder(java.net.URI.create(uri))
                .header("Content-Type", "application/json")
                .timeout(direct ? Duration.ofSeconds(1) : Duration.ofMinutes(2))
                .POST(HttpRequest.BodyPublishers.ofString((streamed ? STREAM : CHAT)
                        .replace("one two three", "one two three, " + (direct ? "direct " : "") + "call " + call)))
                .build();
        try {
            HttpResponse<String> response = served.http.send(request, BodyHandlers.ofString());
            return response.statusCode() == 200 && response.body().contains(streamed ? "[DONE]" : "one two three");
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aStopLetsCallsUnderWayEndAndTakesNoMore() throws Exception {
        var held = new Held();
        try (Served served = Served.by(held.script(), "stop: {wait: 0s, drain: 120s}")) {
            var under = served.http.sendAsync(
                    served.post("/v1/chat/completions", CHAT).build(), BodyHandlers.ofString());
            Eventually.holds(() -> served.provider.requests().size() == 1);
            Thread stopping = Thread.startVirtualThread(() -> {
                try {
                    served.gateway.stop();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            Eventually.holds(() -> served.send(served.request("/health/ready")).statusCode() == 503);
            Eventually.holds(() -> served.chat().statusCode() == 503);
            assertThat(under).isNotDone();
            held.letGo();
            assertThat(under.get().statusCode()).isEqualTo(200);
            stopping.join();
        }
    }

    private static Socket connect(Served served) throws IOException {
        return new Socket("127.0.0.1", served.gateway.uri().getPort());
    }

    private static byte[] raw(Served served, String body) {
        return ("POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:"
                        + served.gateway.uri().getPort() + "\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
    }
}
