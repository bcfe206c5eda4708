package dev.holdfast.tests.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.CallException;
import dev.holdfast.FinishReason;
import dev.holdfast.JsonValue;
import dev.holdfast.ModelResponse;
import dev.holdfast.Usage;
import dev.holdfast.tests.behaviour.Reader;
import dev.holdfast.tests.behaviour.World;
import java.util.Optional;

/**
 * Compares what the reader of a stream saw with what a case expects, field by field. A field it does not know fails the case
 * rather than being passed over.
 */
final class StreamVerdict {
    private final World world;
    private final Reader seen;

    StreamVerdict(World world, Reader seen) {
        this.world = world;
        this.seen = seen;
    }

    void check(JsonNode expect) {
        expect.properties().forEach(field -> check(field.getKey(), field.getValue()));
        assertThat(world.open()).as("exchanges open at the end").isZero();
    }

    private void check(String name, JsonNode value) {
        switch (name) {
            case "outcome" ->
                assertThat(seen.response().isPresent())
                        .as(name)
                        .isEqualTo(value.asText().equals("success"));
            case "complete" -> assertThat(seen.answer()).as(name).isNotNull();
            case "text" -> {
                assertThat(seen.text()).as(name).isEqualTo(value.asText());
                assertThat(seen.answer().text()).as(name).contains(value.asText());
            }
            case "text_before_error" -> {
                assertThat(seen.text()).as(name).isEqualTo(value.asText());
                assertThat(seen.failure().partialAnswer().orElseThrow().text()).contains(value.asText());
            }
            case "finish_reason" ->
                assertThat(seen.answer().finishReason().map(FinishReason::wireName))
                        .as(name)
                        .isEqualTo(Optional.ofNullable(value.textValue()));
            case "finish_reason_raw" ->
                assertThat(rawFinishReason(seen.answer())).isEqualTo(value.asText());
            case "usage" -> checkUsage(seen.answer().usage().orElseThrow(), value);
            case "attempts" -> assertThat(world.sent()).as(name).hasSize(value.asInt());
            case "consumer_saw_error" ->
                assertThat(seen.error().isPresent()).as(name).isEqualTo(value.asBoolean());
            case "error" -> checkError(seen.failure(), value);
            case "tool_calls" -> checkToolCalls(value);
            case "elapsed_ms" ->
                assertThat(seen.took().toMillis())
                        .as(name)
                        .isBetween(value.path("min").asLong(), value.path("max").asLong());
            case "must_not_throw_type" ->
                assertThat(seen.error().map(error -> error.getClass().getSimpleName()))
                        .isNotEqualTo(Optional.of(value.asText()));
            case "later_chunks_ignored" ->
                assertThat(seen.text()).as("what came before the error").hasSize(1);
            case "p2_requests" -> assertThat(world.sentTo("p2")).as(name).hasSize(value.asInt());
            case "result_kind" ->
                assertThat(seen.answer().document().text("object")).contains("chat." + value.asText());
            case "variant_expect" ->
                assertThat(value).as("each variant is a case of its own").isNotEmpty();
            default -> throw new AssertionError("an unknown expectation: " + name);
        }
    }

    private static String rawFinishReason(ModelResponse response) {
        return response.document()
                .list("choices")
                .getFirst()
                .asObject()
                .flatMap(choice -> choice.get("finish_reason"))
                .flatMap(JsonValue::asText)
                .orElseThrow();
    }

    private static void checkUsage(Usage usage, JsonNode expected) {
        expected.properties().forEach(field -> {
            long actual =
                    switch (field.getKey()) {
                        case "prompt_tokens" -> usage.input();
                        case "completion_tokens" -> usage.output();
                        case "total_tokens" -> usage.total();
                        default -> throw new AssertionError("an unknown count: " + field.getKey());
                    };
            assertThat(actual).as(field.getKey()).isEqualTo(field.getValue().asLong());
        });
    }

    private static void checkError(CallException error, JsonNode expected) {
        expected.properties().forEach(field -> {
            JsonNode value = field.getValue();
            switch (field.getKey()) {
                case "category" -> assertThat(error.kind().wireName()).isEqualTo(value.asText());
                case "message" -> assertThat(error.failure().message()).isEqualTo(value.asText());
                case "partial" -> assertThat(error.partialAnswer().isPresent()).isEqualTo(value.asBoolean());
                default -> throw new AssertionError("an unknown expectation of an error: " + field.getKey());
            }
        });
    }

    private void checkToolCalls(JsonNode expected) {
        var calls = seen.answer().toolCalls();
        assertThat(calls).hasSize(expected.size());
        for (int i = 0; i < expected.size(); i++) {
            JsonNode one = expected.get(i);
            assertThat(calls.get(i).id()).isEqualTo(one.path("id").asText());
            assertThat(calls.get(i).name()).isEqualTo(one.path("name").asText());
            assertThat(calls.get(i).arguments()).isEqualTo(one.path("arguments").asText());
        }
    }
}
