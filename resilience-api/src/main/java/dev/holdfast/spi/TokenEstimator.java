package dev.holdfast.spi;

import dev.holdfast.ModelRequest;

/**
 * Guesses how many tokens a request will take, before it is sent.
 *
 * <p>Called by the thread of the call, at most once for each call, when a limit or a maximal cost asks for
 * it; must not block.
 */
@FunctionalInterface
public interface TokenEstimator {
    /**
     * {@return the guess}
     *
     * @param request the request
     */
    TokenEstimate estimate(ModelRequest request);

    /**
     * A guess.
     *
     * @param input input tokens, not negative
     * @param output the most output tokens that are to be reckoned with, not negative
     */
    record TokenEstimate(long input, long output) {
        /** {@return both together, at most {@link Long#MAX_VALUE}} */
        public long total() {
            long sum = input + output;
            return sum < 0 ? Long.MAX_VALUE : sum;
        }
    }
}
