package dev.holdfast.core.internal.call;

import dev.holdfast.FailureKind;
import dev.holdfast.ModelRequest;
import dev.holdfast.Rejection;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Rejects a candidate whose context window cannot hold the request: the estimated prompt and the output that the request asks
 * for, as far as the model writes that much. A candidate of unknown window is tried.
 */
final class ContextWindow {
    private ContextWindow() {}

    static Optional<Rejection> rejection(Candidate candidate, ModelRequest request, Spending spending) {
        OptionalLong window = candidate.model().contextWindow();
        return window.isEmpty() || need(candidate, request, spending) <= window.getAsLong()
                ? Optional.empty()
                : Optional.of(new Rejection(candidate.target(), FailureKind.CONTEXT_LENGTH, Optional.empty()));
    }

    /** How many tokens the request takes there, in and out. */
    static long need(Candidate candidate, ModelRequest request, Spending spending) {
        long asked = request.maxOutputTokens().orElse(0);
        long output = Math.min(asked, candidate.model().maxOutput().orElse(asked));
        long sum = spending.estimate().input() + output;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
