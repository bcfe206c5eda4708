package dev.holdfast.simulation.internal.weather;

import dev.holdfast.Bytes;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.simulation.ModelProfile;
import dev.holdfast.simulation.ModelProfile.FaultKind;
import dev.holdfast.simulation.ModelProfile.Hint;
import dev.holdfast.simulation.ProfileWeather.Outcome;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.Chunk;
import dev.holdfast.simulation.Reply.RetryAfterForm;
import dev.holdfast.simulation.internal.provider.OpenAiAnswers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What outcomes look like on the wire. Without a trace all answers of a model are the same, and none is written twice. */
public final class Answers {
    private static final long EQUAL_TOKENS = 100;

    /** How much of the time to answer a stream takes to begin. */
    private static final double FIRST_TOKEN_SHARE = 0.3;

    private static final List<String> WORDS = List.of("as ", "you ", "wish, ", "word ", "by ", "word");

    private final ArrivalTimes arrivals;

    /** The models that say in milliseconds when to come again. */
    private final Set<String> inMillis;

    private final Map<Kind, Reply> written = new HashMap<>();

    /** Looked up once for each attempt, and what a record does of its own accord is slow until the second compiler has been there. */
    private record Kind(int status, String model, boolean streamed, Optional<FaultKind> fault) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Kind its
                    && status == its.status
                    && streamed == its.streamed
                    && model.equals(its.model)
                    && fault.equals(its.fault);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * model.hashCode() + status) + Boolean.hashCode(streamed);
        }
    }

    public Answers(ArrivalTimes arrivals, List<ModelProfile> models) {
        this.arrivals = arrivals;
        this.inMillis = models.stream()
                .filter(model -> model.limit()
                        .filter(limit -> limit.hint() == Hint.MILLISECONDS)
                        .isPresent())
                .map(ModelProfile::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The reply that says an outcome. */
    public Reply of(JsonObject document, String model, int request, Outcome outcome) {
        boolean streamed = document.get("stream").map(JsonValue::isTrue).orElse(false);
        var kind = new Kind(outcome.status(), model, streamed, outcome.fault());
        Reply reply = arrivals.isTraced() && outcome.status() == 200
                ? write(
                        kind,
                        arrivals.row(request).contextTokens(),
                        arrivals.row(request).generatedTokens())
                : written.computeIfAbsent(kind, each -> write(each, EQUAL_TOKENS, EQUAL_TOKENS));
        Reply timed = streamed && outcome.status() == 200
                ? paced(reply, outcome.latency())
                : reply.withDelay(outcome.latency());
        return outcome.retryAfter().isPresent()
                ? timed.withRetryAfter(
                        outcome.retryAfter().get(),
                        inMillis.contains(model) ? RetryAfterForm.MILLISECONDS : RetryAfterForm.SECONDS)
                : timed;
    }

    /** A stream: silence until it begins, then its pieces at equal distances. */
    private static Reply paced(Reply reply, Duration latency) {
        int pieces = reply.chunks().size();
        if (pieces < 2) {
            return reply.withDelay(latency);
        }
        Duration toBegin = Duration.ofNanos(StrictMath.round(latency.toNanos() * FIRST_TOKEN_SHARE));
        return reply.withPauses(latency.minus(toBegin).dividedBy(pieces - 1)).withDelay(toBegin);
    }

    private static Reply write(Kind kind, long tokensIn, long tokensOut) {
        if (kind.status() == 400) {
            return Reply.error(
                    400,
                    "invalid_request_error",
                    "content_policy_violation",
                    "The request was rejected by the safety system.");
        }
        if (kind.status() != 200) {
            return Reply.status(kind.status());
        }
        Reply good = kind.streamed()
                ? Reply.events(OpenAiAnswers.stream(kind.model(), WORDS, false))
                : answer(kind.model(), tokensIn, tokensOut);
        return kind.fault().map(fault -> broken(fault, good, kind)).orElse(good);
    }

    private static Reply broken(FaultKind fault, Reply good, Kind kind) {
        return switch (fault) {
            case STATUS -> good;
            case RESET -> Reply.reset();
            case HANG -> Reply.hang();
            case ERROR_IN_OK ->
                withBody(
                        good,
                        kind,
                        OpenAiAnswers.error("server_error", null, "Something broke.")
                                .toJson());
            case EMPTY ->
                kind.streamed()
                        ? Reply.events(OpenAiAnswers.stream(kind.model(), List.of(), false))
                        : Reply.json(
                                200, OpenAiAnswers.completion(kind.model(), "").with("choices", JsonArray.of()));
            case MALFORMED -> withBody(good, kind, "{\"id\":\"chatcmpl-holdfast\",\"object\":\"chat.comp");
            case TRUNCATED -> good.cutAfter(good.body().size() / 2);
        };
    }

    /** Another text, whole as HTTP: as the only event of a stream, or as the body. */
    private static Reply withBody(Reply good, Kind kind, String text) {
        return kind.streamed()
                ? good.withChunks(new ArrayList<>(List.of(Chunk.of("data: " + text + "\n\n"))))
                : good.withBody(Bytes.utf8(text));
    }

    private static Reply answer(String model, long tokensIn, long tokensOut) {
        JsonObject usage = JsonObject.of("prompt_tokens", JsonValue.of(tokensIn))
                .with("completion_tokens", JsonValue.of(tokensOut))
                .with("total_tokens", JsonValue.of(tokensIn + tokensOut));
        return Reply.json(200, OpenAiAnswers.completion(model, "as you wish").with("usage", usage));
    }
}
