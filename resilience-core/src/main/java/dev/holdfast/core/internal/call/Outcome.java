package dev.holdfast.core.internal.call;

import dev.holdfast.Adjustment;
import dev.holdfast.Failure;
import dev.holdfast.ModelAnswer;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.StreamEvent;
import dev.holdfast.core.internal.stream.EventFlow;
import dev.holdfast.core.internal.stream.StreamWatch;
import dev.holdfast.spi.TransportReply;
import java.util.List;
import java.util.Optional;

/** What came of an attempt that was sent. */
sealed interface Outcome {
    /** What the answer's headers said of limits. */
    Optional<RateLimitSnapshot> rateLimits();

    /** One that ends the search for an answer. */
    sealed interface Good extends Outcome {
        /** The id the provider gave the exchange. */
        Optional<String> providerRequestId();

        /** What was changed in the request. */
        List<Adjustment> adjusted();
    }

    /**
     * A good answer.
     *
     * @param answer the answer
     * @param providerRequestId the id the provider gave the exchange
     * @param adjusted what was changed in the request
     * @param rateLimits what the headers said of limits
     */
    record Answered(
            ModelAnswer answer,
            Optional<String> providerRequestId,
            List<Adjustment> adjusted,
            Optional<RateLimitSnapshot> rateLimits)
            implements Good {}

    /**
     * A stream whose first meaningful event has come. Whoever has it ends its watch and closes its reply.
     *
     * @param first the events that came, the last of them meaningful
     * @param flow the events to come
     * @param watch keeps the timers
     * @param reply the exchange
     * @param providerRequestId the id the provider gave the exchange
     * @param adjusted what was changed in the request
     * @param rateLimits what the headers said of limits
     */
    record Begun(
            List<StreamEvent> first,
            EventFlow flow,
            StreamWatch watch,
            TransportReply reply,
            Optional<String> providerRequestId,
            List<Adjustment> adjusted,
            Optional<RateLimitSnapshot> rateLimits)
            implements Good {}

    /**
     * A failure.
     *
     * @param failure the failure
     * @param rateLimits what the headers said of limits
     */
    record Failed(Failure failure, Optional<RateLimitSnapshot> rateLimits) implements Outcome {}

    /**
     * The thread was interrupted while the exchange was on its way: the provider may go on with it.
     *
     * @param failure the failure
     */
    record CutShort(Failure failure) implements Outcome {
        @Override
        public Optional<RateLimitSnapshot> rateLimits() {
            return Optional.empty();
        }
    }
}
