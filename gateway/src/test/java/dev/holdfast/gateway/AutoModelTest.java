package dev.holdfast.gateway;

import static dev.holdfast.gateway.Served.CHAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** The model {@code auto}, and what headers may ask for as far as the key allows. */
class AutoModelTest {
    private static final String MODELS = "models: {m: {endpoints: [up], price: {input: 2, output: 8}},"
            + " n: {endpoints: [up], price: {input: 0.1, output: 0.4}}}";
    private static final String AUTO = CHAT.replace("\"m\"", "\"auto\"");
    private static final String KEY = "client-secret-91ab";

    private static String key(String more) {
        return "\napi-keys: [{sha256: \"" + Served.sha256(KEY) + "\", name: web" + more + "}]";
    }

    private static HttpRequest.Builder chat(Served served, String body) {
        return served.post("/v1/chat/completions", body).header("Authorization", "Bearer " + KEY);
    }

    @Test
    void theRouterChoosesAmongTheConfiguredModels() {
        try (Served served = Served.by(FaultScript.healthy(), MODELS)) {
            HttpResponse<String> response = served.send(served.post("/v1/chat/completions", AUTO));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            String model = response.headers().firstValue("x-holdfast-model").orElseThrow();
            assertThat(model).isIn("m", "n");
            assertThat(Served.json(response).text("model")).contains(model);
            assertThat(served.provider
                            .requests()
                            .getFirst()
                            .json()
                            .orElseThrow()
                            .text("model"))
                    .contains(model);
        }
    }

    @Test
    void whatTheRouterChoseFirstAndFailsGoesToTheOther() {
        FaultScript script =
                FaultScript.answering(request -> request.body().toUtf8().contains("\"n\"")
                        ? Reply.status(404)
                        : FaultScript.healthy().reply(request));
        try (Served served = Served.by(script, MODELS)) {
            for (int i = 0; i < 5; i++) {
                HttpResponse<String> response = served.send(served.post("/v1/chat/completions", AUTO));
                assertThat(response.headers().firstValue("x-holdfast-model")).contains("m");
            }
        }
    }

    @Test
    void theRouterChoosesAmongTheModelsOfTheKeyOnly() {
        try (Served served = Served.by(FaultScript.healthy(), MODELS + key(", models: [m]"))) {
            for (int i = 0; i < 10; i++) {
                HttpResponse<String> response = served.send(chat(served, AUTO));
                assertThat(response.headers().firstValue("x-holdfast-model")).contains("m");
            }
        }
    }

    @Test
    void theReasonIsExplained() {
        try (Served served = Served.by(FaultScript.healthy(), MODELS)) {
            HttpResponse<String> response = served.send(served.post("/v1/route:explain", AUTO));
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(Served.json(response).text("reason").orElseThrow())
                    .startsWith("blend: ")
                    .doesNotContain("explores");
            assertThat(Served.json(response).list("first").stream()
                            .map(first -> first.asObject().orElseThrow())
                            .map(first -> first.get("probability").orElseThrow().toJson()))
                    .as("one call in twenty asks the other")
                    .containsExactly("0.950000", "0.0500000");
            assertThat(served.provider.requests()).isEmpty();
        }
    }

    @Test
    void aModelThatIsCalledAutoIsThatModel() {
        try (Served served =
                Served.by(FaultScript.healthy(), "models: {auto: {endpoints: [up], upstream-name: real}}")) {
            served.send(served.post("/v1/chat/completions", AUTO));
            assertThat(served.provider
                            .requests()
                            .getFirst()
                            .json()
                            .orElseThrow()
                            .text("model"))
                    .contains("real");
        }
    }

    @Test
    void aStreamAndAnthropicsFormMayLetTheRouterChoose() {
        try (Served served = Served.by(FaultScript.healthy(), MODELS)) {
            HttpResponse<String> stream =
                    served.send(served.post("/v1/chat/completions", Served.STREAM.replace("\"m\"", "\"auto\"")));
            assertThat(stream.body()).endsWith("data: [DONE]\n\n");
            HttpResponse<String> message = served.send(
                    served.post("/v1/messages", AUTO.replace("{\"model\"", "{\"max_tokens\":50,\"model\"")));
            assertThat(message.statusCode()).as(message.body()).isEqualTo(200);
        }
    }

    @Test
    void aClientMayAskForLessTimeAndNotForMore() {
        String settings = "deadline: 300ms\nretry: {max-attempts: 1, backoff: \"fixed(1ms)\"}";
        FaultScript silent = FaultScript.always(Reply.completion("late").withDelay(java.time.Duration.ofSeconds(20)));
        try (Served served = Served.by(silent, settings)) {
            long began = System.nanoTime();
            HttpResponse<String> response =
                    served.send(served.post("/v1/chat/completions", CHAT).header("x-holdfast-timeout-ms", "60000"));
            assertThat(response.statusCode()).isEqualTo(504);
            assertThat(System.nanoTime() - began).isLessThan(15_000_000_000L);
        }
    }

    @Test
    void aClientNarrowsWhatItsKeyAllowsAndNeverWidensIt() {
        try (Served served = Served.by(FaultScript.healthy(), key(", allow-region: [eu]"))) {
            HttpResponse<String> none = served.send(chat(served, CHAT));
            assertThat(Served.error(none).text("code")).contains("policy_refused");
            HttpResponse<String> wider = served.send(chat(served, CHAT).header("x-holdfast-allow-region", "us"));
            assertThat(wider.statusCode()).isEqualTo(403);
            assertThat(Served.error(wider).text("param")).contains("x-holdfast-allow-region");
            assertThat(served.provider.requests()).isEmpty();
        }
    }
}
