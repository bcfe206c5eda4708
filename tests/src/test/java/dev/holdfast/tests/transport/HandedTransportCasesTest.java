package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.await;
import static dev.holdfast.tests.transport.Exchanging.failure;
import static dev.holdfast.tests.transport.Exchanging.fetch;
import static dev.holdfast.tests.transport.Exchanging.post;
import static dev.holdfast.tests.transport.Exchanging.readFailure;
import static dev.holdfast.tests.transport.Exchanging.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.Bytes;
import dev.holdfast.Delivery;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.transport.JdkTransport;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Failures that were reported elsewhere, as far as transport and provider alone decide them. */
class HandedTransportCasesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> CAPABILITIES = Set.of("http-transport", "fault-server");

    private final JdkTransport transport = new JdkTransport();

    @AfterEach
    void closeTransport() {
        transport.close();
    }

    @TestFactory
    Stream<DynamicTest> reportedFailures() throws IOException {
        JsonNode cases = JSON.readTree(getClass().getResourceAsStream("/cases/handed.json"));
        List<JsonNode> ours = elements(cases)
                .filter(one -> CAPABILITIES.contains(one.path("capability").asText()))
                .toList();
        assertThat(ours).hasSize(8);
        return ours.stream().map(one -> DynamicTest.dynamicTest(title(one), () -> play(one)));
    }

    private static String title(JsonNode one) {
        return one.path("id").asText() + " " + one.path("source").asText().replaceFirst("^.*? - ", "");
    }

    private void play(JsonNode one) throws Exception {
        JsonNode given = one.path("given");
        JsonNode expect = one.path("expect");
        switch (given.path("kind").asText()) {
            case "raw_server" -> {
                if (given.has("scheme")) {
                    offersNoUpgrade(expect);
                } else {
                    repeatsNothing(expect);
                }
            }
            case "redirect" -> followsRedirects(given, expect);
            case "error_table" -> keepsTheStatus(given, expect);
            case "exchange_sequence" -> leaksNoConnection(expect);
            case "server_contract" -> keepsTheServersContract(given, expect);
            default -> throw new AssertionError("unknown kind: " + given.path("kind"));
        }
    }

    private void offersNoUpgrade(JsonNode expect) throws Exception {
        Reply missing = Reply.error(400, "invalid_request_error", "missing", "missing body");
        for (Reply toUpgrade : List.of(missing, Reply.hang())) {
            var script = FaultScript.answering(
                    request -> request.headers().first("Upgrade").isPresent() ? toUpgrade : Reply.completion("ok"));
            try (var provider = FaultyProvider.start(script);
                    var reply = transport.send(post(provider))) {
                assertThat(reply.status()).isEqualTo(200);
                ProviderRequest request = provider.requests().getFirst();
                assertThat(request.body().toUtf8()).isEqualTo(Exchanging.PROMPT);
                assertThat(expect.path("request_headers_absent"))
                        .isNotEmpty()
                        .allSatisfy(absent -> assertThat(request.headers().all(absent.asText()))
                                .isEmpty());
            }
        }
    }

    private void repeatsNothing(JsonNode expect) throws Exception {
        Reply half = Reply.completion("half of this arrives");
        try (var provider = FaultyProvider.start(
                        FaultScript.always(half.resetAfter(half.body().size() / 2)));
                var reply = transport.send(post(provider))) {
            TransportException failed = readFailure(reply);
            assertThat(failed.fault()).isIn(Fault.RESET, Fault.CUT);
            assertThat(failed.delivery()).isEqualTo(Delivery.AMBIGUOUS);
            assertThat(provider.requests())
                    .hasSize(expect.path("requests_seen_by_server").asInt());
        }
        Reply later = Reply.reset().withDelay(Duration.ofMillis(300));
        try (var provider = FaultyProvider.start(FaultScript.always(later))) {
            TransportException failed = failure(transport, post(provider));
            assertThat(failed.fault()).isEqualTo(Fault.RESET);
            assertThat(failed.delivery()).isEqualTo(Delivery.AMBIGUOUS);
            assertThat(provider.requests())
                    .hasSize(expect.at("/variant_expect/0/requests_seen_by_server")
                            .asInt());
        }
    }

    private void followsRedirects(JsonNode given, JsonNode expect) throws Exception {
        for (int i = 0; i < given.path("rows").size(); i++) {
            followsRedirect(given.path("rows").get(i), expect.path("rows").get(i));
        }
    }

    private void followsRedirect(JsonNode row, JsonNode expect) throws Exception {
        String location = row.path("location").asText();
        try (var provider = FaultyProvider.start(FaultScript.answering(request -> redirect(request, row)))) {
            if (expect.path("outcome").asText().equals("success")) {
                assertThat(fetch(transport, post(provider))).contains("chat.completion");
                ProviderRequest last = provider.requests().getLast();
                assertThat(last.method()).isEqualTo("POST");
                assertThat(last.path()).isEqualTo("/v2/chat/completions");
                assertThat(last.body().toUtf8()).isEqualTo(Exchanging.PROMPT);
                assertThat(last.headers().all("Authorization")).containsExactly("Bearer k");
            } else {
                URI start = location.equals("/loop")
                        ? provider.uri().resolve("/loop")
                        : post(provider).uri();
                TransportException refused = failure(transport, post(start, Exchanging.PROMPT));
                assertThat(refused.fault()).isEqualTo(Fault.REDIRECT_REFUSED);
                assertThat(provider.requests().size())
                        .isLessThanOrEqualTo(expect.path("requests_max").asInt(1));
            }
        }
    }

    private static Reply redirect(ProviderRequest request, JsonNode row) {
        if (request.path().startsWith("/v2/")) {
            return Reply.completion("ok");
        }
        String host = request.headers().first("Host").orElseThrow();
        return Reply.status(row.path("status").asInt())
                .withHeader("Location", row.path("location").asText().replace("SAME:PORT", host));
    }

    private void keepsTheStatus(JsonNode given, JsonNode expect) throws Exception {
        JsonNode limited = given.path("rows").get(0);
        try (var provider = FaultyProvider.start(FaultScript.of(coded(limited)));
                var reply = transport.send(post(provider))) {
            assertThat(reply.status()).isEqualTo(limited.path("status").asInt());
            assertThat(reply.headers().first("retry-after")).hasValue("2");
            assertThat(JSON.readTree(text(reply)).at("/error/message").asText())
                    .isEqualTo(expect.at("/rows/0/message").asText());
        }
        JsonNode broken = given.path("rows").get(1);
        try (var provider = FaultyProvider.start(FaultScript.of(coded(broken)));
                var reply = transport.send(post(provider))) {
            assertThat(reply.status()).isEqualTo(broken.path("status").asInt());
            assertThat(readFailure(reply).fault()).isEqualTo(Fault.CUT);
        }
    }

    private static Reply coded(JsonNode row) {
        int status = row.path("status").asInt();
        Reply reply = row.has("json_gzip")
                ? Reply.status(status)
                        .withBody(Bytes.utf8(row.path("json_gzip").toString()))
                        .gzipped()
                : Reply.status(status)
                        .withBody(Bytes.of(
                                HexFormat.of().parseHex(row.path("body_hex").asText())));
        for (JsonNode header : row.path("headers")) {
            reply = reply.withHeader(header.get(0).asText(), header.get(1).asText());
        }
        return reply;
    }

    private void leaksNoConnection(JsonNode expect) throws Exception {
        Reply unavailable = Reply.status(503).withBody(Bytes.of(new byte[64 << 10]));
        var script = FaultScript.answering(request -> request.number() % 2 == 1 ? unavailable : Reply.completion("ok"));
        try (var provider = FaultyProvider.start(script)) {
            for (int i = 0; i < 200; i++) {
                transport.send(post(provider)).close();
                assertThat(fetch(transport, post(provider))).contains("chat.completion");
            }
            int most = expect.path("connections_open_at_end_max").asInt();
            await(() -> provider.connectionsOpen() <= most);
        }
    }

    private void keepsTheServersContract(JsonNode given, JsonNode expect) throws Exception {
        if (given.has("fault")) {
            saysWhenToComeAgain(given, expect);
        } else if (expect.has("usage_chunk")) {
            sendsUsageWhenAsked(given, expect);
        } else {
            for (JsonNode request : given.path("requests")) {
                assertThat(answer(request).status())
                        .isEqualTo(expect.path("status").asInt());
            }
        }
    }

    private record Answer(int status, String body) {}

    private Answer answer(JsonNode partial) throws Exception {
        ObjectNode whole = (ObjectNode) JSON.readTree(Exchanging.PROMPT);
        whole.setAll((ObjectNode) partial);
        try (var provider = FaultyProvider.start()) {
            TransportCall call = post(URI.create(provider.baseUrl() + "/chat/completions"), whole.toString());
            try (TransportReply reply = transport.send(call)) {
                return new Answer(reply.status(), text(reply));
            }
        }
    }

    private void sendsUsageWhenAsked(JsonNode given, JsonNode expect) throws Exception {
        var usage = new ArrayList<Boolean>();
        for (JsonNode request : given.path("requests")) {
            List<String> events = List.of(answer(request).body().strip().split("\n\n"));
            assertThat(events.getLast()).isEqualTo("data: [DONE]");
            JsonNode last = JSON.readTree(events.get(events.size() - 2).substring("data: ".length()));
            usage.add(last.path("usage").isObject());
            JsonNode finish = last.path("usage").isObject()
                    ? JSON.readTree(events.get(events.size() - 3).substring("data: ".length()))
                    : last;
            assertThat(finish.at("/choices/0/finish_reason").asText()).isEqualTo("stop");
            assertThat(last.path("choices")).hasSize(last.path("usage").isObject() ? 0 : 1);
        }
        assertThat(usage)
                .containsExactlyElementsOf(elements(expect.path("usage_chunk"))
                        .map(JsonNode::asBoolean)
                        .toList());
    }

    private void saysWhenToComeAgain(JsonNode given, JsonNode expect) throws Exception {
        Duration after = Duration.ofMillis(given.at("/fault/retry_after_ms").asLong());
        Reply plain = Reply.status(given.at("/fault/status").asInt())
                .withRateLimit(given.at("/fault/x_ratelimit/remaining").asLong(), after);
        Headers seconds = headers(plain.withRetryAfter(after, Reply.RetryAfterForm.SECONDS));
        assertThat(seconds.first("Retry-After"))
                .hasValue(expect.at("/headers/seconds/retry_after").asText());
        assertThat(seconds.first("x-ratelimit-remaining-requests")).hasValue("0");
        assertThat(seconds.first("x-ratelimit-reset-requests")).hasValue("1.5s");

        Instant now = Instant.now();
        String date = headers(plain.withRetryAfter(after, Reply.RetryAfterForm.HTTP_DATE))
                .first("Retry-After")
                .orElseThrow();
        assertThat(date).matches("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT");
        Instant said = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT))
                .toInstant();
        assertThat(said)
                .isAfterOrEqualTo(now.plus(after))
                .isBefore(Instant.now().plus(after).plus(1, ChronoUnit.SECONDS));

        Headers millis = headers(plain.withRetryAfter(after, Reply.RetryAfterForm.MILLISECONDS));
        assertThat(millis.first("retry-after-ms"))
                .hasValue(expect.at("/headers/retry_after_ms").asText());
        assertThat(headers(plain.withHeader("Retry-After", "so\u00f6n; -1")).first("Retry-After"))
                .hasValue("so\u00f6n; -1");
    }

    private Headers headers(Reply scripted) throws Exception {
        try (var provider = FaultyProvider.start(FaultScript.of(scripted.withBody(JsonValue.of("x"))));
                var reply = transport.send(post(provider))) {
            return reply.headers();
        }
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
