package dev.holdfast.core.internal.call;

import dev.holdfast.Bytes;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.Form;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.core.internal.call.Outcome.Answered;
import dev.holdfast.core.internal.call.Outcome.Failed;
import dev.holdfast.core.internal.failure.Judgement;
import dev.holdfast.core.internal.failure.RateLimitHeaders;
import dev.holdfast.core.internal.failure.ReceivedAnswer;
import dev.holdfast.core.internal.stream.Bodies;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.DialectException;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import java.util.Optional;
import java.util.function.Function;

/** Understands answers that come in one piece. */
final class WholeReply implements ReplyReader {
    private static final int LONGEST_LENGTH = 9;
    private static final long USUAL_LENGTH = 2_048;

    private final Function<Candidate, Dialect> dialects;
    private final Timekeeper time;

    WholeReply(Function<Candidate, Dialect> dialects, Timekeeper time) {
        this.dialects = dialects;
        this.time = time;
    }

    @Override
    public Outcome read(TransportReply reply, Asked asked) throws TransportException, InterruptedException {
        try (reply) {
            return understand(receive(reply), asked);
        }
    }

    Outcome understand(ReceivedAnswer answer, Asked asked) {
        Optional<RateLimitSnapshot> limits = RateLimitHeaders.parse(answer.headers(), answer.receivedAt());
        Form form = asked.request().form();
        if (FoldedStream.isOne(answer)) {
            return FoldedStream.of(answer, dialects.apply(asked.candidate()), asked, limits);
        }
        if (form == Form.GEMINI_CONTENT && FoldedStream.isList(answer)) {
            ReceivedAnswer events = FoldedStream.ofList(answer);
            return FoldedStream.of(events, dialects.apply(asked.candidate()), asked, limits);
        }
        return switch (asked.judge().judge(answer, form)) {
            case Judgement.Bad(Failure failure) -> new Failed(failure, limits);
            case Judgement.Good(JsonObject document) ->
                decoded(asked, document, asked.judge().requestId(answer.headers()), limits);
        };
    }

    private Outcome decoded(
            Asked asked, JsonObject document, Optional<String> requestId, Optional<RateLimitSnapshot> limits) {
        try {
            ModelAnswer answer = dialects.apply(asked.candidate()).decodeAnswer(asked.request(), document);
            return new Answered(answer, requestId, asked.wire().adjusted(), limits);
        } catch (DialectException e) {
            Failure failure = Failure.of(
                    FailureKind.MALFORMED_RESPONSE,
                    FailureScope.ENDPOINT,
                    Delivery.AMBIGUOUS,
                    asked.judge().clean(String.valueOf(e.getMessage())));
            return new Failed(failure, limits);
        }
    }

    /** What was received. The status of an error counts although its body is damaged, with as much of it as came. */
    private ReceivedAnswer receive(TransportReply reply) throws TransportException, InterruptedException {
        var body = new UnbrokenStream(reply.body());
        Bytes read = Bodies.read(() -> Bytes.readFrom(body, expectedLength(reply.headers())));
        boolean cut = false;
        try {
            Bodies.read(body::throwIfBroken);
        } catch (TransportException e) {
            if (reply.status() < 300) {
                throw e;
            }
            cut = true;
        }
        return new ReceivedAnswer(reply.status(), reply.headers(), read, cut, time.now());
    }

    /** A hint: the body may have been packed on its way, and a server may say what it likes. */
    private static long expectedLength(Headers headers) {
        String said = headers.first("content-length").orElse("");
        boolean readable = !said.isEmpty() && said.length() <= LONGEST_LENGTH && isDigits(said);
        return readable ? Long.parseLong(said) : USUAL_LENGTH;
    }

    private static boolean isDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
