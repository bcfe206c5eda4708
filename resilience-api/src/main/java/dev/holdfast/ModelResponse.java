package dev.holdfast;

import dev.holdfast.JsonValue.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The answer to a call and how it was come by.
 *
 * @param answer what the model said
 * @param servedBy the target that answered; empty for a degraded reply
 * @param attempts every attempt that was made, in order; empty when a stored answer was replayed without asking
 * @param cost what the answer cost; empty where the price or the usage is unknown
 * @param fromCache whether a stored answer was replayed
 * @param degraded whether this is the substitute for when nothing served; together with {@code fromCache}, a stored answer
 *     past its time
 * @param idempotencyKey the key the last attempt carried
 * @param callId the id of the call; attempts carry it as {@code X-Request-ID}
 * @param providerRequestId the id the provider gave the exchange
 * @param adjusted what was changed in the request for the target that served it
 */
public record ModelResponse(
        ModelAnswer answer,
        Optional<Target> servedBy,
        List<Attempt> attempts,
        Optional<Cost> cost,
        boolean fromCache,
        boolean degraded,
        Optional<String> idempotencyKey,
        String callId,
        Optional<String> providerRequestId,
        List<Adjustment> adjusted) {
    /** Copies the lists. */
    public ModelResponse {
        attempts = List.copyOf(attempts);
        adjusted = List.copyOf(adjusted);
    }

    /** {@return the answer's text; empty where there is none, as beside tool calls} */
    public Optional<String> text() {
        return answer.text();
    }

    /** {@return the tools to call, in order} */
    public List<ToolCall> toolCalls() {
        return answer.toolCalls();
    }

    /** {@return why the model stopped} */
    public Optional<FinishReason> finishReason() {
        return answer.finishReason();
    }

    /** {@return whether the answer is cut because the cap on output tokens was reached} */
    public boolean truncated() {
        return answer.finishReason().filter(FinishReason.LENGTH::equals).isPresent();
    }

    /** {@return the tokens; empty where the server did not say} */
    public Optional<Usage> usage() {
        return answer.usage();
    }

    /** {@return the document as the server sent it} */
    public JsonObject document() {
        return answer.document();
    }

    /** {@return the model of the route that served; empty for a degraded reply} */
    public Optional<String> model() {
        return servedBy.map(Target::model);
    }

    /** {@return the endpoint that served; empty for a degraded reply} */
    public Optional<String> endpoint() {
        return servedBy.map(Target::endpoint);
    }

    /** {@return how often the call went on to another model before this one answered; 0 if the first did} */
    public int fallbackCount() {
        return (int) attempts.stream()
                .filter(attempt -> attempt.reason() == AttemptReason.FALLBACK)
                .count();
    }

    /** {@return how long the attempt took that brought the answer; empty where none did, as for a stored or degraded one} */
    public Optional<Duration> latency() {
        return attempts.stream().filter(Attempt::succeeded).map(Attempt::took).reduce((earlier, later) -> later);
    }

    /**
     * {@return this response marked as replayed from a cache: no attempt, no cost}
     *
     * @param call the id of the call that is answered
     */
    public ModelResponse replayedFor(String call) {
        return new ModelResponse(
                answer,
                servedBy,
                List.of(),
                Optional.of(Cost.ZERO),
                true,
                degraded,
                Optional.empty(),
                call,
                providerRequestId,
                adjusted);
    }

    /**
     * {@return this response marked as a stored answer past its time that stands in for a failed call}
     *
     * @param failed the failure: whose call it was and what that had tried
     */
    public ModelResponse standingInFor(CallException failed) {
        return new ModelResponse(
                answer,
                servedBy,
                failed.attempts(),
                Optional.of(Cost.ZERO),
                true,
                true,
                Optional.empty(),
                failed.callId(),
                providerRequestId,
                adjusted);
    }

    @Override
    public String toString() {
        return "ModelResponse[" + callId + ", " + servedBy.map(Target::toString).orElse("degraded") + ", attempts="
                + attempts.size() + ", " + answer + "]";
    }
}
