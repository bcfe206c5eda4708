package dev.holdfast.spi;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt on the same target when the server did not say.
 *
 * <p>Called once for each retry that the server suggests no delay for, by the thread of the call; must not block. The result is not negative. Randomness
 * comes only from the request's generator, so that a simulation repeats itself.
 */
@FunctionalInterface
public interface BackoffStrategy {
    /**
     * {@return the delay, not negative}
     *
     * @param request what is known
     */
    Duration delay(BackoffRequest request);

    /**
     * What a strategy knows.
     *
     * @param retry which retry on this target it is, from 1
     * @param previous what the strategy gave for the retry before; zero for the first
     * @param random where randomness comes from
     */
    record BackoffRequest(int retry, Duration previous, RandomGenerator random) {
        /** Refuses a retry below 1. */
        public BackoffRequest {
            if (retry < 1) {
                throw new IllegalArgumentException("retry: " + retry + " (expected: >= 1)");
            }
        }
    }
}
