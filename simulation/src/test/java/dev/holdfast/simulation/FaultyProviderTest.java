package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class FaultyProviderTest {
    private static final String PROMPT = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"say it\"}]}";
    private static final Duration LONG = Duration.ofMinutes(10);

    @Test
    void echoesTheLastUserMessage() throws Exception {
        try (var provider = FaultyProvider.start();
                var client = new RawClient(provider.uri())) {
            String answer = client.send(RawClient.post(PROMPT)).readUntil("}}");
            assertThat(answer)
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("\"content\":\"say it\"", "\"model\":\"m\"", "\"total_tokens\":6");
            assertThat(provider.executions()).isEqualTo(1);
        }
    }

    @Test
    void keepsAConnectionForFurtherRequests() throws Exception {
        Reply slow = Reply.completion("ok").withDelay(Duration.ofMillis(20));
        try (var provider = FaultyProvider.start(FaultScript.always(slow));
                var client = new RawClient(provider.uri())) {
            for (int number = 1; number <= 3; number++) {
                client.send(RawClient.post("{}")).readUntil("}}");
                assertThat(provider.connectionOf(number)).isEqualTo(1);
            }
            assertThat(provider.requests()).hasSize(3);
            assertThat(provider.connectionsOpened()).isEqualTo(1);
        }
    }

    @Test
    void answersRequestsThatWereSentTogetherInTheirOrder() throws Exception {
        Reply first = Reply.status(503).withDelay(Duration.ofMillis(30));
        try (var provider = FaultyProvider.start(FaultScript.of(first, Reply.status(500)));
                var client = new RawClient(provider.uri())) {
            client.send(RawClient.post("{}") + RawClient.post("{}"));
            assertThat(client.readUntil("}}")).contains(" 503 ");
            assertThat(client.readUntil("}}")).contains(" 500 ");
        }
    }

    @Test
    void asksForTheBodyWhenTheClientWaitsForAWord() throws Exception {
        try (var provider = FaultyProvider.start();
                var client = new RawClient(provider.uri())) {
            String head = RawClient.post(PROMPT).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n");
            client.send(head.substring(0, head.length() - PROMPT.length()));
            assertThat(client.readUntil("\r\n\r\n")).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(client.send(PROMPT).readUntil("}}")).contains(" 200 ", "say it");
        }
    }

    @Test
    void readsAChunkedBodyWithExtensionsAndTrailers() throws Exception {
        try (var provider = FaultyProvider.start();
                var client = new RawClient(provider.uri())) {
            client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "3;a=b\r\nabc\r\n00A\r\n0123456789\r\n0\r\nX-Trailer: t\r\n\r\n")
                    .readUntil("}}");
            assertThat(provider.requests().getFirst().body()).isEqualTo(Bytes.utf8("abc0123456789"));
        }
    }

    @Test
    void listsItsModelsAndKnowsNoOtherPath() throws Exception {
        try (var provider = FaultyProvider.start();
                var client = new RawClient(provider.uri())) {
            assertThat(client.send("GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n").readUntil("]}"))
                    .contains(" 200 ", "\"object\":\"list\"");
            assertThat(client.send("GET /v1/else HTTP/1.1\r\nHost: x\r\n\r\n").readUntil("}}"))
                    .contains(" 404 ", "\"error\"");
            assertThat(client.send("GET http://x/v1/models?a=b HTTP/1.1\r\nHost: x\r\n\r\n")
                            .readUntil("]}"))
                    .contains(" 200 ");
            assertThat(client.send("DELETE /v1/models HTTP/1.1\r\nHost: x\r\n\r\n")
                            .readUntil("}}"))
                    .contains(" 405 ", "Allow: GET");
        }
    }

    @Test
    void refusesWhatIsNoCompletionRequest() throws Exception {
        try (var provider = FaultyProvider.start();
                var client = new RawClient(provider.uri())) {
            for (String body : List.of("", "{", "[]", "{}", "{\"model\":\"m\"}", "{\"model\":1,\"messages\":[{}]}")) {
                assertThat(client.send(RawClient.post(body)).readUntil("}}")).contains(" 400 ", "\"error\"");
            }
            assertThat(provider.executions()).isZero();
        }
    }

    @Test
    void refusesWhatIsNoHttpRequestAndLetsItNotReachTheScript() throws Exception {
        try (var provider = FaultyProvider.start()) {
            String post = "POST / HTTP/1.1\r\nHost: x\r\n";
            assertThat(answer(provider, "\0\1\2garbage\r\n\r\n")).contains(" 400 ");
            assertThat(answer(provider, "\r\n\r\n\r\n\r\n\r\n")).contains(" 400 ");
            assertThat(answer(provider, "POST / HTTP/1.1\r\n\r\n")).contains(" 400 ");
            assertThat(answer(provider, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).contains(" 505 ");
            assertThat(answer(provider, post + "No colon\r\n\r\n")).contains(" 400 ");
            assertThat(answer(provider, post + "A: b\r\n folded\r\n\r\n")).contains(" 400 ");
            assertThat(answer(provider, post + "Content-Length: -1\r\n\r\n")).contains(" 400 ");
            assertThat(answer(provider, post + "Content-Length: 9999999999\r\n\r\n"))
                    .contains(" 413 ");
            assertThat(answer(provider, post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"))
                    .contains(" 400 ");
            assertThat(answer(provider, post + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"))
                    .contains(" 400 ");
            assertThat(answer(provider, post + "Transfer-Encoding: gzip\r\n\r\n"))
                    .contains(" 501 ");
            assertThat(answer(provider, post + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n"))
                    .contains(" 400 ");
            assertThat(answer(provider, post + "Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n"))
                    .contains(" 400 ");
            assertThat(answer(provider, post + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n"))
                    .contains(" 413 ");
            assertThat(answer(provider, post + "Expect: a miracle\r\n\r\n")).contains(" 417 ");
            assertThat(answer(provider, post + "X: " + "y".repeat(70_000) + "\r\n\r\n"))
                    .contains(" 431 ");
            assertThat(provider.requests()).isEmpty();
            assertThat(answer(provider, RawClient.post(PROMPT))).contains(" 200 ");
            await(() -> provider.connectionsOpen() == 0);
        }
    }

    private static String answer(FaultyProvider provider, String request) throws IOException {
        try (var client = new RawClient(provider.uri())) {
            return client.send(request).endOutput().readToEnd();
        }
    }

    @Test
    void sendsNoBodyToAHead() throws Exception {
        try (var provider = FaultyProvider.start(FaultScript.always(Reply.completion("ok")))) {
            assertThat(answer(provider, "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                    .contains("Content-Length: ")
                    .endsWith("\r\n\r\n");
        }
    }

    @Test
    void sendsHeadersByteForByteAndAnyBytesInsteadOfHttp() throws Exception {
        Reply odd = Reply.status(429).withHeaders(Headers.of("retry-After", "\t\u00fc soon ", "retry-after", "2"));
        Reply garbage = Reply.garbage(Bytes.utf8("\0no http"));
        try (var provider = FaultyProvider.start(FaultScript.of(odd, garbage));
                var client = new RawClient(provider.uri())) {
            assertThat(client.send(RawClient.post("{}")).readUntil("}}"))
                    .contains("\r\nretry-After: \t\u00fc soon \r\nretry-after: 2\r\n");
            assertThat(client.send(RawClient.post("{}")).readToEnd()).isEqualTo("\0no http");
        }
    }

    @Test
    void liesAboutTheLengthWhenTold() throws Exception {
        Reply text = Reply.of(200, Headers.empty(), Bytes.utf8("abc"));
        try (var provider =
                FaultyProvider.start(FaultScript.of(text.withContentLength(7), text.withContentLength(1)))) {
            assertThat(answer(provider, RawClient.post("{}")))
                    .contains("\r\nContent-Length: 7\r\n")
                    .endsWith("\r\n\r\nabc");
            assertThat(answer(provider, RawClient.post("{}")))
                    .contains("\r\nContent-Length: 1\r\n")
                    .endsWith("\r\n\r\nabc");
        }
    }

    @Test
    void endsAnExchangeAsTold() throws Exception {
        Reply text = Reply.of(200, Headers.empty(), Bytes.utf8("abcdef"));
        var script =
                FaultScript.of(text.cutAfter(2), text.resetAfter(2), text.hangAfter(2), Reply.cut(), Reply.reset());
        try (var provider = FaultyProvider.start(script)) {
            try (var client = new RawClient(provider.uri())) {
                assertThat(client.send(RawClient.post("{}")).readToEnd()).endsWith("\r\n\r\nab");
            }
            try (var client = new RawClient(provider.uri())) {
                client.send(RawClient.post("{}")).readUntil("\r\n\r\nab");
                assertThatThrownBy(client::readToEnd).isInstanceOf(SocketException.class);
            }
            try (var client = new RawClient(provider.uri())) {
                client.send(RawClient.post("{}")).readUntil("\r\n\r\nab");
                assertThat(provider.connectionsOpen()).isPositive();
            }
            try (var client = new RawClient(provider.uri())) {
                assertThat(client.send(RawClient.post("{}")).readToEnd()).isEmpty();
            }
            try (var client = new RawClient(provider.uri())) {
                client.send(RawClient.post("{}"));
                assertThatThrownBy(client::readToEnd).isInstanceOf(SocketException.class);
            }
            assertThat(provider.executions()).isEqualTo(5);
            await(() -> provider.connectionsOpen() == 0);
        }
    }

    @Test
    void noticesAClientThatLeavesDuringADelayOrAPause() throws Exception {
        Reply pausing = Reply.stream("a", "b").withPauses(LONG);
        var script = FaultScript.of(Reply.completion("ok").withDelay(LONG), pausing, Reply.hang());
        try (var provider = FaultyProvider.start(script)) {
            for (int number = 1; number <= 3; number++) {
                int seen = number;
                try (var client = new RawClient(provider.uri())) {
                    client.send(RawClient.post("{}"));
                    await(() -> provider.requests().size() == seen);
                }
                await(() -> provider.connectionsOpen() == 0);
            }
        }
    }

    @Test
    void makesAScriptThatThrowsVisible() throws Exception {
        var script = FaultScript.answering(request -> {
            throw new IllegalStateException("no idea");
        });
        try (var provider = FaultyProvider.start(script)) {
            assertThat(answer(provider, RawClient.post("{}"))).contains(" 500 ", "script_failed", "no idea");
        }
    }

    @Test
    void leavesNoConnectionAndNoPortBehindWhenClosed() throws Exception {
        var provider = FaultyProvider.start(FaultScript.always(Reply.hang()));
        try (var idle = new RawClient(provider.uri());
                var hanging = new RawClient(provider.uri())) {
            hanging.send(RawClient.post("{}"));
            await(() -> provider.requests().size() == 1 && provider.connectionsOpen() == 2);
            provider.close();
            provider.close();
            assertThat(provider.connectionsOpen()).isZero();
            assertThat(idle.readToEnd()).isEmpty();
            assertThatThrownBy(() -> new RawClient(provider.uri()).close()).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void saysWhichPortIsTaken() {
        try (var provider = FaultyProvider.start()) {
            int port = provider.uri().getPort();
            assertThatThrownBy(() -> FaultyProvider.start(FaultScript.healthy(), port))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("port: " + port + " (expected: a free one)");
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited in vain").isLessThan(deadlineNanos);
            Thread.sleep(2);
        }
    }
}
