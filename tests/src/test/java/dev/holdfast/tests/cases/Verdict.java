package dev.holdfast.tests.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.Attempt;
import dev.holdfast.BreakerState;
import dev.holdfast.CallEvent;
import dev.holdfast.CallException;
import dev.holdfast.FailedAttemptException;
import dev.holdfast.Failure;
import dev.holdfast.ModelResponse;
import dev.holdfast.tests.behaviour.World;
import dev.holdfast.tests.behaviour.World.Ended;
import dev.holdfast.tests.behaviour.World.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares what happened with what a case expects, field by field. A field it does not know fails the case rather than being
 * passed over.
 */
final class Verdict {
    private static final String KEY = "Idempotency-Key";

    private final World world;
    private final List<Ended> calls;

    Verdict(World world, List<Ended> calls) {
        this.world = world;
        this.calls = calls;
    }

    void check(JsonNode expect) {
        expect.properties().forEach(field -> check(field.getKey(), field.getValue()));
    }

    private void check(String name, JsonNode value) {
        switch (name) {
            case "any_of" -> checkAnyOf(value);
            case "outcome" ->
                assertThat(last().response().isPresent())
                        .as(name)
                        .isEqualTo(value.asText().equals("success"));
            case "attempts", "attempts_total" -> {
                assertThat(attempts(last())).as(name).hasSize(value.asInt());
                assertThat(world.sent()).as("requests on the wire").hasSize(value.asInt());
            }
            case "requests_on_wire" -> assertThat(world.sent()).as(name).hasSize(value.asInt());
            case "elapsed_ms_max" -> assertThat(last().took()).as(name).isLessThanOrEqualTo(millis(value));
            case "never_sleep_longer_than_ms" ->
                assertThat(waits()).as(name).allMatch(wait -> wait.compareTo(millis(value)) <= 0);
            case "waits_ms" -> checkWaits(value);
            case "error" -> checkError(last().failure(), value);
            case "first_error", "p1_error" -> checkFailure(firstFailure(), value);
            case "served_by" -> assertThat(last().answer().endpoint()).as(name).contains(value.asText());
            case "breaker_states" -> value.properties().forEach(one -> checkBreaker(one.getKey(), one.getValue()));
            case "result" -> check(value);
            case "truncated" -> assertThat(last().answer().truncated()).as(name).isEqualTo(value.asBoolean());
            case "finish_reason" ->
                assertThat(last().answer().finishReason().orElseThrow().wireName())
                        .as(name)
                        .isEqualTo(value.asText());
            case "text" ->
                assertThat(last().answer().text().orElse(null)).as(name).isEqualTo(value.textValue());
            case "tool_calls" -> checkToolCalls(value);
            case "not_error_category" ->
                assertThat(calls)
                        .noneMatch(call -> call.error()
                                .filter(error -> error.kind().wireName().equals(value.asText()))
                                .isPresent());
            case "last_call_elapsed_ms_max" ->
                assertThat(last().took()).as(name).isLessThanOrEqualTo(millis(value));
            case "keys_within_a_call_equal" ->
                assertThat(keys())
                        .as(name)
                        .allMatch(keys -> keys.stream().distinct().count() == 1);
            case "keys_between_calls_differ" ->
                assertThat(keys().stream().map(List::getFirst)).as(name).doesNotHaveDuplicates();
            case "key_visible_on_result" ->
                assertThat(last().answer().idempotencyKey())
                        .as(name)
                        .contains(keys().getLast().getLast());
            case "worker_interrupted_flag" ->
                assertThat(last().interrupted()).as(name).isEqualTo(value.asBoolean());
            case "distinct_waits_min" ->
                assertThat(waits().stream().distinct().count()).as(name).isGreaterThanOrEqualTo(value.asLong());
            case "each_wait_ms" ->
                assertThat(waits())
                        .as(name)
                        .hasSameSizeAs(calls)
                        .allSatisfy(wait -> assertThat(wait.toMillis())
                                .isBetween(
                                        value.path("min").asLong(),
                                        value.path("max").asLong()));
            case "outcomes" -> {
                assertThat(value.asText()).isEqualTo("all success");
                assertThat(calls).allMatch(call -> call.response().isPresent());
            }
            case "streams_open" -> assertThat(world.open()).as(name).isEqualTo(value.asInt());
            case "variant_expect" ->
                assertThat(value).as("each variant is a case of its own").isNotEmpty();
            default -> checkProvider(name, value);
        }
    }

    /** Fields that begin with a provider's name. */
    private void checkProvider(String name, JsonNode value) {
        String provider = name.replaceFirst("_.*", "");
        switch (name.replaceFirst("^[^_]*_", "")) {
            case "attempts", "requests" ->
                assertThat(world.sentTo(provider)).as(name).hasSize(value.asInt());
            case "requests_max" -> assertThat(world.sentTo(provider)).as(name).hasSizeLessThanOrEqualTo(value.asInt());
            case "served" ->
                assertThat(calls.stream()
                                .flatMap(call -> call.response().stream())
                                .filter(response -> response.endpoint()
                                        .filter(provider::equals)
                                        .isPresent()))
                        .as(name)
                        .hasSize(value.asInt());
            case "breaker" -> checkBreaker(provider, value);
            default -> throw new AssertionError("an unknown expectation: " + name);
        }
    }

