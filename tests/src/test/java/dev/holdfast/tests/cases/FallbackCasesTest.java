package dev.holdfast.tests.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.Adjustment;
import dev.holdfast.Attempt;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.ModelRequest;
import dev.holdfast.Rejection;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.TokenEstimator;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import dev.holdfast.tests.behaviour.LogCapture;
import dev.holdfast.tests.behaviour.World;
import dev.holdfast.tests.behaviour.World.Ended;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays the reported failures of fallback chains, on virtual time: each model is a provider of its own. A case that does not say
 * how often a target is tried gets one attempt for each; one that asks again while everything cools down is asked by a caller who
 * waits for 10 s at most.
 */
class FallbackCasesTest {
    private static final int CASES = 5;
    private static final Set<String> CONFIG = Set.of("max_retries", "fallback_if_wait_over_ms");
    private static final Set<String> GIVEN = Set.of(
            "kind", "chain", "graph", "start", "request", "server", "then", "virtual_clock", "config", "variants");

    @TestFactory
    Stream<DynamicTest> reportedFailures() {
        return cases().flatMap(Case::withVariants)
                .map(one -> DynamicTest.dynamicTest(one.displayName(), () -> new Play(one).play()));
    }

    @Test
    void everyCaseIsPlayed() {
        assertThat(cases()).hasSize(CASES);
        assertThat(Case.all().stream().filter(one -> one.capability().equals("fallback")))
                .hasSize(CASES);
    }

    private static Stream<Case> cases() {
        return Case.all().stream().filter(one -> one.kind().equals("fallback"));
    }

    /** One case on its way. */
    private static final class Play {
        private final Case one;
        private final World world;
        private final JsonNode given;

        private Play(Case one) {
            this.one = one;
            this.given = one.given();
            this.world = new World(one.now());
            given.fieldNames().forEachRemaining(name -> assertThat(GIVEN).contains(name));
            one.config()
                    .fieldNames()
                    .forEachRemaining(name -> assertThat(CONFIG).contains(name));
        }

        private List<String> models() {
            return given.has("graph")
                    ? StreamSupport.stream(
                                    ((Iterable<String>)
                                                    () -> given.path("graph").fieldNames())
                                            .spliterator(),
                                    false)
                            .toList()
                    : Case.elements(given.path("chain"))
                            .map(each -> each.path("model").asText())
                            .toList();
        }

        private void play() {
            models().forEach(model -> world.provider(model, script(model)));
            ModelRequest request = request();
            ModelRequest before = request.withDocument(request.document());
            try (var log = new LogCapture();
                    ResilientClient client = client().build()) {
                var calls = new ArrayList<Ended>();
                calls.add(world.call(client, request, CallOptions.none()));
                int sentByFirst = world.sent().size();
                if (given.has("then")) {
                    assertThat(given.path("then").asText()).isEqualTo("second call while both cool down");
                    calls.add(world.call(client, request, CallOptions.none()));
                }
                one.expect().properties().forEach(field -> {
                    switch (field.getKey()) {
                        case "first" -> check(calls.getFirst(), field.getValue(), sentByFirst);
                        case "second" ->
                            check(
                                    calls.getLast(),
                                    field.getValue(),
                                    world.sent().size() - sentByFirst);
                        case "caller_request_unchanged" -> assertThat(request).isEqualTo(before);
                        case "config_time_warning" ->
                            assertThat(log.text())
                                    .contains("fallbacks of model "
                                            + given.path("start").asText());
                        default -> check(calls.getFirst(), field.getKey(), field.getValue(), sentByFirst);
                    }
                });
            }
        }

        private FaultScript script(String model) {
            JsonNode server = given.path("server").path(given.path("server").has("any") ? "any" : model);
            if (server.isTextual()) {
                assertThat(server.asText()).isEqualTo("must not be called");
                return FaultScript.always(Reply.status(500));
            }
            return server.path(0).isTextual() ? FaultScript.healthy() : Replies.script(server, Duration.ZERO);
        }

        private ModelRequest request() {
            String start = given.path("start").asText(models().getFirst());
            ModelRequest.Builder request = ModelRequest.chat(start).user("Name three rivers.");
            JsonNode cap = given.path("request").path("max_tokens");
            return cap.isInt() ? request.maxTokens(cap.asLong()).build() : request.build();
        }

        private ClientBuilder client() {
            int attempts = 1 + one.config().path("max_retries").asInt(0);
            RetryPolicy policy = World.retry().withMaxAttempts(attempts).withMaxSuggestedDelay(Duration.ofSeconds(10));
            if (one.config().has("fallback_if_wait_over_ms")) {
                policy = policy.withFallbackIfWaitOver(Duration.ofMillis(
                        one.config().path("fallback_if_wait_over_ms").asLong()));
            }
            ClientBuilder builder = world.builder().retry(policy);
            long prompt = given.path("request").path("estimated_prompt_tokens").asLong(0);
            TokenEstimator estimator = request ->
                    new TokenEstimate(prompt, request.maxOutputTokens().orElse(256));
            if (prompt > 0) {
                builder.tokenEstimator(estimator);
            }
            settings().forEach(builder::model);
            return builder;
        }

