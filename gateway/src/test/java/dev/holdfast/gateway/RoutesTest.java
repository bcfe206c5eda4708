package dev.holdfast.gateway;

import static dev.holdfast.gateway.Served.CHAT;
import static dev.holdfast.gateway.Served.STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each route over real sockets. */
class RoutesTest {
    @Test
    void aChatIsAnsweredThroughFailuresAndSaysHow() {
        FaultScript script = FaultScript.of(Reply.status(503), Reply.status(500));
        try (Served served = Served.by(script)) {
            HttpResponse<String> response = served.chat();
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            assertThat(text(Served.json(response))).isEqualTo("one two three");
            assertThat(response.headers().firstValue("content-type")).contains("application/json");
            assertThat(response.headers().firstValue("x-holdfast-model")).contains("m");
            assertThat(response.headers().firstValue("x-holdfast-endpoint")).contains("up");
            assertThat(response.headers().firstValue("x-holdfast-attempts")).contains("3");
            assertThat(response.headers().firstValue("x-holdfast-fallbacks")).contains("0");
            assertThat(response.headers().firstValue("x-holdfast-cache")).contains("bypass");
            assertThat(response.headers().firstValue("x-holdfast-degraded")).contains("false");
            assertThat(response.headers().firstValue("x-request-id")).isPresent();
            assertThat(response.headers().firstValue("idempotency-key")).isPresent();
            assertThat(served.provider.requests()).hasSize(3);
        }
    }

    @Test
    void aPriceIsTurnedIntoACost() {
        String models = "models: {m: {endpoints: [up], price: {input: 2, output: 8}}}";
        try (Served served = Served.by(FaultScript.healthy(), models)) {
            HttpResponse<String> response = served.chat();
            assertThat(response.headers().firstValue("x-holdfast-cost-usd").orElseThrow())
                    .matches("0\\.0000[0-9]+");
        }
    }

