package dev.holdfast.core.internal.call;

import dev.holdfast.Bytes;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.JsonValue;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.core.internal.call.Outcome.Answered;
import dev.holdfast.core.internal.call.Outcome.Failed;
import dev.holdfast.core.internal.call.ReplyReader.Asked;
import dev.holdfast.core.internal.failure.ReceivedAnswer;
import dev.holdfast.core.internal.json.JsonReader;
import dev.holdfast.core.internal.stream.BodyKind;
import dev.holdfast.core.internal.stream.StreamBrokenException;
import dev.holdfast.core.internal.stream.StreamJudge;
import dev.holdfast.core.internal.stream.StreamReader;
import dev.holdfast.spi.Dialect;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** An event stream that came although none was asked for, put together to the one answer that was. */
final class FoldedStream {
    private FoldedStream() {}

    /** Whether a good answer is an event stream, whatever it is labelled as. */
    static boolean isOne(ReceivedAnswer answer) {
        return answer.isSuccess() && BodyKind.of(answer.body().asByteBuffer()) == BodyKind.EVENTS;
    }

    /** Whether a good answer is a list of chunks, as Gemini streams where no events are asked for; a list of errors is none. */
    static boolean isList(ReceivedAnswer answer) {
        return answer.isSuccess()
                && isBracket(answer.body().asByteBuffer())
                && chunks(answer).stream()
                        .anyMatch(chunk -> chunk.asObject()
                                .filter(object -> object.get("candidates").isPresent())
                                .isPresent());
    }

    private static boolean isBracket(ByteBuffer body) {
        while (body.hasRemaining()) {
            byte each = body.get();
            if (each > ' ') {
                return each == '[';
            }
        }
        return false;
    }

    private static List<JsonValue> chunks(ReceivedAnswer answer) {
        return JsonReader.tryRead(answer.body(), answer.body().toUtf8())
                .map(JsonValue::asList)
                .orElse(List.of());
    }

    /** The same answer with its chunks as events. */
    static ReceivedAnswer ofList(ReceivedAnswer answer) {
        String events = chunks(answer).stream()
                .map(chunk -> "data: " + chunk.toJson() + "\n\n")
                .collect(Collectors.joining());
        return new ReceivedAnswer(
                answer.status(), answer.headers(), Bytes.utf8(events), answer.bodyCut(), answer.receivedAt());
    }

    static Outcome of(ReceivedAnswer answer, Dialect dialect, Asked asked, Optional<RateLimitSnapshot> limits) {
        if (dialect.streams().isEmpty()) {
            Failure failure = Failure.of(
                    FailureKind.MALFORMED_RESPONSE,
                    FailureScope.ENDPOINT,
                    Delivery.AMBIGUOUS,
                    "an event stream (expected: JSON)");
            return new Failed(failure, limits);
        }
        var judge = new StreamJudge(asked.judge(), answer);
        var reader = StreamReader.of(answer.body(), dialect.streams().get().decoder(asked.request()), judge);
        try {
            while (reader.next() != null) {
                // put together by the decoder
            }
            Optional<String> requestId = asked.judge().requestId(answer.headers());
            return new Answered(reader.answer(), requestId, asked.wire().adjusted(), limits);
        } catch (StreamBrokenException e) {
            return new Failed(e.failure(), limits);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nothing waits here", e);
        }
    }
}