        private List<ModelSettings> settings() {
            List<String> names = models();
            return names.stream().map(name -> settings(name, names)).toList();
        }

        private ModelSettings settings(String name, List<String> names) {
            ModelSettings settings = ModelSettings.of(name).withEndpoints(name);
            if (given.has("graph")) {
                return settings.withFallbacks(Case.elements(given.path("graph").path(name))
                        .map(JsonNode::asText)
                        .toArray(String[]::new));
            }
            int index = names.indexOf(name);
            JsonNode link = given.path("chain").path(index);
            if (link.has("max_output")) {
                settings = settings.withMaxOutput(link.path("max_output").asLong());
            }
            if (link.has("context")) {
                settings = settings.withContextWindow(link.path("context").asLong());
            }
            return index + 1 < names.size() ? settings.withFallbacks(names.get(index + 1)) : settings;
        }

        private void check(Ended call, JsonNode expected, int sent) {
            expected.properties().forEach(field -> check(call, field.getKey(), field.getValue(), sent));
        }

        private void check(Ended call, String name, JsonNode value, int sent) {
            switch (name) {
                case "outcome" ->
                    assertThat(call.response().isPresent())
                            .as(name)
                            .isEqualTo(value.asText().equals("success"));
                case "served_by" -> assertThat(call.answer().model()).contains(value.asText());
                case "sent" -> value.properties().forEach(each -> checkSent(each.getKey(), each.getValue()));
                case "adjusted_reported" ->
                    assertThat(call.answer().adjusted())
                            .extracting(Adjustment::pointer)
                            .containsExactlyElementsOf(Case.elements(value)
                                    .map(each -> "/" + each.asText())
                                    .toList());
                case "skipped" -> value.properties().forEach(each -> checkSkipped(each.getKey(), each.getValue()));
                case "requests" ->
                    value.properties()
                            .forEach(each -> assertThat(world.sentTo(each.getKey()))
                                    .as("requests to " + each.getKey())
                                    .hasSize(each.getValue().asInt()));
                case "requests_on_wire" -> assertThat(sent).as(name).isEqualTo(value.asInt());
                case "elapsed_ms_max" -> assertThat(call.took()).isLessThanOrEqualTo(Duration.ofMillis(value.asLong()));
                case "error_message_max_chars" ->
                    assertThat(call.failure().getMessage()).hasSizeLessThanOrEqualTo(value.asInt());
                case "status" -> checkStatus(call.failure(), value.asInt());
                case "attempts" -> checkAttempts(call.failure().attempts(), value);
                case "retry_after_ms" ->
                    assertThat(call.failure().retryAfter().orElseThrow().toMillis())
                            .isBetween(
                                    value.path("min").asLong(),
                                    value.path("max").asLong());
                case "variant_expect" ->
                    assertThat(value).as("each variant is a case of its own").isNotEmpty();
                default -> throw new AssertionError("an unknown expectation: " + name);
            }
        }

        private void checkSent(String model, JsonNode members) {
            JsonNode body = read(world.sentTo(model).getLast().body());
            members.properties()
                    .forEach(each -> assertThat(body.path(each.getKey())).isEqualTo(each.getValue()));
        }

        private static JsonNode read(String body) {
            try {
                return new ObjectMapper().readTree(body);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** Nothing was sent there, and the call was told why. */
        private void checkSkipped(String model, JsonNode reason) {
            assertThat(reason.asText()).isEqualTo("context_window");
            assertThat(world.sentTo(model)).isEmpty();
            assertThat(world.events(dev.holdfast.CallEvent.TargetRejected.class))
                    .extracting(event -> event.rejection())
                    .anySatisfy((Rejection rejection) -> {
                        assertThat(rejection.target().model()).isEqualTo(model);
                        assertThat(rejection.kind()).isEqualTo(FailureKind.CONTEXT_LENGTH);
                    });
        }

        /** The status of the last attempt; that of what the call was rejected for where nothing was sent. */
        private static void checkStatus(CallException error, int status) {
            assertThat(error.status().orElseGet(() -> statusOf(error.kind()))).isEqualTo(status);
        }

        private static int statusOf(FailureKind kind) {
            return switch (kind) {
                case COOLING_DOWN, RATE_LIMITED, LIMIT_EXCEEDED -> 429;
                default -> throw new AssertionError("no status stands for " + kind);
            };
        }

        private static void checkAttempts(List<Attempt> attempts, JsonNode expected) {
            assertThat(attempts).hasSize(expected.size());
            for (int i = 0; i < expected.size(); i++) {
                assertThat(attempts.get(i).target().model())
                        .isEqualTo(expected.get(i).path("model").asText());
                assertThat(attempts.get(i).failure().orElseThrow().status())
                        .hasValue(expected.get(i).path("status").asInt());
            }
        }
    }
}
