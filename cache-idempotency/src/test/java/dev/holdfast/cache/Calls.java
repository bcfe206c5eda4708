package dev.holdfast.cache;

import dev.holdfast.Adjustment;
import dev.holdfast.Attempt;
import dev.holdfast.AttemptReason;
import dev.holdfast.AttemptsExhaustedException;
import dev.holdfast.CallEvent;
import dev.holdfast.CallException;
import dev.holdfast.CallOptions;
import dev.holdfast.CallTrail;
import dev.holdfast.Cost;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.FinishReason;
import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelResponse;
import dev.holdfast.Target;
import dev.holdfast.spi.Interceptor.Call;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Calls, answers and failures for tests. */
final class Calls {
    static final Target TARGET = new Target("m", "e");

    private Calls() {}

    static Call call(String id, ModelRequest request) {
        return call(id, request, CallOptions.none());
    }

    static Call call(String id, ModelRequest request, CallOptions options) {
        return new Call(id, request, options, 0, Duration.ofHours(1).toNanos(), heardBy(options));
    }

    static Call call(String id, ModelRequest request, long startedNanos, Duration deadline) {
        return new Call(id, request, CallOptions.none(), startedNanos, startedNanos + deadline.toNanos(), event -> {});
    }

    /** As in the client: the call's listener hears what interceptors tell. */
    static Consumer<CallEvent> heardBy(CallOptions options) {
        return event -> options.listener().ifPresent(listener -> listener.accept(event));
    }

    static ModelAnswer answer(String text, Optional<FinishReason> reason, JsonObject document) {
        return new ModelAnswer(
                Form.OPENAI_CHAT, document, Optional.empty(), Optional.of(text), List.of(), reason, Optional.empty());
    }

    static ModelResponse response(String text) {
        return response(answer(text, Optional.of(FinishReason.STOP), JsonObject.empty()));
    }

    static ModelResponse inForm(Form form) {
        return response(new ModelAnswer(
                form,
                JsonObject.empty(),
                Optional.empty(),
                Optional.of("answer"),
                List.of(),
                Optional.of(FinishReason.STOP),
                Optional.empty()));
    }

    static ModelResponse response(ModelAnswer answer) {
        return new ModelResponse(
                answer,
                Optional.of(TARGET),
                List.of(attempt(AttemptReason.FIRST, TARGET)),
                Optional.of(new Cost(BigDecimal.ONE)),
                false,
                false,
                Optional.of("key"),
                "the call that went upstream",
                Optional.of("request"),
                List.of());
    }

    static ModelResponse with(
            ModelResponse response, List<Attempt> attempts, boolean degraded, List<Adjustment> adjusted) {
        return new ModelResponse(
                response.answer(),
                response.servedBy(),
                attempts,
                response.cost(),
                response.fromCache(),
                degraded,
                response.idempotencyKey(),
                response.callId(),
                response.providerRequestId(),
                adjusted);
    }

    static Attempt attempt(AttemptReason reason, Target target) {
        return new Attempt(
                1,
                reason,
                target,
                Optional.empty(),
                ManualTime.START,
                Duration.ZERO,
                Duration.ZERO,
                Optional.empty(),
                Optional.empty());
    }

    static CallException failure(String callId) {
        Failure failure =
                Failure.of(FailureKind.OVERLOADED, FailureScope.ENDPOINT, Delivery.ANSWERED, "too much to do");
        return new AttemptsExhaustedException("exhausted", failure, CallTrail.empty(callId), null);
    }
}
