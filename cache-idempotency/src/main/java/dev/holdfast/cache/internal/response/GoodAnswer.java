package dev.holdfast.cache.internal.response;

import dev.holdfast.Adjustment;
import dev.holdfast.AttemptReason;
import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Tells the answers worth keeping from those that a second call might better. */
public final class GoodAnswer {
    /** A cut at the cap would be cut again; what a filter withheld or the model declined might not be. */
    private static final Set<FinishReason> GOOD =
            Set.of(FinishReason.STOP, FinishReason.LENGTH, FinishReason.TOOL_CALLS);
    /** The same of choices that are not the answer, as the vendors spell them. */
    private static final Set<String> GOOD_WORDS = Set.of("stop", "length", "max_tokens", "tool_calls", "function_call");

    private GoodAnswer() {}

    /** Whether the response is the complete good answer to exactly this request. */
    public static boolean isStorable(ModelRequest request, ModelResponse response) {
        return !response.degraded()
                && !response.fromCache()
                && response.servedBy().isPresent()
                && response.answer().form() != Form.OPAQUE
                && response.adjusted().stream().allMatch(GoodAnswer::concernsTheWayOnly)
                && !isFallback(response)
                && isComplete(response.answer())
                && (!asksForUsage(request) || response.usage().isPresent());
    }

    private static boolean isComplete(ModelAnswer answer) {
        return answer.finishReason().filter(GOOD::contains).isPresent()
                && answer.document()
                        .get("error")
                        .filter(error -> !error.isNull())
                        .isEmpty()
                && areComplete(answer.document().list("choices"), "finish_reason")
                && areComplete(answer.document().list("candidates"), "finishReason");
    }

    /** Of several choices the first is the answer, and who replays it gets all. */
    private static boolean areComplete(List<JsonValue> choices, String reason) {
        return choices.stream()
                .skip(1)
                .allMatch(choice -> choice.asObject()
                        .filter(object -> object.text(reason)
                                .filter(word -> GOOD_WORDS.contains(word.toLowerCase(Locale.ROOT)))
                                .isPresent())
                        .filter(object -> object.object("message")
                                .flatMap(message -> message.text("refusal"))
                                .filter(refusal -> !refusal.isEmpty())
                                .isEmpty())
                        .isPresent());
    }

    /** How an answer travels is no part of its key. */
    private static boolean concernsTheWayOnly(Adjustment adjustment) {
        return adjustment.pointer().equals("/stream") || adjustment.pointer().startsWith("/stream_options");
    }

    /** Another model's answer would outlive the outage that made it needed. */
    private static boolean isFallback(ModelResponse response) {
        return response.attempts().stream()
                .limit(1)
                .anyMatch(first -> first.reason() == AttemptReason.FALLBACK
                        || !response.model().equals(Optional.of(first.target().model())));
    }

    private static boolean asksForUsage(ModelRequest request) {
        return request.document()
                .object("stream_options")
                .flatMap(options -> options.get("include_usage"))
                .filter(JsonValue::isTrue)
                .isPresent();
    }
}
