package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is for no model is passed on as it is. */
@Timeout(120)
class PassThroughTest {
    private static final String KEY = "client-secret-91ab";
    private static final String PASSING =
            "api-keys: [{sha256: \"" + Served.sha256(KEY) + "\", name: web, pass-through: true, rpm: 2}]";
    private static final String ONLY_MODELS = "api-keys: [{sha256: \"" + Served.sha256(KEY) + "\", name: web}]";

    private static Reply echo(ProviderRequest request) {
        return Reply.json(
                200,
                JsonObject.of("method", JsonValue.of(request.method())).with("path", JsonValue.of(request.path())));
    }

    private static ProviderRequest last(Served served) {
        return served.provider.requests().getLast();
    }

    @Test
    void whatIsReadAndDeletedReachesTheFirstEndpointOfTheApi() {
        try (Served served = Served.by(FaultScript.answering(PassThroughTest::echo))) {
            HttpResponse<String> read = served.send(served.request("/v1/files/file-1/content?after=a%2Fb&limit=2"));
            assertThat(read.statusCode()).as(read.body()).isEqualTo(200);
            assertThat(Served.json(read).text("method")).contains("GET");
            assertThat(Served.json(read).text("path")).contains("/v1/files/file-1/content?after=a%2Fb&limit=2");
            assertThat(read.headers().firstValue("content-type")).contains("application/json");
            assertThat(read.headers().firstValue("x-holdfast-endpoint")).contains("up");
            assertThat(read.headers().firstValue("x-holdfast-attempts")).contains("1");
            assertThat(read.headers().firstValue("x-request-id")).isPresent();
            HttpResponse<String> deleted =
                    served.send(served.request("/v1/responses/resp_1").DELETE());
            assertThat(Served.json(deleted).text("method")).contains("DELETE");
            assertThat(Served.json(deleted).text("path")).contains("/v1/responses/resp_1");
        }
    }

    @Test
    void whatIsOfAnthropicsApiReachesItsEndpoint() {
        try (Served served = Served.by(FaultScript.answering(PassThroughTest::echo))) {
            HttpResponse<String> read = served.send(served.request("/v1/messages/batches?limit=1"));
            assertThat(Served.json(read).text("path")).contains("/v1/messages/batches?limit=1");
            assertThat(read.headers().firstValue("x-holdfast-endpoint")).contains("claude");
            assertThat(last(served).headers().first("x-api-key")).contains(Served.UPSTREAM_KEY);
            assertThat(last(served).headers().first("anthropic-version")).isPresent();
        }
    }

    @Test
    void theKeyOfTheClientStaysHereAndWhatNamesAFormGoesOn() {
        try (Served served = Served.by(FaultScript.answering(PassThroughTest::echo), PASSING)) {
            served.send(served.request("/v1/files")
                    .header("Authorization", "Bearer " + KEY)
                    .header("Cookie", "a=b")
                    .header("X-Forwarded-For", "10.0.0.1")
                    .header("TE", "trailers")
                    .header("OpenAI-Beta", "assistants=v2"));
            Headers sent = last(served).headers();
            assertThat(sent.first("Authorization")).contains("Bearer " + Served.UPSTREAM_KEY);
            assertThat(sent.first("OpenAI-Beta")).contains("assistants=v2");
            assertThat(sent.fields().toString()).doesNotContain(KEY, "a=b", "10.0.0.1", "trailers");
            assertThat(sent.first("Content-Type")).isEmpty();
        }
    }

    @Test
    void whatOnlyTheConnectionOrTheAccountIsAboutDoesNotComeBack() {
        Reply reply = Reply.json(200, JsonObject.empty())
                .withHeader("Set-Cookie", "session=1")
                .withHeader("OpenAI-Organization", "org-1")
                .withHeader("Access-Control-Allow-Origin", "*")
                .withHeader("ETag", "\"1\"");
        try (Served served = Served.by(FaultScript.always(reply))) {
            HttpResponse<String> read = served.send(served.request("/v1/files"));
            assertThat(read.headers().map())
                    .doesNotContainKeys("set-cookie", "openai-organization", "access-control-allow-origin");
            assertThat(read.headers().firstValue("etag")).contains("\"1\"");
        }
    }

