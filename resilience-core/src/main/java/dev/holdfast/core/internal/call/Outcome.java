package dev.holdfast.core.internal.call;

import dev.holdfast.Adjustment;
import dev.holdfast.Failure;
import dev.holdfast.ModelAnswer;
import dev.holdfast.RateLimitSnapshot;
import java.util.List;
import java.util.Optional;

/** What came of an attempt that was sent. */
sealed interface Outcome {
    /** What the answer's headers said of limits. */
    Optional<RateLimitSnapshot> rateLimits();

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
            implements Outcome {}

    /**
     * A failure.
     *
     * @param failure the failure
     * @param rateLimits what the headers said of limits
     */
    record Failed(Failure failure, Optional<RateLimitSnapshot> rateLimits) implements Outcome {}
}
