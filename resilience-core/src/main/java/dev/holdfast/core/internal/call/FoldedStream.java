package dev.holdfast.core.internal.call;

import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.ModelRequest;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.core.internal.call.Outcome.Answered;
import dev.holdfast.core.internal.call.Outcome.Failed;
import dev.holdfast.core.internal.call.ReplyReader.Asked;
import dev.holdfast.core.internal.failure.ReceivedAnswer;
import dev.holdfast.core.internal.stream.BodyKind;
import dev.holdfast.core.internal.stream.StreamBrokenException;
import dev.holdfast.core.internal.stream.StreamJudge;
import dev.holdfast.core.internal.stream.StreamReader;
import dev.holdfast.spi.Dialect;
import java.util.Optional;

/** An event stream that came although none was asked for, put together to the one answer that was. */
final class FoldedStream {
    private FoldedStream() {}

    /** Whether a good answer is an event stream, whatever it is labelled as. */
    static boolean isOne(ReceivedAnswer answer) {
        return answer.isSuccess() && BodyKind.of(answer.body().asByteBuffer()) == BodyKind.EVENTS;
    }

    static Outcome of(
            ReceivedAnswer answer,
            Dialect dialect,
            ModelRequest request,
            Asked asked,
            Optional<RateLimitSnapshot> limits) {
        if (dialect.streams().isEmpty()) {
            Failure failure = Failure.of(
                    FailureKind.MALFORMED_RESPONSE,
                    FailureScope.ENDPOINT,
                    Delivery.AMBIGUOUS,
                    "an event stream (expected: JSON)");
            return new Failed(failure, limits);
        }
        var judge = new StreamJudge(asked.judge(), answer);
        var reader = StreamReader.of(answer.body(), dialect.streams().get().decoder(request), judge);
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
