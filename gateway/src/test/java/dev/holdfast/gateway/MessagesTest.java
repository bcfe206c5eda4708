package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.JsonText;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Anthropic's API in front of either language, and OpenAI's in front of Anthropic's. */
class MessagesTest {
    private static final String MODELS = "models: {m: {endpoints: [up]}, c: {endpoints: [claude]}}";

    private static String message(String model, String more) {
        return "{\"model\":\"" + model + "\",\"max_tokens\":64" + more
                + ",\"messages\":[{\"role\":\"user\",\"content\":\"one two three\"}]}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"m", "c"})
    void aMessageIsAnsweredByAnyProvider(String model) {
        try (Served served = Served.by(FaultScript.of(Reply.status(503)), MODELS)) {
            HttpResponse<String> response = served.send(served.post("/v1/messages", message(model, "")));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            JsonObject answer = Served.json(response);
            assertThat(answer.text("type")).contains("message");
            assertThat(answer.text("stop_reason")).contains("end_turn");
            assertThat(answer.list("content")
                            .getFirst()
                            .asObject()
                            .orElseThrow()
                            .text("text"))
                    .contains("one two three");
            assertThat(answer.object("usage").orElseThrow().longValue("output_tokens"))
                    .isPresent();
            assertThat(response.headers().firstValue("x-holdfast-model")).contains(model);
            assertThat(response.headers().firstValue("x-holdfast-attempts")).contains("2");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"m", "c"})
    void aStreamOfMessagesHasAnthropicsEvents(String model) {
        try (Served served = Served.by(FaultScript.healthy(), MODELS)) {
            HttpResponse<String> response =
                    served.send(served.post("/v1/messages", message(model, ",\"stream\":true")));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            var text = new StringBuilder();
            response.body()
                    .lines()
                    .filter(line -> line.startsWith("data: "))
                    .forEach(line -> JsonText.parse(line.substring(6))
                            .asObject()
                            .flatMap(event -> event.object("delta"))
                            .flatMap(delta -> delta.text("text"))
                            .ifPresent(text::append));
            assertThat(text).hasToString("one two three");
            assertThat(response.body()).contains("event: message_start\n").doesNotContain("[DONE]");
            assertThat(response.body().strip().lines().reduce((a, b) -> b).orElseThrow())
                    .contains("message_stop");
        }
    }

    @Test
    void aChatIsAnsweredByAnthropic() {
        try (Served served = Served.by(FaultScript.healthy(), MODELS)) {
            String chat = Served.CHAT.replace("\"m\"", "\"c\"");
            HttpResponse<String> response = served.send(served.post("/v1/chat/completions", chat));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            JsonObject choice =
                    Served.json(response).list("choices").getFirst().asObject().orElseThrow();
            assertThat(choice.object("message").orElseThrow().text("content")).contains("one two three");
            HttpResponse<String> streamed =
                    served.send(served.post("/v1/chat/completions", Served.STREAM.replace("\"m\"", "\"c\"")));
            assertThat(RoutesTest.streamed(streamed.body())).isEqualTo("one two three");
            assertThat(streamed.body()).endsWith("data: [DONE]\n\n");
        }
    }

    @Test
    void errorsHaveAnthropicsShape() {
        try (Served served = Served.by(FaultScript.always(Reply.status(503)), MODELS)) {
            HttpResponse<String> response = served.send(served.post("/v1/messages", message("m", "")));
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(Served.json(response).text("type")).contains("error");
            assertThat(Served.error(response).text("type")).contains("overloaded_error");
            assertThat(Served.error(response).list("attempts")).isNotEmpty();
            HttpResponse<String> wrong = served.send(served.post("/v1/messages", "{\"model\":\"m\"}"));
            assertThat(wrong.statusCode()).isEqualTo(400);
            assertThat(Served.error(wrong).text("type")).contains("invalid_request_error");
        }
    }

    @Test
    void aStreamOfMessagesThatBreaksOffEndsWithAnErrorEvent() {
        String first =
                "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":"
                        + "[{\"index\":0,\"delta\":{\"content\":\"one \"},\"finish_reason\":null}]}\n\n";
        Reply reset = Reply.events(java.util.List.of(Reply.Chunk.of(first))).resetAfter(first.length());
        try (Served served = Served.by(FaultScript.always(reset), MODELS)) {
            HttpResponse<String> response = served.send(served.post("/v1/messages", message("m", ",\"stream\":true")));
            assertThat(response.body())
                    .contains("one ")
                    .contains("event: error\ndata: {\"type\":\"error\"")
                    .doesNotContain("message_stop");
        }
    }
}