    @Test
    void aKeyWithoutPassThroughReadsNothing() {
        try (Served served = Served.by(FaultScript.answering(PassThroughTest::echo), ONLY_MODELS)) {
            HttpResponse<String> refused =
                    served.send(served.request("/v1/files").header("Authorization", "Bearer " + KEY));
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(Served.error(refused).text("message").orElseThrow()).contains("pass-through: true");
            assertThat(served.send(served.request("/v1/files")).statusCode()).isEqualTo(401);
            assertThat(served.provider.requests()).isEmpty();
        }
    }

    @Test
    void theLimitOfAKeyCountsThese() {
        try (Served served = Served.by(FaultScript.answering(PassThroughTest::echo), PASSING)) {
            var read = served.request("/v1/files").header("Authorization", "Bearer " + KEY);
            assertThat(served.send(read).statusCode()).isEqualTo(200);
            assertThat(served.send(read).statusCode()).isEqualTo(200);
            HttpResponse<String> third = served.send(read);
            assertThat(third.statusCode()).isEqualTo(429);
            assertThat(third.headers().firstValue("retry-after")).isPresent();
        }
    }

    @Test
    void aFailureOfTheProviderIsTriedAgain() {
        FaultScript script =
                FaultScript.of(Reply.status(503), Reply.status(500)).thenAnswering(PassThroughTest::echo);
        try (Served served = Served.by(script)) {
            HttpResponse<String> read = served.send(served.request("/v1/files/file-1"));
            assertThat(read.statusCode()).as(read.body()).isEqualTo(200);
            assertThat(read.headers().firstValue("x-holdfast-attempts")).contains("3");
        }
    }

    @Test
    void anAnswerThatNobodyCanMendIsPassedOn() {
        Reply missing = Reply.error(404, "invalid_request_error", "not_found", "No such File object: file-1");
        try (Served served = Served.by(FaultScript.always(missing))) {
            HttpResponse<String> read = served.send(served.request("/v1/files/file-1"));
            assertThat(read.statusCode()).isEqualTo(404);
            assertThat(read.body()).contains("No such File object");
            assertThat(read.headers().firstValue("x-should-retry")).contains("false");
            assertThat(served.provider.requests()).hasSize(1);
        }
    }

    @Test
    void aWaitThatTheProviderAsksForIsKeptToOrNotBegun() {
        try (Served served = Served.by(FaultScript.always(Reply.rateLimited(Duration.ofMinutes(30))))) {
            HttpResponse<String> read = served.send(served.request("/v1/files"));
            assertThat(read.statusCode()).isEqualTo(429);
            assertThat(read.headers().firstValue("retry-after")).contains("1800");
            assertThat(served.provider.requests()).hasSize(1);
        }
    }

    @Test
    void aRefusedKeyIsTheGatewaysAndIsNotQuoted() {
        Reply refused =
                Reply.error(401, "invalid_request_error", "invalid_api_key", "Incorrect API key: upst******5e1f");
        try (Served served = Served.by(FaultScript.always(refused))) {
            HttpResponse<String> read = served.send(served.request("/v1/files"));
            assertThat(read.statusCode()).isEqualTo(502);
            assertThat(read.body()).doesNotContain("5e1f");
        }
    }

