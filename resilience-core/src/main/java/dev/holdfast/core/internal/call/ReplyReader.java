package dev.holdfast.core.internal.call;

import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.failure.FailureClassifier;
import dev.holdfast.spi.Dialect.WireRequest;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportReply;
import java.time.Duration;

/** Understands what comes back. It closes the reply, unless the outcome is a stream that has begun. */
interface ReplyReader {
    /**
     * Reads.
     *
     * @param reply status, headers and body
     * @param asked what was sent
     */
    Outcome read(TransportReply reply, Asked asked) throws TransportException, InterruptedException;

    /**
     * A request on the wire, and who understands its answer.
     *
     * @param candidate where it went
     * @param request the request, in the form of the dialect that sent it
     * @param wire what was sent
     * @param judge understands failures, and knows the key
     * @param sentNanos when
     * @param timeout how long the attempt may take, or a stream to begin
     */
    record Asked(
            Candidate candidate,
            ModelRequest request,
            WireRequest wire,
            FailureClassifier judge,
            long sentNanos,
            Duration timeout) {}
}