    private void checkAnyOf(JsonNode alternatives) {
        var complaints = new ArrayList<String>();
        for (JsonNode alternative : alternatives) {
            try {
                check(alternative);
                return;
            } catch (AssertionError e) {
                complaints.add(e.getMessage());
            }
        }
        throw new AssertionError("none of the alternatives: " + complaints);
    }

    private void checkError(CallException error, JsonNode expected) {
        expected.properties().forEach(field -> {
            JsonNode value = field.getValue();
            switch (field.getKey()) {
                case "category" -> assertThat(error.kind().wireName()).isEqualTo(value.asText());
                case "status" -> assertThat(error.status()).hasValue(value.asInt());
                case "retry_after_ms" -> assertThat(error.retryAfter()).contains(millis(value));
                case "ambiguous" -> assertThat(error.mayHaveBeenBilled()).isEqualTo(value.asBoolean());
                case "message_contains" -> assertThat(error).hasMessageContaining(value.asText());
                case "cause_status" ->
                    assertThat(error.getCause())
                            .isInstanceOfSatisfying(
                                    FailedAttemptException.class,
                                    cause ->
                                            assertThat(cause.failure().status()).hasValue(value.asInt()));
                case "retry_same" ->
                    assertThat(retriedSame()).as("retried on the same target").isEqualTo(value.asBoolean());
                default -> throw new AssertionError("an unknown expectation of an error: " + field.getKey());
            }
        });
    }

    private void checkFailure(Failure failure, JsonNode expected) {
        expected.properties().forEach(field -> {
            JsonNode value = field.getValue();
            switch (field.getKey()) {
                case "category" -> assertThat(failure.kind().wireName()).isEqualTo(value.asText());
                case "retry_same" ->
                    assertThat(retriedSame()).as("retried on the same target").isEqualTo(value.asBoolean());
                case "fallback" ->
                    assertThat(wentElsewhere()).as("went elsewhere").isEqualTo(value.asBoolean());
                default -> throw new AssertionError("an unknown expectation of a failure: " + field.getKey());
            }
        });
    }

    private void checkWaits(JsonNode expected) {
        assertThat(waits()).hasSize(expected.size());
        for (int i = 0; i < expected.size(); i++) {
            assertThat(waits().get(i).toMillis())
                    .isBetween(
                            expected.get(i).path("min").asLong(),
                            expected.get(i).path("max").asLong());
        }
    }

    private void checkToolCalls(JsonNode expected) {
        var calls = last().answer().toolCalls();
        assertThat(calls).hasSize(expected.size());
        for (int i = 0; i < expected.size(); i++) {
            assertThat(calls.get(i).id()).isEqualTo(expected.get(i).path("id").asText());
            assertThat(calls.get(i).name())
                    .isEqualTo(expected.get(i).path("name").asText());
            assertThat(calls.get(i).arguments())
                    .isEqualTo(expected.get(i).path("arguments").asText());
        }
    }

    /** A breaker that never changed is closed. */
    private void checkBreaker(String provider, JsonNode expected) {
        BreakerState state = world.events(CallEvent.BreakerChanged.class).stream()
                .filter(changed -> changed.target().endpoint().equals(provider))
                .map(CallEvent.BreakerChanged::to)
                .reduce(BreakerState.CLOSED, (before, after) -> after);
        assertThat(state.name()).as("breaker of " + provider).isEqualTo(expected.asText());
    }

    private boolean retriedSame() {
        String first = world.sent().getFirst().provider();
        return world.sentTo(first).size() > calls.size();
    }

    private boolean wentElsewhere() {
        String first = world.sent().getFirst().provider();
        return world.sent().stream().anyMatch(sent -> !sent.provider().equals(first));
    }

    private Failure firstFailure() {
        return attempts(calls.getFirst()).getFirst().failure().orElseThrow();
    }

    /** How long each call waited before each of its attempts but the first. */
    private List<Duration> waits() {
        return calls.stream()
                .flatMap(call -> attempts(call).stream().skip(1))
                .map(Attempt::waited)
                .toList();
    }

    /** The keys of each call's attempts. */
    private List<List<String>> keys() {
        return calls.stream()
                .map(call -> world.sent().stream()
                        .filter(sent -> sent.header("X-Request-ID").equals(callId(call)))
                        .map((Sent sent) -> sent.header(KEY))
                        .toList())
                .toList();
    }

    private static String callId(Ended call) {
        return call.response()
                .map(ModelResponse::callId)
                .orElseGet(() -> call.failure().callId());
    }

    private static List<Attempt> attempts(Ended call) {
        return call.response()
                .map(ModelResponse::attempts)
                .orElseGet(() -> call.failure().attempts());
    }

    private Ended last() {
        return calls.getLast();
    }

    private static Duration millis(JsonNode value) {
        return Duration.ofMillis(value.asLong());
    }
}