    @Test
    void anEndpointThatOnlyFailsIsLeftAlone() {
        String more = "breaker: {consecutive-failures: 3, open-for: 10m}\nretry: {max-attempts: 1}";
        try (Served served = Served.by(FaultScript.always(Reply.status(500)), more)) {
            for (int i = 0; i < 3; i++) {
                assertThat(served.send(served.request("/v1/files")).statusCode())
                        .isEqualTo(500);
            }
            HttpResponse<String> rejected = served.send(served.request("/v1/files"));
            assertThat(rejected.statusCode()).isEqualTo(503);
            assertThat(Served.error(rejected).text("code")).contains("circuit_open");
            assertThat(rejected.headers().firstValue("retry-after")).isPresent();
            served.gateway.reload(Served.settings(served.provider, more + "\nmax-body: 1MiB"));
            assertThat(served.send(served.request("/v1/files")).statusCode()).isEqualTo(503);
            assertThat(served.provider.requests()).hasSize(3);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/%2e%2e/admin",
                "/v1/files/%2E%2E/%2e%2e/admin",
                "/v1/files/..%2f..%2fadmin",
                "/v1/a/..%5c..%5cb"
            })
    void noPathLeadsOutOfTheApi(String path) {
        try (Served served = Served.by(FaultScript.answering(PassThroughTest::echo))) {
            assertThat(served.send(served.request(path)).statusCode()).isEqualTo(404);
            assertThat(served.provider.requests()).isEmpty();
        }
    }

    @Test
    void chatsAreOnlyPosted() {
        try (Served served = Served.by(FaultScript.healthy())) {
            HttpResponse<String> read = served.send(served.request("/v1/chat/completions"));
            assertThat(read.statusCode()).isEqualTo(405);
            assertThat(read.headers().firstValue("allow")).contains("POST");
            HttpResponse<String> put = served.send(
                    served.request("/v1/files").method("PUT", java.net.http.HttpRequest.BodyPublishers.noBody()));
            assertThat(put.statusCode()).isEqualTo(405);
            assertThat(put.headers().firstValue("allow")).contains("GET, HEAD, POST, DELETE");
        }
    }

    @Test
    void whatIsLargeIsPassedOnAsItComes() {
        Bytes large = Bytes.utf8("0123456789abcdef".repeat(1 << 17));
        try (Served served =
                Served.by(FaultScript.always(Reply.of(200, Headers.of("Content-Type", "application/jsonl"), large)))) {
            HttpResponse<String> read = served.send(served.request("/v1/files/file-1/content"));
            assertThat(read.statusCode()).isEqualTo(200);
            assertThat(read.headers().firstValue("content-type")).contains("application/jsonl");
            assertThat(Bytes.utf8(read.body())).isEqualTo(large);
        }
    }

    @Test
    void whatBreaksOffIsNoWholeAnswer() {
        Bytes large = Bytes.utf8("0123456789abcdef".repeat(1 << 17));
        Reply broken = Reply.of(200, Headers.of("Content-Type", "application/jsonl"), large)
                .cutAfter(1 << 20);
        try (Served served = Served.by(FaultScript.always(broken))) {
            assertThatThrownBy(() -> served.http.send(
                            served.request("/v1/files/file-1/content").build(), BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
            assertThat(served.send(served.request("/health/live")).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aStreamWithoutAFormIsPassedOn() {
        List<Chunk> events = Stream.of(
                        "event: response.created\ndata: {\"type\":\"response.created\"}\n\n",
                        "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"hi\"}\n\n",
                        "event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\"}}\n\n")
                .map(Chunk::of)
                .toList();
        FaultScript script = FaultScript.of(Reply.status(503)).thenAnswering(request -> Reply.events(events));
        try (Served served = Served.by(script)) {
            HttpResponse<String> streamed =
                    served.send(served.post("/v1/responses", "{\"model\":\"m\",\"stream\":true,\"input\":\"x\"}"));
            assertThat(streamed.statusCode()).as(streamed.body()).isEqualTo(200);
            assertThat(streamed.headers().firstValue("content-type")).contains("text/event-stream");
            assertThat(streamed.headers().firstValue("x-holdfast-attempts")).contains("2");
            assertThat(streamed.body())
                    .contains("event: response.created", "\"delta\":\"hi\"", "event: response.completed");
        }
    }
}