    @Test
    void aFallbackIsCountedAndNamed() {
        FaultScript script = FaultScript.answering(request ->
                request.json().orElseThrow().text("model").filter("m"::equals).isPresent()
                        ? Reply.status(503)
                        : FaultScript.healthy().reply(request));
        try (Served served =
                Served.by(script, "models: {m: {fallbacks: [other], endpoints: [up]}, other: {endpoints: [up]}}")) {
            HttpResponse<String> response = served.chat();
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("x-holdfast-model")).contains("other");
            assertThat(response.headers().firstValue("x-holdfast-fallbacks")).contains("1");
            HttpResponse<String> alone =
                    served.send(served.post("/v1/chat/completions", CHAT).header("x-holdfast-no-fallback", "true"));
            assertThat(alone.statusCode()).isEqualTo(503);
        }
    }

    @Test
    void unknownMembersOfRequestAndAnswerPassThrough() {
        JsonObject answer = JsonObject.of("id", JsonValue.of("x"))
                .with("new_member", JsonValue.of(7))
                .with(
                        "choices",
                        dev.holdfast.core.JsonText.parse("[{\"index\":0,\"message\":{\"role\":\"assistant\","
                                + "\"content\":\"hi\",\"odd\":true},\"finish_reason\":\"stop\"}]"));
        try (Served served = Served.by(FaultScript.always(Reply.json(200, answer)))) {
            String asked = CHAT.replace("{\"model\"", "{\"brand_new\":1.50,\"model\"");
            HttpResponse<String> response = served.send(served.post("/v1/chat/completions", asked));
            assertThat(Served.json(response)).isEqualTo(answer);
            assertThat(served.provider.requests().getFirst().body().toUtf8()).isEqualTo(asked);
        }
    }

    @Test
    void aStreamIsPassedOnAndEndsWithDone() {
        try (Served served = Served.by(FaultScript.of(Reply.status(503)))) {
            HttpResponse<String> response = served.send(served.post("/v1/chat/completions", STREAM));
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("content-type")).contains("text/event-stream");
            assertThat(response.headers().firstValue("x-holdfast-attempts")).contains("2");
            assertThat(response.headers().firstValue("x-holdfast-endpoint")).contains("up");
            assertThat(streamed(response.body())).isEqualTo("one two three");
            assertThat(response.body()).endsWith("data: [DONE]\n\n").doesNotContain("\"usage\":{");
        }
    }

    @Test
    void theHeadOfAStreamSaysWhatThatOfAnAnswerSaysButTheCost() {
        String models = "models: {m: {endpoints: [up], price: {input: 2, output: 8}}}";
        try (Served served = Served.by(FaultScript.healthy(), models)) {
            var whole = served.chat().headers().map().keySet();
            HttpResponse<String> stream = served.send(served.post("/v1/chat/completions", STREAM));
            assertThat(stream.headers().map().keySet())
                    .containsAll(whole.stream()
                            .filter(name -> name.startsWith("x-") || name.startsWith("idempotency"))
                            .filter(name -> !name.equals("x-holdfast-cost-usd"))
                            .toList());
            assertThat(stream.headers().firstValue("idempotency-key"))
                    .isEqualTo(stream.headers().firstValue("x-request-id"));
        }
    }

    @ParameterizedTest
    @CsvSource({"/v1/chat/completions, data: [DONE]", "/v1/messages, event: message_stop"})
    void theCostOfAStreamIsTheCommentBeforeItsEnd(String path, String end) {
        String models = "models: {m: {endpoints: [up], price: {input: 2, output: 8}}}";
        String asked = STREAM.replace("\"stream\":true", "\"stream\":true,\"max_tokens\":50");
        try (Served served = Served.by(FaultScript.healthy(), models)) {
            String body = served.send(served.post(path, asked)).body();
            String[] parts = body.split("(?m)^: x-holdfast-cost-usd: 0\\.0000[0-9]+$", -1);
            assertThat(parts).as(body).hasSize(2);
            assertThat(parts[0]).doesNotContain(end).endsWith("\n\n");
            assertThat(parts[1]).startsWith("\n\n").contains(end);
        }
    }

    @Test
    void theUsageOfAStreamIsToldToWhoAsks() {
        String asked = STREAM.replace("{\"model\"", "{\"stream_options\":{\"include_usage\":true},\"model\"");
        try (Served served = Served.by(FaultScript.healthy())) {
            HttpResponse<String> response = served.send(served.post("/v1/chat/completions", asked));
            assertThat(response.body()).contains("\"usage\":{\"prompt_tokens\"");
        }
    }

    @Test
    void theModelsAreListedAndFoundByName() {
        try (Served served =
                Served.by(FaultScript.healthy(), "models: {m: {endpoints: [up]}, \"a/b\": {endpoints: [up]}}")) {
            HttpResponse<String> all = served.send(served.request("/v1/models"));
            assertThat(Served.json(all).list("data"))
                    .extracting(each -> each.asObject().orElseThrow().text("id").orElseThrow())
                    .containsExactly("m", "a/b");
            assertThat(served.send(served.request("/v1/models/a/b")).statusCode())
                    .isEqualTo(200);
            assertThat(served.send(served.request("/v1/models/none")).statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void anEncodedBodyIsRefusedWithItsReason() {
        try (Served served = Served.by(FaultScript.healthy())) {
            HttpResponse<String> encoded =
                    served.send(served.post("/v1/chat/completions", CHAT).header("Content-Encoding", "gzip"));
            assertThat(encoded.statusCode()).isEqualTo(415);
            assertThat(Served.error(encoded).text("code")).contains("unsupported_encoding");
            assertThat(encoded.headers().firstValue("x-should-retry")).contains("false");
        }
    }

    @Test
    void aFailedCallSaysHowOftenItWasTriedAndWhatToRepeatItWith() {
        try (Served served = Served.by(FaultScript.always(Reply.status(503)), "retry: {max-attempts: 1}")) {
            HttpResponse<String> failed = served.chat();
            assertThat(failed.statusCode()).isEqualTo(503);
            assertThat(failed.headers().firstValue("x-holdfast-attempts")).contains("1");
            assertThat(failed.headers().firstValue("idempotency-key")).isPresent();
            assertThat(Served.error(failed).text("message").orElseThrow()).contains("after 1 attempt:");
            HttpResponse<String> named =
                    served.send(served.post("/v1/chat/completions", CHAT).header("idempotency-key", "mine"));
            assertThat(named.headers().firstValue("idempotency-key")).contains("mine");
        }
    }

    @Test
    void otherPathsOfTheApiPassUntranslated() {
        FaultScript script = FaultScript.answering(request -> Reply.json(
                200,
                JsonValue.JsonObject.of("object", JsonValue.of("list")).with("path", JsonValue.of(request.path()))));
        try (Served served = Served.by(script)) {
            HttpResponse<String> response =
                    served.send(served.post("/v1/embeddings", "{\"model\":\"m\",\"input\":\"x\"}"));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            assertThat(Served.json(response).text("path")).contains("/v1/embeddings");
            assertThat(response.headers().firstValue("x-holdfast-endpoint")).contains("up");
            HttpResponse<String> queried =
                    served.send(served.post("/v1/embeddings?a=b%20c", "{\"model\":\"m\",\"input\":\"x\"}"));
            assertThat(Served.json(queried).text("path")).contains("/v1/embeddings?a=b%20c");
            assertThat(served.send(served.post("/v1/%2e%2e/admin", "{\"model\":\"m\"}"))
                            .statusCode())
                    .isBetween(400, 404);
            assertThat(served.provider.requests()).hasSize(2);
        }
    }

    @Test
    void aRouteIsExplainedAndNothingIsSent() {
        try (Served served = Served.by(FaultScript.healthy())) {
            HttpResponse<String> response = served.send(served.post("/v1/route:explain", CHAT));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            JsonObject candidate = Served.json(response)
                    .list("candidates")
                    .getFirst()
                    .asObject()
                    .orElseThrow();
            assertThat(candidate.text("endpoint")).contains("up");
            assertThat(candidate.get("tried")).contains(JsonValue.of(true));
            assertThat(served.provider.requests()).isEmpty();
        }
    }

    @Test
    void aPromptAloneIsAChat() {
        try (Served served = Served.by(FaultScript.healthy())) {
            HttpResponse<String> response = served.send(served.post("/api/chat", "{\"prompt\":\"hello there\"}"));
            assertThat(text(Served.json(response))).isEqualTo("hello there");
            HttpResponse<String> without = served.send(served.post("/api/chat", "{}"));
            assertThat(without.statusCode()).isEqualTo(400);
            assertThat(Served.json(without).text("error")).contains("prompt: missing (expected: a text)");
        }
    }

    @Test
    void theStatusHasTheFieldsOfEachEndpoint() {
        try (Served served = Served.by(FaultScript.healthy(), "admin: 127.0.0.1:0")) {
            served.chat();
            HttpResponse<String> status = served.send(served.request("/api/status"));
            JsonObject endpoint =
                    Served.json(status).list("endpoints").getFirst().asObject().orElseThrow();
            assertThat(endpoint.members().keySet())
                    .contains("name", "status", "avg_latency_ms", "consecutive_failures", "last_check");
            assertThat(endpoint.text("status")).contains("healthy");
            String admin = served.gateway.adminUri().orElseThrow() + "/api/status";
            HttpResponse<String> alone = served.send(java.net.http.HttpRequest.newBuilder(java.net.URI.create(admin)));
            assertThat(alone.statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aKnownPathWithAnotherMethodIsToldWhichOneItTakes() {
        try (Served served = Served.by(FaultScript.healthy())) {
            HttpResponse<String> got = served.send(served.request("/v1/chat/completions"));
            assertThat(got.statusCode()).isEqualTo(405);
            assertThat(got.headers().firstValue("allow")).contains("POST");
            assertThat(served.send(served.post("/v1/models", "{}")).statusCode())
                    .isEqualTo(405);
            assertThat(served.send(served.request("/nothing")).statusCode()).isEqualTo(404);
            assertThat(served.provider.requests()).isEmpty();
        }
    }

    @Test
    void badBodiesAreTheCallersFaultAndReachNoProvider() {
        byte[] noText = {'{', '"', (byte) 0xC3, (byte) 0x28, '"', ':', '1', '}'};
        try (Served served = Served.by(FaultScript.healthy())) {
            for (byte[] body : List.of(
                    bytes("{bad json"),
                    bytes(""),
                    bytes("[]"),
                    bytes("{\"model\":\"m\"}"),
                    bytes("{\"model\":5,\"messages\":[]}"),
                    noText)) {
                HttpResponse<String> response = served.send(served.request("/v1/chat/completions")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(body)));
                assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
                assertThat(Served.error(response).members().keySet()).contains("message", "type", "param", "code");
                assertThat(response.headers().firstValue("x-should-retry")).contains("false");
            }
            assertThat(served.provider.requests()).isEmpty();
        }
    }

    @Test
    void aBodyTooLargeIsRefusedWhetherItSaysItsLengthOrNot() {
        byte[] large = new byte[(10 << 20) + 1];
        java.util.Arrays.fill(large, (byte) ' ');
        try (Served served = Served.by(FaultScript.healthy())) {
            HttpResponse<String> known = served.send(served.request("/v1/chat/completions")
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofByteArray(large)));
            assertThat(known.statusCode()).isEqualTo(413);
            assertThat(Served.error(known).text("code")).contains("request_too_large");
            HttpResponse<String> chunked = served.send(served.request("/v1/chat/completions")
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(large))));
            assertThat(chunked.statusCode()).isEqualTo(413);
            assertThat(served.chat().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anUnknownModelIsNamedAsSuch() {
        try (Served served = Served.by(FaultScript.healthy())) {
            HttpResponse<String> response =
                    served.send(served.post("/v1/chat/completions", CHAT.replace("\"m\"", "\"gone\"")));
            assertThat(response.statusCode()).isEqualTo(404);
            assertThat(Served.error(response).text("code")).contains("model_not_found");
            assertThat(Served.error(response).text("param")).contains("model");
        }
    }

    @Test
    void whatIsKeptIsAnsweredFromMemoryAndSaysSo() {
        String cached = CHAT.replace("{\"model\"", "{\"temperature\":0,\"model\"");
        try (Served served = Served.by(FaultScript.healthy(), "cache: {mode: deterministic-only, ttl: 5m}")) {
            HttpResponse<String> first = served.send(served.post("/v1/chat/completions", cached));
            HttpResponse<String> second = served.send(served.post("/v1/chat/completions", cached));
            HttpResponse<String> anew =
                    served.send(served.post("/v1/chat/completions", cached).header("x-holdfast-cache", "refresh"));
            assertThat(first.headers().firstValue("x-holdfast-cache")).contains("miss");
            assertThat(second.headers().firstValue("x-holdfast-cache")).contains("hit");
            assertThat(second.headers().firstValue("x-holdfast-attempts")).contains("0");
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(anew.headers().firstValue("x-holdfast-cache")).contains("miss");
            assertThat(served.provider.requests()).hasSize(2);
        }
    }

    @Test
    void aKeyUsedTwiceIsExecutedOnceAndAConflictIsRefused() {
        try (Served served = Served.by(FaultScript.healthy(), "idempotency: {ttl: 1h, in-flight: refuse}")) {
            var asked = served.post("/v1/chat/completions", CHAT).header("idempotency-key", "order-7");
            HttpResponse<String> first = served.send(asked);
            HttpResponse<String> again = served.send(asked);
            HttpResponse<String> other = served.send(served.post("/v1/chat/completions", CHAT.replace("one", "two"))
                    .header("idempotency-key", "order-7"));
            assertThat(first.headers().firstValue("idempotency-key")).contains("order-7");
            assertThat(again.body()).isEqualTo(first.body());
            assertThat(again.headers().firstValue("idempotent-replayed")).contains("true");
            assertThat(other.statusCode()).isEqualTo(422);
            assertThat(Served.error(other).text("code")).contains("idempotency_conflict");
            assertThat(served.provider.executions()).isEqualTo(1);
        }
    }

    @Test
    void aKeyThatIsBeingExecutedIsAnsweredByConflict() throws Exception {
        var held = new Held();
        try (Served served = Served.by(held.script(), "idempotency: {in-flight: refuse}")) {
            var asked = served.post("/v1/chat/completions", CHAT).header("idempotency-key", "k");
            var first = served.http.sendAsync(asked.build(), java.net.http.HttpResponse.BodyHandlers.ofString());
            Eventually.holds(() -> served.provider.requests().size() == 1);
            assertThat(served.send(asked).statusCode()).isEqualTo(409);
            held.letGo();
            assertThat(first.get().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void healthLooksAtTheProcessAndNotAtProviders() throws InterruptedException {
        Served served = Served.by(FaultScript.always(Reply.status(500)), "stop: {wait: 10m, drain: 1s}");
        try (served) {
            served.chat();
            assertThat(served.send(served.request("/health/live")).statusCode()).isEqualTo(200);
            assertThat(served.send(served.request("/health/ready")).statusCode())
                    .isEqualTo(200);
            Thread stopping = Thread.startVirtualThread(() -> {
                try {
                    served.gateway.stop();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            Eventually.holds(() -> served.send(served.request("/health/ready")).statusCode() == 503);
            assertThat(served.send(served.request("/health/live")).statusCode()).isEqualTo(200);
            stopping.interrupt();
            stopping.join();
        }
    }

    static String streamed(String body) {
        var text = new StringBuilder();
        body.lines()
                .filter(line -> line.startsWith("data: {"))
                .forEach(line -> dev.holdfast.core.JsonText.parse(line.substring(6))
                        .asObject()
                        .orElseThrow()
                        .list("choices")
                        .forEach(choice -> choice.asObject()
                                .flatMap(each -> each.object("delta"))
                                .flatMap(delta -> delta.text("content"))
                                .ifPresent(text::append)));
        return text.toString();
    }

    private static String text(JsonObject completion) {
        return completion
                .list("choices")
                .getFirst()
                .asObject()
                .flatMap(choice -> choice.object("message"))
                .flatMap(message -> message.text("content"))
                .orElseThrow();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
