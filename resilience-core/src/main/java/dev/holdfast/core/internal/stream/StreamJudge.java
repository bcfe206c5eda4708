package dev.holdfast.core.internal.stream;

import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.core.internal.failure.FailureClassifier;
import dev.holdfast.core.internal.failure.ReceivedAnswer;
import dev.holdfast.spi.ServerSentEvent;
import dev.holdfast.spi.TransportException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Says what went wrong with a stream that began with a good head.
 *
 * @param classifier understands failures
 * @param head the head of the answer; its body is not looked at
 */
public record StreamJudge(FailureClassifier classifier, ReceivedAnswer head) {
    Optional<Failure> classify(ServerSentEvent event) {
        return classifier.classify(event, head);
    }

    /** What the event says with which the decoder ended the stream, though not well. */
    Failure ending(ServerSentEvent event) {
        return classifier.classifyClosely(event, head).orElseGet(this::truncated);
    }

    Failure fromTransport(TransportException exception) {
        return classifier.fromTransport(exception);
    }

    /** A timer of ours ran out; one that did so late was held up on this machine, which is not the provider's fault. */
    Failure timeout(StreamWatch.Expiry expiry) {
        return expiry.late()
                ? failure(
                        FailureKind.LOCAL,
                        FailureScope.REQUEST,
                        Delivery.AMBIGUOUS,
                        "a timer of this process fired over a second late")
                : failure(FailureKind.TIMEOUT, FailureScope.ENDPOINT, Delivery.AMBIGUOUS, expiry.words());
    }

    Failure malformed(String words) {
        return failure(
                FailureKind.MALFORMED_RESPONSE, FailureScope.ENDPOINT, Delivery.AMBIGUOUS, classifier.clean(words));
    }

    Failure truncated() {
        return failure(
                FailureKind.TRUNCATED,
                FailureScope.ENDPOINT,
                Delivery.AMBIGUOUS,
                "the stream broke off before its end");
    }

    /** It came to a good end and said nothing. */
    public Failure empty() {
        return failure(FailureKind.EMPTY_RESPONSE, FailureScope.ENDPOINT, Delivery.AMBIGUOUS, "the stream is empty");
    }

    private Failure failure(FailureKind kind, FailureScope scope, Delivery delivery, String words) {
        return new Failure(
                kind,
                scope,
                delivery,
                words,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                classifier.requestId(head.headers()));
    }
}
